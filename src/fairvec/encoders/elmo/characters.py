"""The bytes of a word as numbers, by the rules of bilm-tf and AllenNLP."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from fairvec.encoders.elmo.options import MARKS_OF_A_WORD

BYTES = 256
SENTENCE_BEGINS, SENTENCE_ENDS, WORD_BEGINS, WORD_ENDS, PADDING = range(BYTES, BYTES + 5)
CHARACTERS = PADDING + 1
"""The rows of char_embed: every byte, then the five marks.

AllenNLP counts from 1, so as to have 0 for words that pad a sentence; no such word is made here.
"""

CharacterIds = NDArray[np.int64]


def character_ids(words: Sequence[str], most: int) -> CharacterIds:
    """Return a row of `most` numbers for each word: begin, its bytes in UTF-8, end, padding.

    Bytes that find no place are cut off, even amid a letter, as in training. What is no letter at
    all (half of a surrogate pair) has no bytes.
    """
    room = most - MARKS_OF_A_WORD
    return _rows([[*word.encode("utf-8", "ignore")[:room]] for word in words], most)


def ids_of_sentence_marks(most: int) -> CharacterIds:
    """Return the rows of the two words that every sentence begins and ends with."""
    return _rows([[SENTENCE_BEGINS], [SENTENCE_ENDS]], most)


def _rows(words: Sequence[Sequence[int]], most: int) -> CharacterIds:
    rows = np.full((len(words), most), PADDING, dtype=np.int64)
    for row, inside in zip(rows, words, strict=True):
        row[: len(inside) + MARKS_OF_A_WORD] = [WORD_BEGINS, *inside, WORD_ENDS]
    return rows
