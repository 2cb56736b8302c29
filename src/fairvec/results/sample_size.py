"""Records of how many words a test needs: random lists of every length, and what they show."""

from pydantic import Field

from fairvec.core.validation import Count, Record, Share
from fairvec.results.identities import MetricIdentity, ModelIdentity, TestIdentity
from fairvec.stats.values import Interval


class ResampledLists(Record):
    """What many random lists of one length say."""

    significant: Share = Field(
        description="Share of them with two-sided p under the level and the effect's own sign"
    )
    opposite: Share = Field(description="The same with the other sign: sure, and of the contrary")
    low: float | None = Field(description="2.5 % quantile of their effects; null if none has one")
    high: float | None = Field(description="97.5 % quantile; null if none has one")

    @property
    def reach(self) -> float | None:
        """Half of what lies between the quantiles: how far two such lists may be apart."""
        return None if self.low is None or self.high is None else (self.high - self.low) / 2


class LengthResult(Record):
    """Lists of one length: sub-lists of those at hand, and new ones by a model."""

    words: Count = Field(description="Words in each of the lists that vary")
    sublists: ResampledLists | None = Field(
        description="Drawn without replacement from the lists at hand, so that they share words "
        "and their spread goes to 0; null from the length of the longer one on"
    )
    new: ResampledLists = Field(
        description="Drawn with replacement, each word's deviation stretched by sqrt(n / (n - 1)): "
        "a model, which takes the words at hand for the population"
    )


class ListSizeCurve(Record):
    """How certainty grows with the length of some of a test's lists; the others stay whole."""

    roles: tuple[str, ...] = Field(description="The lists that vary together, e.g. x and y")
    titles: tuple[str, ...] = Field(description="Their titles")
    own: tuple[int, ...] = Field(description="Words of each that were found")
    lengths: tuple[LengthResult, ...] = Field(
        description="Every length that was tried, shortest first"
    )
    for_power: int | None = Field(
        description="Length from which on new lists are significant often enough; null if none "
        "that was tried is"
    )
    for_spread: int | None = Field(
        description="Length from which on 95 % of new lists lie within the margin; null if none"
    )
    sublists_for_power: int | None = Field(
        description="As for_power, of sub-lists; null if no shorter list does"
    )
    sublists_for_spread: int | None = Field(
        description="As for_spread, of sub-lists: reached by every list at its own length; null "
        "if no shorter list does"
    )


class SampleSizeReport(Record):
    """How many words one test needs on one model."""

    test: TestIdentity = Field(description="The test")
    model: ModelIdentity = Field(description="The embedding")
    metric: MetricIdentity = Field(description="The metric")
    effect: float = Field(description="The effect with all words at hand")
    p: Share = Field(description="Its two-sided p, not corrected")
    interval: Interval | None = Field(description="Its interval; null if it has none")
    alpha: Share = Field(description="The level that p is held against")
    power: Share = Field(description="The share of lists that shall be significant")
    within: float = Field(description="The margin within which effects shall lie")
    draws: Count = Field(description="Random lists of each length")
    seed: int = Field(description="Seed of the drawing")
    lists: tuple[ListSizeCurve, ...] = Field(description="By the lists that vary")
    by_formula: int | None = Field(
        description="Words in each target list that show a true effect of this size with this "
        "power, by the noncentral t; null if more than 10,000"
    )
    by_formula_at_end: int | None = Field(
        description="The same of the end of the interval that is nearer to 0; null if it holds 0"
    )
    sentence: str = Field(description="The answer in words")
    versions: dict[str, str] = Field(description="Versions of fairvec, Python, numpy and scipy")
