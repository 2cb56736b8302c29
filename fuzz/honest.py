"""Small honest models: some 30 words of the shipped ones, in flat space, a ball and three balls."""

from functools import cache
from pathlib import Path
from random import Random

import numpy as np

from fairvec.embedding import Embedding, load
from fairvec.geometry import Euclidean, Geometry, Poincare, ProductOfBalls
from fairvec.testing.planted import WORDS, suite_text
from fuzz.cases import Files

PAIRS = (("he", "she"), ("man", "woman"), ("boy", "girl"), ("father", "mother"))
MORE = ("king", "queen", "doctor", "nurse", "science", "art", "son", "daughter")
DIMENSIONS = 8
SPACES: tuple[Geometry, ...] = (Euclidean(), Poincare(1.0), ProductOfBalls(3))
ONE_TEST = suite_text().encode()
SUITE = f"""{suite_text()}
[[tests]]
id = "two"
title = "Two"
category = "gender"
kind = "meaningful-encoding"
x = "a"
y = "b"
a = "x"
b = "y"
""".encode()
CONCEPT = b"""
version = "1"
language = "en"
[concepts.my-gender]
title = "Gender"
category = "gender"
source = "Made up here."
licence = "CC0"
default = "pairs"
specific = ["king", "queen", "son", "daughter", "brother", "sister"]
equalise = [["brother", "sister"]]
[concepts.my-gender.variants.pairs]
pairs = [["he", "she"], ["man", "woman"], ["boy", "girl"], ["father", "mother"]]
[concepts.my-gender.keep.things]
pairs = [["king", "queen"], ["son", "daughter"]]
"""

DOCUMENT = (
    b"She is a nurse. He is a doctor.\n\nThe chairman said that he left. My mother cooks; the boss "
    b"is a strong man.\n\nHer father and his wife met the policeman.\n"
)
STUDY = b"""
language = "en"
min_count = 2
windows = [3]
dims = [4]
seeds = [1, 2]
suites = ["toy.toml"]
[corpora]
kind = ["kind.txt"]
plain = ["plain.txt"]
late = ["kind.txt", "plain.txt"]
[when]
kind = 1990
plain = 2005
late = 2020
[models.glove]
epochs = 2
"""
REVIEWS = b"text,label,split\n" + b"".join(
    b"the %s %s was %s,%d,%s\n"
    % (a, b, (b"good", b"bad")[n % 2], n % 2, (b"train", b"test")[n % 3 == 0])
    for n, (a, b) in enumerate([(b"king", b"art"), (b"queen", b"home"), (b"boss", b"family")] * 4)
)


def corpus(seed: int) -> bytes:
    """Return some sentences of the words that the suite asks for."""
    random, words = Random(seed), [word for words in WORDS.values() for word in words]
    lines = [" ".join(random.choices(words, k=6)) for _ in range(120)]
    return ("\n".join(lines) + "\n").encode()


def model(space: Geometry = Euclidean()) -> Embedding:  # noqa: B008 - it is frozen
    """Return a small model in a space, always the same one."""
    return _models()[SPACES.index(space)]


@cache
def _models() -> tuple[Embedding, ...]:
    return tuple(_model(space) for space in SPACES)


def _model(space: Geometry) -> Embedding:
    listed = (word for words in (*PAIRS, MORE, *WORDS.values()) for word in words)
    wanted_words = dict.fromkeys(listed)
    full_model = load("glove-en-small", list(wanted_words))
    # Short enough to lie in any ball.
    rows = np.array(full_model.vectors[:, : DIMENSIONS + space_extra(space)], np.float32)
    rows /= 2 * np.abs(rows).max() * np.sqrt(rows.shape[1])
    counts = np.arange(len(full_model), 0, -1) * 7
    return Embedding(
        list(full_model.keys), rows, space, "small", full_model.history, counts, ("en",)
    )


def space_extra(space: Geometry) -> int:
    """A product of three balls needs a number of dimensions that three divides."""
    return 1 if isinstance(space, ProductOfBalls) else 0


def files_in(folder: Path) -> Files:
    """Return all files in a folder."""
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }
