"""The way in: the gateway counts who is inside, input preparation tokenizes and measures the prompt.

Pure functions of one request: in, a specification and what they need to know; out, an `Admission` that says yes or
names the cause. HTTP's words are used: 429 is "too many requests", 400 is "this request can never be served".
"""
from dataclasses import dataclass

from .config import RequestSpec

ACCEPTED, TOO_MANY, BAD_REQUEST = "OK", "429", "400"
GATEWAY, INPUT = "gateway", "input"


@dataclass(frozen=True, slots=True, kw_only=True)
class Admission:
    """One decision about one request. `cause` is empty when accepted, else capacity, vocabulary, context or pool."""

    spec: RequestSpec
    stage: str                              # GATEWAY or INPUT
    code: str
    judged_us: int
    cause: str = ""
    in_system: int | None = None            # gateway: requests waiting or running at that moment
    prompt_length: int | None = None        # input: tokens, <bos> included
    unknown: tuple[str, ...] = ()           # input: characters that no token holds

    @property
    def id(self):
        return self.spec.id

    @property
    def accepted(self):
        return self.code == ACCEPTED


def admit(spec, in_system, config, now):
    """The gateway: accept while fewer than SLOTS + QUEUE_LIMIT requests are in the system."""
    full = in_system >= config.capacity
    return Admission(spec=spec, stage=GATEWAY, judged_us=now, in_system=in_system,
                     code=TOO_MANY if full else ACCEPTED, cause="capacity" if full else "")


def prepare(spec, tokenizer, config, now):
    """Input preparation: tokenize, then check the length against MAX_CONTEXT and the pool. -> (Admission, ids)."""
    unknown = tokenizer.unknown(spec.text)
    ids = () if unknown else tokenizer.encode(spec.text)[1]
    if unknown:
        cause = "vocabulary"
    elif len(ids) + spec.max_new > config.MAX_CONTEXT:
        cause = "context"
    elif config.blocks_for(len(ids)) > config.POOL_BLOCKS:
        cause = "pool"
    else:
        cause = ""
    return Admission(spec=spec, stage=INPUT, judged_us=now, code=BAD_REQUEST if cause else ACCEPTED, cause=cause,
                     prompt_length=None if unknown else len(ids), unknown=unknown), ids
