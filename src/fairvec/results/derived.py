"""What several records say together, as pure functions of them.

agreements         one flat and one curved model that describe the same words
bias_vs_encoding   the effects of bias tests next to those of meaningful encoding
mean_interval      how far an audit reaches with other words, over the cells of a study
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import pi, sqrt
from statistics import StatisticsError, correlation, fmean

from fairvec.core.format import group_by
from fairvec.results.identities import ModelIdentity, TestIdentity
from fairvec.results.records import Description, Outcome, Result, WordScore
from fairvec.results.study import CellEffect
from fairvec.stats.values import Interval

FLAT, CURVED = "signed-direct-bias", "gyrocosine-bias"
FEWEST = 4
"""With fewer words a correlation has no interval."""


@dataclass(frozen=True, eq=False)
class Agreement:
    """The words that a flat model and one in the ball share, each with its two numbers.

    The two measures count in opposite directions (positive direct bias leans to A, positive
    gyrocosine bias to B), so `flat` has its sign turned: both are positive towards B here.
    """

    test: TestIdentity
    flat_model: ModelIdentity
    ball: ModelIdentity
    sides: tuple[str, str]
    words: tuple[WordScore, ...]
    flat: tuple[float, ...]
    curved: tuple[float, ...]
    rho: float

    @property
    def interval(self) -> tuple[float, float]:
        """95 % interval of Pearson's rho by Fisher's z, had the words been drawn at random."""
        ends = Interval.of_correlation(self.rho, len(self.words), 0.95) or Interval.at(self.rho)
        return ends.low, ends.high


def agreements(outcomes: Sequence[Outcome]) -> list[Agreement]:
    """Return, for each test, every flat model paired with every one in the ball."""
    described = [
        description
        for description in outcomes
        if isinstance(description, Description) and description.words
    ]
    pairs = (
        _agreement(flat, curved)
        for members in group_by(described, lambda description: description.test).values()
        for flat in members
        for curved in members
        if (flat.metric, curved.metric) == (FLAT, CURVED)
        and not flat.model.curvature
        and curved.model.curvature
    )
    return [pair for pair in pairs if pair]


def _agreement(flat: Description, curved: Description) -> Agreement | None:
    scores = {word.word: word.score for word in curved.words}
    words = tuple(word for word in flat.words if word.word in scores)
    x, y = tuple(-word.score for word in words), tuple(scores[word.word] for word in words)
    try:
        rho = correlation(x, y) if len(words) >= FEWEST else None
    except StatisticsError:  # all words lean alike
        rho = None
    if rho is None:
        return None
    titles = {group.role: group.title for group in flat.coverage}
    sides = (titles.get("a", "A"), titles.get("b", "B"))
    return Agreement(flat.test, flat.model, curved.model, sides, words, x, y, rho)


TRANSLATED = "translated"


@dataclass(frozen=True)
class EffectStrength:
    """How strong the effects of one kind are, and how strong chance alone would make them."""

    mean: float
    by_chance: float
    evident: int
    tests: int


@dataclass(frozen=True)
class BiasVsEncoding:
    """One category: its bias tests and its meaningful-encoding tests."""

    category: str
    bias: EffectStrength
    encoding: EffectStrength


def bias_vs_encoding(results: Iterable[Result]) -> list[BiasVsEncoding]:
    """Return the categories that have tests of both kinds; translated lists are left out."""
    original = [result for result in results if TRANSLATED not in result.test.tags]
    rows = []
    for category, members in group_by(original, lambda result: result.test.category).items():
        kinds = group_by(members, lambda result: result.test.kind)
        if "bias" in kinds and "meaningful-encoding" in kinds:
            strengths = (_strength(kinds[kind]) for kind in ("bias", "meaningful-encoding"))
            rows.append(BiasVsEncoding(category, *strengths))
    return rows


def _strength(results: Sequence[Result]) -> EffectStrength:
    return EffectStrength(
        mean=fmean([abs(result.effect) for result in results]),
        by_chance=fmean([_expected_by_chance(result) for result in results]),
        evident=sum(result.verdict.is_claimed for result in results),
        tests=len(results),
    )


def _expected_by_chance(result: Result) -> float:
    """Return the mean |d| of lists of this length that lean alike: sqrt(2/pi (1/n + 1/m))."""
    sizes = [sum(word.role == role for word in result.words) for role in ("x", "y")]
    return sqrt(2 / pi * sum(1 / max(size, 1) for size in sizes))


def mean_interval(effects: Sequence[CellEffect]) -> tuple[float, float] | None:
    """Return the mean ends of the intervals over words; None where no cell has one."""
    ends = [(e.low, e.high) for e in effects if e.low is not None and e.high is not None]
    if not ends:
        return None
    return fmean(low for low, _ in ends), fmean(high for _, high in ends)
