"""How sure a figure is: p-values, intervals, verdicts, kinds of change, magnitudes."""

from math import log10
from typing import Any, Literal, get_args

from pydantic import BaseModel, Field, model_validator

from fairvec.core.validation import Count, Record, Share

VerdictKind = Literal[
    "biased", "associated", "mixed", "inconclusive", "no-evidence", "too-few-words", "no-verdict"
]
"""A significant effect is bias in a bias test, and an association in any other kind of test; an
inconclusive one is significant alone and not among the tests it is corrected with. A category is
mixed if single tests of it are biased and all of them together do not clearly lean one way."""

Holds = Literal["firm", "thin", "fragile", "frequency"]
"""How a claimed effect holds with other words: firm; thin, because shorter lists show it too rarely
though no more rarely than lists so short would; fragile, because it depends on which words are
taken; or it is the frequency of words that may explain it."""

ChangeKind = Literal[
    "removed",
    "reduced",
    "no-longer-evident",
    "unchanged",
    "unclear",
    "increased",
    "appeared",
    "introduced",
    "overshot",
    "reversed",
    "no-evidence",
    "no-answer",
    "kept",
    "lost",
    "gained",
]
"""What became of an effect (to no-answer) or of a figure of usefulness (kept, lost or gained)."""

HARMFUL: tuple[ChangeKind, ...] = ("reversed", "introduced", "overshot", "appeared")
"""Kinds of change that leave an effect where there was none, or none of that sign."""


MOST_DIGITS = 300
"""A longer count is kept by its logarithm alone: floats end there, and many readers of JSON."""


class Regroupings(BaseModel):
    """How many regroupings there are, exactly while that can be written, and by its logarithm."""

    partitions: int | None = Field(
        description=f"Number of possible regroupings; null if it has over {MOST_DIGITS} digits"
    )
    log10_partitions: float = Field(
        default=0.0, description="Decimal logarithm of that number, always there"
    )

    @model_validator(mode="before")
    @classmethod
    def _count(cls, given: Any) -> Any:
        """Take the logarithm of a count, which files of old do not have, and long counts out."""
        if not isinstance(given, dict):
            given = {
                name: getattr(given, name) for name in cls.model_fields if hasattr(given, name)
            }
        count = given.get("partitions")
        if count is None and "log10_partitions" not in given:
            raise ValueError("needs partitions, or log10_partitions where there are too many")
        if not isinstance(count, int) or count < 1:
            return given
        kept = count if count < 10**MOST_DIGITS else None
        return {**given, "partitions": kept, "log10_partitions": log10(count)}


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


Magnitude = Literal["negligible", "small", "medium", "large"]

BOUNDS = (0.2, 0.5, 0.8)
"""Where small, medium and large begin: Cohen (1988), Statistical Power Analysis, section 2.2."""


def effect_magnitude(effect: float) -> Magnitude:
    """Say how large a standardised effect is, whatever its sign.

    Under 0.2 it is negligible, from 0.2 small, from 0.5 medium, from 0.8 large. The words are about
    size and not about certainty: a large effect of few words may be chance.
    """
    sizes: tuple[Magnitude, ...] = get_args(Magnitude)
    return sizes[sum(abs(effect) >= bound for bound in BOUNDS)]
