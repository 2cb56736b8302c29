"""What was found: one frozen, self-explaining record per test, metric and model.

The field descriptions here and beside this file document results.jsonl; docs/results.md is made
from them.
"""

from typing import Literal

from pydantic import Field

from fairvec.ground.level import significant
from fairvec.ground.numbers import number
from fairvec.ground.sizes import size_in_words
from fairvec.results.certainty import Interval, PairedP, PValue, Robustness, Verdict
from fairvec.results.identities import Convention, MetricIdentity, ModelIdentity, TestIdentity
from fairvec.results.kinds import ChangeKind
from fairvec.results.lines import (
    asked_line,
    effect_said,
    figure_said,
    in_brackets,
    metric_said,
    models_said,
    paired_said,
    verdict_said,
)
from fairvec.results.record import SCHEMA_VERSION, Count, Record, SchemaVersion, Share
from fairvec.results.words import GroupCoverage, WordScore


class Asked(Record):
    """What all outcomes have in common: what was asked of which embedding."""

    schema_version: SchemaVersion = Field(
        default=SCHEMA_VERSION, description="Version of this schema"
    )
    test: TestIdentity = Field(description="Which test was run")
    model: ModelIdentity = Field(description="Which embedding was measured")
    metric: str = Field(description="Name of the metric, e.g. weat")
    similarity: str = Field(
        description="cosine, negative-distance or negative-squared-distance; empty if none is used"
    )
    described: MetricIdentity | None = Field(
        default=None, description="What the metric is, with its settings; null if not recorded"
    )
    coverage: tuple[GroupCoverage, ...] = Field(description="Words found, list by list")
    fitted_words: tuple[str, ...] = Field(
        default=(), description="Words of the test on which the embedding's debiasing was fitted"
    )
    smallest_coverage: Share = Field(
        default=0.5, description="Share of a list that must be found for the test to be run"
    )
    seed: int = Field(description="Seed of everything random")
    versions: dict[str, str] = Field(description="Versions of fairvec, Python, numpy and scipy")

    @property
    def _asked_by(self) -> str:
        return metric_said(self.metric, self.described)


class Result(Asked):
    """One metric on one test in one embedding."""

    status: Literal["measured"] = Field(default="measured", description="Always measured")
    convention: Convention = Field(description="How the effect size is computed")
    effect: float = Field(description="The metric's value; for WEAT the effect size d")
    statistic: float = Field(
        description="Mean over X minus mean over Y of the word scores; of pairs their mean"
    )
    p: PValue = Field(description="The p-value and how it was obtained")
    p_holm: Share | None = Field(
        description="p, Holm-corrected over its family; null if too few words decide it"
    )
    p_bh: Share | None = Field(
        description="p, Benjamini-Hochberg-corrected over all tests of this model; null if p "
        "proves nothing"
    )
    family: Count = Field(
        description="Number of tests of the family: those of its suite and kind that were asked, "
        "by whatever metric, and that so many words can decide"
    )
    family_of: str = Field(default="", description="The family in words")
    interval: Interval | None = Field(
        description="The effects that the permutation test does not reject; null if undefined"
    )
    detectable: float | None = Field(
        description="Smallest effect these words show with 80 % power, corrected; null if none"
    )
    verdict: Verdict = Field(description="The answer in words")
    robustness: Robustness | None = Field(default=None, description="If it was asked for")
    words: tuple[WordScore, ...] = Field(description="Each target word's share in the result")
    similarities: tuple[tuple[float, ...], ...] = Field(
        default=(),
        description="A row for each of `words`: its similarity to every entry of A and then of B, "
        "in the order of their coverage, to three digits; empty where words are not compared one "
        "by one, or of more than 3,600 pairs",
    )
    parts: dict[str, float] = Field(
        default_factory=dict,
        description="Of a difference in sentiment figures that describe and decide nothing: the "
        "effect in sentences of one feeling",
    )
    trainings: tuple[float, ...] = Field(
        default=(),
        description="Of trained classifiers the effect in each training; empty where training has "
        "no luck in it",
    )

    def __str__(self) -> str:
        """Return the record as one readable line."""
        # A size in words sounds like a claim, and is said where there is one.
        claimed = self.verdict.kind in ("biased", "associated") and self.convention.standardised
        size = size_in_words(self.effect) if claimed else ""
        effect = effect_said(self.effect, self.interval, self.convention)
        answer = (self.verdict.kind.replace("-", " "), effect, size, verdict_said(self.verdict))
        return asked_line(self.test, self.model.name, self._asked_by, answer)


