"""Byte pair encoding, worked out on paper."""
from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from inference_lab.config import COURSE_CORPUS
from inference_lab.tokenizer import BOS, EOS, Tokenizer, merge_pair, train_bpe


def test_the_most_frequent_pair_is_joined_first():
    # "ab" twice, "cb" once: a-b 2, b-</w> 3, c-b 1
    merges, symbols = train_bpe(["ab ab", "cb"], 1)
    assert merges == (("b", "</w>"),)
    assert symbols == ("</w>", "a", "b", "b</w>", "c")


def test_a_tie_goes_to_the_pair_that_sorts_last():
    # "ab": a-b 1, b-</w> 1; "b" sorts after "a"
    assert train_bpe(["ab"], 1)[0] == (("b", "</w>"),)
    # a tie on the left symbol is decided by the right one: x-p 1, x-q 1, p-</w> 1, q-</w> 1 and x > q > p
    assert train_bpe(["xp xq"], 1)[0] == (("x", "q"),)


def test_three_equal_letters_are_joined_from_the_left():
    # a a a </w>: a-a 2, a-</w> 1 -> aa a </w>: aa-a 1, a-</w> 1, "aa" sorts last -> aaa </w> -> one symbol is left
    assert train_bpe(["aaa"], 99)[0] == (("a", "a"), ("aa", "a"), ("aaa", "</w>"))
    assert Tokenizer.learn(["aaa"], 1).tokens("aaa") == ["<bos>", "aa", "a", "</w>"]
    assert Tokenizer.learn(["aaa"], 1).tokens("aaaa") == ["<bos>", "aa", "aa", "</w>"]


def test_overlapping_pairs_are_joined_from_the_left():
    assert merge_pair(["a", "a", "a"], ("a", "a")) == ["aa", "a"]
    assert merge_pair(["a", "b", "a", "b"], ("a", "b")) == ["ab", "ab"]
    assert merge_pair(["b", "a"], ("a", "b")) == ["b", "a"]
    assert merge_pair([], ("a", "b")) == []


def test_no_merges_leave_the_letters():
    tokenizer = Tokenizer.learn(["ba"], 0)
    assert tokenizer.vocabulary == ("<bos>", "<eos>", "</w>", "a", "b")
    assert tokenizer.encode("ab b") == (["<bos>", "a", "b", "</w>", "b", "</w>"], [0, 3, 4, 2, 4, 2])


def test_learning_from_no_words_gives_the_end_of_a_word_alone():
    assert train_bpe(["", "  "], 5) == ((), ("</w>",))


def test_an_empty_text_is_bos_alone():
    tokenizer = Tokenizer.learn(COURSE_CORPUS, 10)
    for text in ("", " ", "\n\t "):
        assert tokenizer.encode(text) == (["<bos>"], [BOS])
        assert tokenizer.unknown(text) == ()


def test_a_merge_never_crosses_the_end_of_a_word():
    tokenizer = Tokenizer.learn(["a b"] * 5, 99)
    assert tokenizer.merges == (("b", "</w>"), ("a", "</w>"))


def test_letters_that_were_merged_away_stay_in_the_vocabulary():
    tokenizer = Tokenizer.learn(["ab"], 99)
    assert tokenizer.vocabulary == ("<bos>", "<eos>", "</w>", "a", "ab</w>", "b")     # "b</w>" is in use nowhere
    assert tokenizer.encode("a")[1] == [0, 3, 2]


def test_a_symbol_that_was_merged_away_is_written_with_what_is_left():
    # "xi" was learnt on the way to "xin</w>" and is no token of its own; its letters are
    tokenizer = Tokenizer.learn(COURSE_CORPUS, 10)
    for text in ("xi", "ode", "xin mode"):
        tokens, ids = tokenizer.encode(text)
        assert [tokenizer.vocabulary[i] for i in ids] == tokens
        assert tokenizer.decode(ids) == text and tokenizer.unknown(text) == ()


def test_the_course_s_corpus_gives_ten_merges_and_twenty_two_tokens():
    tokenizer = Tokenizer.learn(COURSE_CORPUS, 10)
    assert ["".join(pair) for pair in tokenizer.merges] == [
        "n</w>", "xi", "xin</w>", "od", "ode", "odel", "odel</w>", "o</w>", "model</w>", "ha"]
    assert tokenizer.vocabulary == (
        "<bos>", "<eos>", "</w>", "a", "b", "c", "d", "e", "h", "ha", "i", "k", "l", "m", "model</w>", "n", "n</w>", "o", "o</w>", "t", "x", "xin</w>")
    assert tokenizer.encode("ban hoc model") == (
        ["<bos>", "b", "a", "n</w>", "h", "o", "c", "</w>", "model</w>"], [0, 4, 3, 16, 8, 17, 5, 2, 14])


