"""How sure a figure is: p-values, intervals, verdicts and other words for the same ideas."""

from typing import Literal

from pydantic import Field

from fairvec.results.kinds import Holds, VerdictKind
from fairvec.results.record import Count, Record, Share
from fairvec.results.regroupings import Regroupings


class PValue(Regroupings, Record):
    """How often a random regrouping of the words gives a statistic at least as extreme."""

    value: Share = Field(description="The p-value; for a certified one the upper bound")
    low: Share = Field(
        description="Lower bound: p itself if exact, proven if certified, 99 % sure if sampled"
    )
    high: Share = Field(
        description="Upper bound: p itself if exact, proven if certified, 99 % sure if sampled"
    )
    method: Literal["exact", "certified", "sampled"] = Field(description="How it was obtained")
    sides: Literal["two", "greater", "less"] = Field(description="Which tail is counted")
    ties: Literal[">=", ">"] = Field(description="Whether equal statistics count as extreme")
    smallest: Share = Field(description="The smallest p that these list sizes can give")
    samples: Count | None = Field(default=None, description="Random regroupings drawn, if sampled")
    standard_error: float | None = Field(default=None, description="Monte Carlo error, if sampled")
    seed: int | None = Field(default=None, description="Seed of the sampling, if sampled")


class PairedP(Record):
    """How often swapping before and after at random, item by item, changes a figure as much.

    Where a network is trained the item is not all that is drawn: over items and trainings p is that
    of Student's t (two-way). So it is over the two things that the items of a benchmark combine,
    where they are combinations (crossed).
    """

    value: Share = Field(description="The p-value; two-sided, ties and the observed one count")
    low: Share = Field(description="Lower bound: p itself if exact, 99 % sure if sampled")
    high: Share = Field(description="Upper bound: p itself if exact, 99 % sure if sampled")
    method: Literal["exact", "sampled", "two-way", "crossed"] = Field(
        description="How it was obtained; two-way: Student's t with the variance over items added "
        "to that over trainings; crossed: with those over the two things that items combine"
    )
    changed: Count = Field(
        description="Items whose share changed; there are 2 to this power ways to swap them"
    )
    smallest: Share | None = Field(
        default=None, description="The smallest p that so many changed items can give"
    )
    samples: Count | None = Field(default=None, description="Random swaps drawn, if sampled")
    standard_error: float | None = Field(default=None, description="Monte Carlo error, if sampled")
    seed: int | None = Field(default=None, description="Seed of the sampling, if sampled")


class Interval(Record):
    """Where the effect would lie with other words of the same kind."""

    low: float = Field(description="Lower end")
    high: float = Field(description="Upper end")
    level: Share = Field(description="Nominal coverage, e.g. 0.95")
    method: str = Field(
        description="inverted permutation test or inverted paired test (exact, certified or "
        "sampled), the name of the bootstrap, or Korn-Graubard or Student's t and over what"
    )
    resamples: Count | None = Field(
        default=None, description="Regroupings or resamples drawn; null if nothing was drawn"
    )
    seed: int | None = Field(default=None, description="Seed of the drawing; null if none")


class Swap(Record):
    """The effect with other published lists for the same concepts."""

    lists: tuple[str, ...] = Field(description="The roles whose lists were exchanged")
    source: str = Field(description="Id of the test whose lists were taken")
    effect: float = Field(description="The effect with them")
    p: Share = Field(description="Its two-sided p, not corrected")


class FrequencyControl(Record):
    """Whether it is the frequency of words, and not their meaning, that makes the effect."""

    correlation: float = Field(description="Spearman, word scores against log frequency")
    effect: float = Field(description="The effect at equal log frequency, by least squares")
    p: Share = Field(description="Its two-sided p by Freedman and Lane, not corrected")
    explains: bool = Field(description="Whether evidence is lost at equal frequency")

    def accounts_for(self, effect: float) -> bool:
        """Say whether evidence is lost and less than half of the effect is left with it.

        Evidence alone may be lost because lists that differ in frequency say less at equal one.
        """
        return self.explains and self.effect * effect < effect**2 / 2


class Robustness(Record):
    """How far the effect and its evidence move with other words for the same ideas."""

    draws: Count = Field(description="Random shorter versions of the lists that were measured")
    kept: Share = Field(description="Share of each list that a draw keeps")
    low: float = Field(description="2.5 % quantile of the effect over the draws")
    high: float = Field(description="97.5 % quantile of the effect over the draws")
    same_sign: Share = Field(description="Share of the draws with the same sign")
    significant: Share = Field(description="Share of the draws with two-sided p under the level")
    expected: Share | None = Field(
        default=None,
        description="About the same share if every word counted alike: shorter lists lose power by "
        "themselves; null if they are too short to tell",
    )
    swaps: tuple[Swap, ...] = Field(description="With other published lists")
    untried: tuple[str, ...] = Field(
        default=(), description="Tests whose lists were not tried: too few of their words found"
    )
    frequency: FrequencyControl | None = Field(description="Null where no counts are known")
    holds: Holds | None = Field(
        default=None,
        description="Whether a claimed effect is firm, thin, fragile or perhaps one of frequency; "
        "null where the verdict claims none",
    )


class Verdict(Record):
    """The answer in words; always two-sided, whatever sides the p-value counts."""

    kind: VerdictKind = Field(description="The answer in one word")
    sentence: str = Field(description="The answer in one sentence")
    p: Share = Field(description="The two-sided p behind the verdict")
    p_holm: Share | None = Field(
        description="The same, Holm-corrected over its family; null if too few words decide it"
    )
    alpha: Share = Field(description="The level it is compared with")
