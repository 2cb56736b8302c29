"""What is said of a figure: verdicts, robustness, kinds of change, magnitudes."""

from typing import Literal, get_args

from pydantic import Field

from fairvec.core.validation import Count, Record, Share

VerdictKind = Literal[
    "biased", "associated", "mixed", "inconclusive", "no-evidence", "too-few-words", "no-verdict"
]
"""A significant effect is bias in a bias test, and an association in any other kind of test; an
inconclusive one is significant alone and not among the tests it is corrected with. A category is
mixed if single tests of it are biased and all of them together do not clearly lean one way."""

RobustnessKind = Literal["firm", "thin", "fragile", "frequency"]
"""How a claimed effect holds with other words: firm; thin, because shorter lists show it too rarely
though no more rarely than lists so short would, or because evidence alone is lost at equal word
frequency; fragile, because it depends on which words are taken; or it is the frequency of words
that may explain it, because it takes evidence and more than half of the effect away."""

ChangeKind = Literal[
    "removed",
    "reduced",
    "unchanged",
    "not-shown",
    "increased",
    "introduced",
    "overshot",
    "reversed",
    "no-answer",
    "kept",
    "lost",
    "gained",
]
"""What became of an effect (to no-answer) or of a figure of usefulness (kept, lost, gained or
not-shown). A label names a change that its test shows, or says that there is none or none shown."""

CHANGE_WORDS = {"not-shown": "no change shown", "no-answer": "not measured"}
"""Labels whose words are not the label itself."""

HARMFUL: tuple[ChangeKind, ...] = ("reversed", "introduced", "overshot")
"""Kinds of change that leave an effect where there was none, or none of that sign."""


class ListSwap(Record):
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
    swaps: tuple[ListSwap, ...] = Field(description="With other published lists")
    untried: tuple[str, ...] = Field(
        default=(), description="Tests whose lists were not tried: too few of their words found"
    )
    frequency: FrequencyControl | None = Field(description="Null where no counts are known")
    holds: RobustnessKind | None = Field(
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

    @property
    def is_claimed(self) -> bool:
        """Whether it rests on evidence of an association."""
        return self.kind in ("biased", "associated")


Magnitude = Literal["negligible", "small", "medium", "large"]

BOUNDS = (0.2, 0.5, 0.8)
"""Where small, medium and large begin: Cohen (1988), Statistical Power Analysis, section 2.2."""


def effect_magnitude(effect: float) -> Magnitude:
    """Say how large a standardised effect is as it is printed, with two decimals.

    Under 0.2 it is negligible, from 0.2 small, from 0.5 medium, from 0.8 large, whatever its sign.
    The words are about size and not about certainty: a large effect of few words may be chance.
    """
    sizes: tuple[Magnitude, ...] = get_args(Magnitude)
    printed = abs(float(f"{effect:.2f}"))
    return sizes[sum(printed >= bound for bound in BOUNDS)]