def test_one_letter_typed_in_two_ways_gives_the_same_tokens():
    composed, decomposed = "ch\u00e0o", "cha\u0300o"
    tokenizer = Tokenizer.learn([decomposed], 0)
    assert tokenizer.vocabulary == ("<bos>", "<eos>", "</w>", "c", "h", "o", "\u00e0")
    assert tokenizer.encode(composed) == tokenizer.encode(decomposed) == (["<bos>", "c", "h", "\u00e0", "o", "</w>"], [0, 3, 4, 6, 5, 2])
    assert Tokenizer.learn([composed], 9) == Tokenizer.learn([decomposed], 9)


def test_unknown_characters_are_named_once_in_order_of_appearance():
    tokenizer = Tokenizer.learn(COURSE_CORPUS, 10)
    assert tokenizer.unknown("xin chào 😀 à 😀!") == ("à", "😀", "!")
    assert tokenizer.unknown("xin chao") == ()


def test_decoding_leaves_out_bos_and_eos_and_turns_word_ends_into_spaces():
    tokenizer = Tokenizer.learn(COURSE_CORPUS, 10)
    assert tokenizer.decode([BOS, 17, 16, 17, EOS]) == "on o"          # "o" "n</w>" "o"
    assert tokenizer.decode([]) == tokenizer.decode([BOS, EOS]) == ""


def test_a_corpus_that_spells_out_a_special_token_does_not_take_its_id():
    # "<bos>x <bos>y" with four merges learns s>, os>, bos>, <bos>
    tokenizer = Tokenizer.learn(["<bos>x <bos>y"], 4)
    assert tokenizer.encode("") == (["<bos>"], [BOS])
    assert tokenizer.encode("<bos>x")[1].count(BOS) == 1               # text cannot smuggle one in
    assert tokenizer.encode("<bos>x")[1][0] == BOS
    assert tokenizer.decode(tokenizer.encode("<bos>x")[1]) == "<bos>x"


# ── A second implementation that must agree ──────────────────────────────────

def slow_training(corpus, n_merges):
    """Words in place, pairs counted one by one, the best found by sorting."""
    words = [list(word) + ["</w>"] for text in corpus for word in text.split()]
    merges = []
    while len(merges) < n_merges:
        counts = Counter()
        for word in words:
            for i in range(len(word) - 1):
                counts[word[i], word[i + 1]] += 1
        if not counts:
            break
        pair = sorted(counts.items(), key=lambda item: (item[1], item[0]))[-1][0]
        merges.append(pair)
        for word in words:
            i = 0
            while i + 1 < len(word):
                if (word[i], word[i + 1]) == pair:
                    word[i:i + 2] = [word[i] + word[i + 1]]
                i += 1
    return merges, words


words = st.text("abc", min_size=1, max_size=6)
corpora = st.lists(st.lists(words, min_size=1, max_size=4).map(" ".join), min_size=1, max_size=4)


@given(corpora, st.integers(0, 12))
def test_learning_and_encoding_agree_with_a_slow_implementation(corpus, n_merges):
    merges, segmented = slow_training(corpus, n_merges)
    tokenizer = Tokenizer.learn(corpus, n_merges)
    assert list(tokenizer.merges) == merges
    together = " ".join(corpus)
    assert tokenizer.tokens(together)[1:] == [symbol for word in segmented for symbol in word]


@given(corpora, st.integers(0, 12), st.lists(words, max_size=5))
def test_text_of_known_letters_comes_back_from_its_ids(corpus, n_merges, text):
    tokenizer = Tokenizer.learn(corpus + ["abc"], n_merges)
    tokens, ids = tokenizer.encode("  ".join(text))
    assert ids[0] == BOS and ids.count(BOS) == 1 and [tokenizer.vocabulary[i] for i in ids] == tokens
    assert tokenizer.decode(ids) == " ".join(text)


def test_white_space_inside_a_corpus_sentence_is_a_letter_unless_it_is_a_space():
    # as in the course's script: only the space is taken out; a tab parts words and is in the vocabulary all the same
    assert Tokenizer.learn(["a\tb c"], 0).vocabulary == ("<bos>", "<eos>", "\t", "</w>", "a", "b", "c")
