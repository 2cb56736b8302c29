"""Bias beside meaningful encoding: is it as large as real information of the same kind?

Malik et al. (2022), section 3.1, read the bias tests against what a model should know.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import pi, sqrt

from fairvec.report.sections.arrange import Shown, grouped
from fairvec.report.words.wording import significant
from fairvec.results import Result

TRANSLATED = "translated"


@dataclass(frozen=True)
class Strength:
    """How strong the effects of one kind are, and how strong chance alone would make them."""

    mean: float
    by_chance: float
    evident: int
    tests: int


@dataclass(frozen=True)
class Beside:
    """One category: its bias tests and its meaningful-encoding tests."""

    category: str
    bias: Strength
    encoding: Strength


def beside_encoding(entries: Iterable[Shown]) -> list[Beside]:
    """Return the categories that have tests of both kinds; translated lists are left out."""
    results = [
        entry.result
        for entry in entries
        if entry.result and TRANSLATED not in entry.result.test.tags
    ]
    rows = []
    for category, members in grouped(results, lambda result: result.test.category).items():
        kinds = grouped(members, lambda result: result.test.kind)
        if "bias" in kinds and "meaningful-encoding" in kinds:
            strengths = (_strength(kinds[kind]) for kind in ("bias", "meaningful-encoding"))
            rows.append(Beside(category, *strengths))
    return rows


def _strength(results: Sequence[Result]) -> Strength:
    return Strength(
        mean=_mean([abs(result.effect) for result in results]),
        by_chance=_mean([_by_chance(result) for result in results]),
        evident=sum(significant(result) for result in results),
        tests=len(results),
    )


def _by_chance(result: Result) -> float:
    """Return the mean |d| of lists of this length that lean alike: sqrt(2/pi (1/n + 1/m))."""
    sizes = [sum(word.role == role for word in result.words) for role in ("x", "y")]
    return sqrt(2 / pi * sum(1 / max(size, 1) for size in sizes))


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values)
