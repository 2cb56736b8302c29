"""The whole vocabulary of an embedding, a block at a time: how every word leans, and which most."""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from fairvec.embedding import Embedding
from fairvec.geometry import FloatArray
from fairvec.geometry.directions import unit
from fairvec.geometry.sizes import unit_or_zero
from fairvec.ground.errors import SettingError, UndefinedError
from fairvec.lexicon import Groups, resolve
from fairvec.metrics.bias.parts.direction import Direction, bias_direction

IntArray = NDArray[np.int64]

NUMBERS_AT_A_TIME = 2**21
"""A block holds about so many numbers: 16 MB."""

NOTICEABLE = 1e-6
"""A cosine below this is the rounding of single precision."""


def unit_blocks(embedding: Embedding, size: int) -> Iterator[tuple[int, FloatArray]]:
    """Give the first row and the unit vectors of each block of `size` words, or what fits.

    A vector of length zero stays as it is. A cut of a larger embedding is refused: which words are
    a word's neighbours, or lean most, depends on who chose the words of the cut.
    """
    check_whole(embedding)
    step = max(1, min(max(size, 256), NUMBERS_AT_A_TIME // embedding.dimensions))
    for start in range(0, len(embedding), step):
        vectors = embedding.block(start, start + step)
        yield start, unit_or_zero(vectors)


def check_whole(embedding: Embedding) -> None:
    """Refuse an embedding whose history says that words were left out of it."""
    for step in embedding.history:
        if step.action == "subset" or "words_wanted" in step.details:
            of = f" (this one was cut from {step.details['of']})" if "of" in step.details else ""
            raise UndefinedError(
                f"This measure looks at every word of the embedding, and {embedding.name} is a cut "
                f"of a larger one; use a model with its whole vocabulary{of}."
            )


def leanings_along(direction: FloatArray, embedding: Embedding) -> FloatArray:
    """Return the cosine of every word with a direction; a vector of length zero leans nowhere."""
    blocks = unit_blocks(embedding, NUMBERS_AT_A_TIME)
    return np.concatenate([block @ direction for _, block in blocks])


class Extremes(NamedTuple):
    """Rows of the words that lean most to A and most to B, the farthest first."""

    a: IntArray
    b: IntArray


def most_leaning(leanings: FloatArray, groups: Groups, each: int) -> Extremes:
    """Return the `each` words that lean most to either side; those of A and B are left out."""
    positions, name = groups.vocabulary.positions, groups.vocabulary.name
    attributes = [positions[key] for role in "ab" for key in groups[role].keys if key in positions]
    rows = np.delete(np.arange(len(leanings)), attributes)
    if len(rows) < 2 * each:
        raise UndefinedError(
            f"{name} has {len(rows)} words besides A and B and {2 * each} are needed; use an "
            "embedding with its whole vocabulary or ask for fewer words."
        )
    order = rows[np.argsort(leanings[rows], kind="stable")]
    extremes = Extremes(a=order[::-1][:each], b=order[:each])
    if leanings[extremes.a[0]] - leanings[extremes.b[0]] <= NOTICEABLE:
        raise UndefinedError(
            f"No word of {name} leans more to A or to B than another; if it was debiased, give the "
            "embedding from before as the setting original."
        )
    return extremes


def two_sides(
    groups: Groups, each: int, how: Direction, original: Embedding | None
) -> tuple[FloatArray, FloatArray]:
    """Return the unit vectors of the words that lean most to A, and of those that do to B.

    The leanings are those of the original embedding if there is one, the vectors those of now.
    """
    before, now = as_before(groups, original), groups.vocabulary
    leanings = leanings_along(bias_direction(before, how), before.vocabulary)
    a, b = (
        unit(now.rows([now.keys[row] for row in rows]))
        for rows in most_leaning(leanings, groups, each)
    )
    return a, b


def as_before(groups: Groups, original: Embedding | None) -> Groups:
    """Return the words as they were in the original embedding; the same groups if there is none."""
    if original is None:
        return groups
    if list(original.keys) != list(groups.vocabulary.keys):
        raise SettingError(
            f"{original.name} and {groups.vocabulary.name} do not hold the same keys in the same "
            "order; give as original the embedding from before the change."
        )
    before = resolve(groups.test, original)
    if any(before[role].keys != group.keys for role, group in groups.groups.items()):
        raise UndefinedError(
            f"Not the same words of the test {groups.test.id} have a vector in {original.name} and "
            f"in {groups.vocabulary.name}; leave out the words that only one of them knows."
        )
    return before
