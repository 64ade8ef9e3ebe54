"""Text to token ids and back: byte pair encoding learnt from a small corpus (Sennrich et al. 2016).

In: sample sentences and a number of merges. Out: a frozen `Tokenizer`. Knows nothing of requests or the model.
A word is its characters followed by `</w>`; merges never cross a word's end. Text is put into Unicode form C
first, so that "à" typed as one character or as two gives the same tokens.
"""
import unicodedata
from collections import Counter
from dataclasses import dataclass, field

from .config import END_OF_WORD, SPECIAL

BOS, EOS = 0, 1                       # ids of the tokens that open and end a sequence


def words_of(text):
    return unicodedata.normalize("NFC", text).split()


def merge_pair(symbols, pair):
    """`symbols` with each occurrence of `pair`, from the left, joined into one symbol."""
    first, second = pair
    if first not in symbols:
        return symbols
    merged = []
    for symbol in symbols:
        if symbol == second and merged and merged[-1] == first:
            merged[-1] = first + second
        else:
            merged.append(symbol)
    return merged


def train_bpe(corpus, n_merges):
    """Learn up to `n_merges` merges from the sentences of `corpus`.

    Each round joins the most frequent neighbouring pair; a tie goes to the pair that sorts last.
    -> (merges: tuple of pairs in the order learnt, symbols: tuple of all symbols in sorted order)
    """
    words = [[*word, END_OF_WORD] for text in corpus for word in words_of(text)]
    letters = {letter for text in corpus for letter in unicodedata.normalize("NFC", text).replace(" ", "")}
    merges = []
    for _ in range(n_merges):
        counts = Counter(pair for word in words for pair in zip(word, word[1:]))
        if not counts:
            break
        best = max(counts, key=lambda pair: (counts[pair], pair))
        merges.append(best)
        words = [merge_pair(word, best) for word in words]
    in_use = {symbol for word in words for symbol in word}
    return tuple(merges), tuple(sorted(letters | in_use | {END_OF_WORD}))


@dataclass(frozen=True, slots=True)
class Tokenizer:
    """`merges` in the order learnt; `vocabulary` maps id to token (0 is <bos>, 1 is <eos>); `ids` maps symbol to id.

    `seen` remembers the tokens of each word met so far, as GPT-2's encoder does: the result is the same, sooner.
    """

    merges: tuple[tuple[str, str], ...]
    vocabulary: tuple[str, ...]
    ids: dict[str, int]
    seen: dict[str, list[str]] = field(default_factory=dict, repr=False, compare=False)

    @classmethod
    def learn(cls, corpus, n_merges):
        merges, symbols = train_bpe(corpus, n_merges)
        return cls(merges, SPECIAL + symbols, {symbol: i for i, symbol in enumerate(symbols, len(SPECIAL))})

    def tokens(self, text):
        """The tokens of `text`, with <bos> in front. A token may be unknown: see `unknown`."""
        found = [SPECIAL[BOS]]
        for word in words_of(text):
            if word not in self.seen:
                self.seen[word] = self.tokens_of_word(word)
            found += self.seen[word]
        return found

    def tokens_of_word(self, word):
        symbols = [*word, END_OF_WORD]
        for pair in self.merges:                     # in the order learnt: early merges first
            symbols = merge_pair(symbols, pair)
        return [part for symbol in symbols for part in self.in_vocabulary(symbol)]

    def in_vocabulary(self, symbol):
        """A symbol that later merges used up in every word of the corpus has no id: give back its halves."""
        halves = None if symbol in self.ids else next((pair for pair in self.merges if "".join(pair) == symbol), None)
        return [symbol] if halves is None else [part for half in halves for part in self.in_vocabulary(half)]

    def unknown(self, text):
        """Characters of `text` that no token holds, each once, in order of appearance."""
        return tuple(dict.fromkeys(c for word in words_of(text) for c in word if c not in self.ids))

    def encode(self, text):
        """-> (tokens, ids), <bos> first. Raises KeyError on a character of `unknown(text)`."""
        tokens = self.tokens(text)
        return tokens, [BOS, *(self.ids[t] for t in tokens[1:])]

    def decode(self, ids):
        """The text of `ids`, without <bos> and <eos>."""
        tokens = [self.vocabulary[i] for i in ids if i not in (BOS, EOS)]
        return "".join(t.removesuffix(END_OF_WORD) + " " if t.endswith(END_OF_WORD) else t for t in tokens).strip()