class Description(Asked):
    """A metric's value where no permutation test applies: it describes, it does not decide."""

    status: Literal["described"] = Field(default="described", description="Always described")
    value: float = Field(description="The metric's value")
    neutral: float | None = Field(description="The value that says: no bias; null if none does")
    meaning: str = Field(description="What a large, small and neutral value say")
    interval: Interval | None = Field(
        description="By resampling words, or over the pairs that the items of SemBias and of "
        "analogies combine; null if it is undefined"
    )
    words: tuple[WordScore, ...] = Field(description="Each word's share in the value")

    def __str__(self) -> str:
        """Return the record as one readable line."""
        neutral = "" if self.neutral is None else f"neutral is {self.neutral:g}"
        value = f"{number(self.value, 3)} {in_brackets(self.interval, 3)}".rstrip()
        return asked_line(self.test, self.model.name, self.metric, (value, neutral))


class Skipped(Asked):
    """A test that could not be run, and why: never nan, never 0."""

    status: Literal["skipped"] = Field(default="skipped", description="Always skipped")
    convention: Convention | None = Field(default=None, description="As it would have been")
    cause: Literal["missing", "undefined", "no-spread", "foreign", "error"] = Field(
        default="missing",
        description="Words missing, no value, all words leaning alike, a fault of a metric from "
        "outside, or an unexpected error",
    )
    reason: str = Field(description="One sentence: what was missing and what to do")

    def __str__(self) -> str:
        """Return the record as one readable line."""
        said = (f"skipped. {self.reason}",)
        return asked_line(self.test, self.model.name, self._asked_by, said)


class Change(Asked):
    """One figure before and after a change of the embedding; `model` is the one after it."""

    status: Literal["compared"] = Field(default="compared", description="Always compared")
    before: ModelIdentity = Field(description="The embedding before the change")
    value_before: float | None = Field(description="The metric's value before; null if none")
    value_after: float | None = Field(description="The metric's value after; null if none")
    interval_before: Interval | None = Field(description="Its interval before; null if none")
    interval_after: Interval | None = Field(description="Its interval after; null if none")
    p_before: Share | None = Field(
        description="Two-sided p before, Holm-corrected over the compared tests of its suite and "
        "kind; null if none"
    )
    p_after: Share | None = Field(description="The same after the change")
    alpha: Share = Field(default=0.05, description="The level with which these are compared")
    kind: ChangeKind = Field(description="What became of the effect or figure")
    paired: PairedP | None = Field(description="The paired test of the change; null if none")
    over_items: PairedP | None = Field(
        default=None,
        description="Where `paired` is over items and trainings: the test over items alone, which "
        "leaves out the luck of training; null if none",
    )
    difference: Interval | None = Field(
        default=None,
        description="Effect after minus before: what the paired test does not reject; null if "
        "there is none, or if so few words reject nothing",
    )
    items: Count = Field(description="Words, pairs or questions that were paired")

    @property
    def evident_before(self) -> bool:
        """Whether the effect was significant before."""
        return self.p_before is not None and significant(self.p_before, self.alpha)

    @property
    def evident_after(self) -> bool:
        """Whether the effect is significant after."""
        return self.p_after is not None and significant(self.p_after, self.alpha)

    def __str__(self) -> str:
        """Return the record as one readable line."""
        convention = self.described.convention if self.described else None
        figures = " → ".join(
            figure_said(value, self.test, convention)
            for value in (self.value_before, self.value_after)
        )
        said = (self.kind.replace("-", " "), figures, paired_said(self.paired))
        return asked_line(self.test, models_said(self.before, self.model), self._asked_by, said)
