"""One test in a flat model and in a ball: do their two measures of the same words agree?

Kumar et al. (2020), arXiv:2109.13767, Figure 1.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import atanh, sqrt, tanh
from statistics import NormalDist, StatisticsError, correlation

from fairvec.ground.numbers import signed
from fairvec.report.plots import Mark
from fairvec.report.sections.arrange import grouped
from fairvec.results import Description, ModelIdentity, Outcome, TestIdentity, WordScore

FLAT, CURVED = "signed-direct-bias", "gyrocosine-bias"
FEWEST = 4
"""With fewer words a correlation has no interval."""
MOST_MARKS = 500
"""So many words are drawn, those farthest out."""


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
        if abs(self.rho) >= 1:
            return self.rho, self.rho
        reach = NormalDist().inv_cdf(0.975) / sqrt(len(self.words) - 3)
        return tanh(atanh(self.rho) - reach), tanh(atanh(self.rho) + reach)

    @property
    def marks(self) -> list[Mark]:
        """The words as marks; those farthest out get room for their names first, and any at all."""
        placed = sorted(
            zip(self.words, self.flat, self.curved, strict=True),
            key=lambda each: -abs(each[1]) - abs(each[2]),
        )
        return [
            Mark(
                text=word.word,
                x=x,
                y=y,
                about=f"{word.word} · {signed(x, 3)} flat · {signed(y, 3)} in the ball",
                kind="positive" if y > 0 else "negative",
            )
            for word, x, y in placed[:MOST_MARKS]
        ]

    @property
    def not_drawn(self) -> int:
        """How many words have no mark, because there are very many."""
        return max(0, len(self.words) - MOST_MARKS)


def agreements(outcomes: Sequence[Outcome]) -> list[Agreement]:
    """Return, for each test, every flat model beside every one in the ball."""
    described = [one for one in outcomes if isinstance(one, Description) and one.words]
    pairs = (
        _agreement(flat, curved)
        for members in grouped(described, lambda one: one.test).values()
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
