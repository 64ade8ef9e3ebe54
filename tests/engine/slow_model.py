"""The model a second time: plain Python numbers and loops, one token after the other, no batch and no cache.

Written from the formulas and not from the engine, so that the two can disagree.
"""
import math


def times(vector, matrix):
    return [sum(vector[i] * matrix[i][j] for i in range(len(vector))) for j in range(len(matrix[0]))]


def normed(vector):
    root = math.sqrt(sum(v * v for v in vector) / len(vector) + 1e-6)
    return [v / root for v in vector]


def rotated(head, position):
    """Pairs (i, i + half) turned by position / 10000^(i / half)."""
    half = len(head) // 2
    out = list(head)
    for i in range(half):
        angle = position / 10000 ** (i / half)
        out[i] = head[i] * math.cos(angle) - head[i + half] * math.sin(angle)
        out[i + half] = head[i] * math.sin(angle) + head[i + half] * math.cos(angle)
    return out


def heads_of(vector, n_heads):
    width = len(vector) // n_heads
    return [vector[h * width:(h + 1) * width] for h in range(n_heads)]


def attention_of(query, keys):
    """Weights over `keys`, as a list that sums to 1."""
    scores = [sum(a * b for a, b in zip(query, key)) / math.sqrt(len(query)) for key in keys]
    largest = max(scores)
    powers = [math.exp(s - largest) for s in scores]
    return [p / sum(powers) for p in powers]


class SlowModel:
    def __init__(self, weights):
        self.matrices = {name: getattr(weights, name).tolist() for name in
                         ("embedding", "w_q", "w_k", "w_v", "w_o", "w_gate", "w_up", "w_down", "lm_head")}
        self.n_heads = weights.n_heads

    def of_token(self, token, position, name, rotate):
        """The query, key or value of one token: a list of heads."""
        vector = times(normed(self.matrices["embedding"][token]), self.matrices[name])
        return [rotated(h, position) if rotate else h for h in heads_of(vector, self.n_heads)]

    def last(self, ids):
        """(logits, attention weights of each head) of the last of `ids`; everything before it is computed again."""
        position = len(ids) - 1
        query = self.of_token(ids[-1], position, "w_q", True)
        keys = [self.of_token(token, t, "w_k", True) for t, token in enumerate(ids)]
        values = [self.of_token(token, t, "w_v", False) for t, token in enumerate(ids)]
        context, attention = [], []
        for h in range(self.n_heads):
            weights = attention_of(query[h], [k[h] for k in keys])
            attention.append(weights)
            context += [sum(w * v[h][i] for w, v in zip(weights, values)) for i in range(len(query[h]))]
        x = self.matrices["embedding"][ids[-1]]
        x = [a + b for a, b in zip(x, times(context, self.matrices["w_o"]))]
        gate, up = times(normed(x), self.matrices["w_gate"]), times(normed(x), self.matrices["w_up"])
        hidden = [g / (1 + math.exp(-g)) * u for g, u in zip(gate, up)]
        x = [a + b for a, b in zip(x, times(hidden, self.matrices["w_down"]))]
        return times(normed(x), self.matrices["lm_head"]), attention

    def greedy(self, ids, max_new, bos=0, eos=1):
        """The answer to `ids` at temperature 0."""
        ids, answer = list(ids), []
        while len(answer) < max_new:
            logits = self.last(ids)[0]
            token = max((i for i in range(len(logits)) if i != bos), key=lambda i: (logits[i], -i))
            answer.append(token)
            ids.append(token)
            if token == eos:
                break
        return answer
