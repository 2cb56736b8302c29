"""Small tests with pairs, written down with their vectors."""

from collections.abc import Mapping, Sequence

import numpy as np

from fairvec.embedding import Embedding
from fairvec.geometry import Euclidean, FloatArray, Geometry
from fairvec.lexicon import Groups, Test, parse_suite, resolve


def made_of(lists: Mapping[str, Sequence[str]], *, paired: bool) -> Test:
    """A test whose lists have these words."""
    sets = "".join(
        f'[sets.{role}]\ntitle = "{role}"\nwords = {list(words)!r}\n'
        for role, words in lists.items()
    )
    roles = "".join(f'{role} = "{role}"\n' for role in lists)
    suite = parse_suite(
        'id = "toy"\nversion = "1"\nlanguage = "en"\ntitle = "Toy"\nsource = "Toy"\n'
        f'licence = "None needed."\n{sets}[[tests]]\nid = "one"\ntitle = "One"\n'
        f'category = "gender"\nkind = "bias"\npaired = {str(paired).lower()}\n{roles}'
    )
    return suite.tests[0]


def looked_up(
    vectors: Mapping[str, Mapping[str, Sequence[float]]],
    *,
    paired: bool = False,
    space: Geometry | None = None,
) -> Groups:
    """The lists of a test, each word with its vector."""
    keys = {word: vector for words in vectors.values() for word, vector in words.items()}
    matrix: FloatArray = np.array(list(keys.values()), dtype=np.float64)
    embedding = Embedding(list(keys), matrix, space or Euclidean(), "toy")
    lists = {role: list(words) for role, words in vectors.items()}
    return resolve(made_of(lists, paired=paired), embedding)


PAIRS: dict[str, dict[str, Sequence[float]]] = {
    "words": {"on": (2, 0, 0), "between": (-1, 1, 0), "across": (0, 3, 4)},
    "a": {"he": (3, 4, 0), "man": (5, 0, 12)},
    "b": {"she": (-3, 4, 0), "woman": (-5, 0, 12)},
}
"""Pairs of unequal lengths that differ along the first axis only: 6/5 and 10/13 at length one."""


def cosine(u: Sequence[float] | FloatArray, v: Sequence[float] | FloatArray) -> float:
    """The cosine, straight from its formula."""
    return float(np.dot(u, v) / np.sqrt(np.dot(u, u) * np.dot(v, v)))
