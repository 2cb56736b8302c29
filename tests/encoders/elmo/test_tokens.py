import unicodedata

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairvec.encoders.elmo.model import (
    character_ids,
    ids_of_sentence_marks,
    read_sentence,
    tokens_of,
)
from fairvec.languages.sentences import Sentence

# Scripts that every version of Unicode in use knows alike; some control characters are white
# space to Python and not to BERT's program, which drops them before.
TEXT = st.text(
    st.one_of(
        st.characters(min_codepoint=32, max_codepoint=126),
        st.characters(min_codepoint=0xA0, max_codepoint=0x17F),
        st.characters(min_codepoint=0x410, max_codepoint=0x44F),
        st.characters(min_codepoint=0x905, max_codepoint=0x96F),
        st.sampled_from("\u0301\u0338\u093c\u200c\u200d\t\n\u2003«—’„王।॥🙂"),
    ),
    max_size=20,
)


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("यह एक राजा है।", ["यह", "एक", "राजा", "है", "।"]),
        ("He's «here» — $5+x!", ["He", "'", "s", "«", "here", "»", "—", "$", "5", "+", "x", "!"]),
        ("Кофе\u00a0и чай…", ["Кофе", "и", "чай", "…"]),
        ("क\u200d्ष\u200c म", ["क्ष", "म"]),
        ("क़", ["क\u093c"]),
        ("e\u0301t", ["ét"]),
        ("€5 ≠ >\u0338", ["€5", "≠", "≯"]),
        (" \t\u200d\n", []),
        ("", []),
    ],
)
def test_tokens_are_split_at_white_space_and_punctuation(text: str, tokens: list[str]) -> None:
    assert tokens_of(text) == tuple(tokens)


@given(text=TEXT)
def test_bert_splits_alike(text: str) -> None:
    tokenizers = pytest.importorskip("tokenizers")
    joined = unicodedata.normalize("NFC", text.replace("\u200c", "").replace("\u200d", ""))
    split = tokenizers.pre_tokenizers.BertPreTokenizer().pre_tokenize_str(joined)
    assert tokens_of(text) == tuple(token for token, _ in split)


@given(before=TEXT, word=TEXT, after=TEXT)
def test_a_word_between_spaces_is_found_wherever_it_stands(
    before: str, word: str, after: str
) -> None:
    read = read_sentence(Sentence(f"{before} ", f"x{word}", f" {after}"))
    assert read.tokens[read.word] == tokens_of(f"x{word}")
    assert read.tokens == (
        *tokens_of(f"{before} "),
        *tokens_of(f"x{word}"),
        *tokens_of(f" {after}"),
    )


@pytest.mark.parametrize(
    ("sentence", "tokens"),
    [
        (Sentence("", "", ""), ()),
        (Sentence("ab", "", "cd"), ()),
        (Sentence("a ", " \u200d ", " b"), ()),
        (Sentence("«", "King's", "»."), ("King", "'", "s")),
        (Sentence("a ", "two words", "."), ("two", "words")),
        (Sentence("un", "seen", "ly b"), ("unseenly",)),
        (Sentence("a", "\u0301", " b"), ("á",)),
        (Sentence("c a", "\u0301b", ""), ("áb",)),
        (Sentence("राज", "\u200dा", " है"), ("राजा",)),
        (Sentence("(", "e", "\u0301)"), ("é",)),
    ],
)
def test_the_word_of_a_sentence_is_its_tokens(sentence: Sentence, tokens: tuple[str, ...]) -> None:
    read = read_sentence(sentence)
    assert read.tokens[read.word] == tokens


def test_a_word_is_its_bytes_between_two_marks() -> None:
    rows = character_ids(["a", "ह", "", "abcdefgh", "\ud800b"], 8)
    assert rows.tolist() == [
        [258, 97, 259, 260, 260, 260, 260, 260],
        [258, 0xE0, 0xA4, 0xB9, 259, 260, 260, 260],
        [258, 259, 260, 260, 260, 260, 260, 260],
        [258, *b"abcdef", 259],
        [258, 98, 259, 260, 260, 260, 260, 260],
    ]


def test_a_sentence_has_two_marks_of_its_own() -> None:
    assert ids_of_sentence_marks(5).tolist() == [
        [258, 256, 259, 260, 260],
        [258, 257, 259, 260, 260],
    ]


@given(words=st.lists(st.text(max_size=30)), most=st.integers(3, 60))
def test_every_row_has_one_beginning_and_one_end(words: list[str], most: int) -> None:
    rows = character_ids(words, most)
    assert rows.shape == (len(words), most)
    assert ((rows >= 0) & (rows <= 260)).all()
    for mark in (258, 259):
        np.testing.assert_array_equal((rows == mark).sum(axis=1), 1)
