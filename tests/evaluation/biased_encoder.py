"""An encoder for tests with a bias that is known because it was put there."""

import re

import numpy as np

from fairvec.encoders import Encoder, encoder_from_function
from fairvec.geometry import FloatArray
from fairvec.lexicon import concept, select_tests
from tests.encoders.toy_encoder import LetterModel

_GENDER = {
    word.word.lower(): side
    for pair in concept("en/gender").definition.pairs
    for word, side in zip(pair, (1.0, -1.0), strict=True)
}
_LISTS = {
    word.word.lower(): side
    for test in select_tests(["caliskan2017/weat-6"])
    for role, side in (("x", 1.0), ("y", -1.0), ("a", 1.0), ("b", -1.0))
    for word in test.test.sets[role].words
}


def encode_biased(texts: list[str], bias: float = 1.0) -> FloatArray:
    """Texts are noise by their hash; words of a gender and of WEAT-6 lean along the first axis."""
    noise = LetterModel(dimensions=12)
    rows = np.array([0.3 * noise._numbers(text) for text in texts])
    for row, text in zip(rows, texts, strict=True):
        for word in re.findall(r"\w+", text.lower()):
            row[0] += 2 * _GENDER.get(word, bias * _LISTS.get(word, 0.0))
    return rows


def biased() -> Encoder:
    """The encoder of that function."""
    return encoder_from_function(encode_biased, "biased", "en")
