"""What was found: one frozen, self-explaining record per test, metric and model.

The field descriptions here and beside this file document results.jsonl; docs/results.md is made
from them.
"""

from collections.abc import Iterable
from typing import Literal, Self

from pydantic import Field, model_validator

from fairvec.core.format import (
    format_number,
    format_p_bound,
    format_p_relation,
    format_percent,
    format_signed,
    is_significant,
    pluralize,
)
from fairvec.core.text import one_line
from fairvec.core.validation import Count, FileRecord, Record, Share
from fairvec.results.identities import (
    Convention,
    MetricIdentity,
    ModelIdentity,
    TestIdentity,
)
from fairvec.results.verdicts import (
    CHANGE_WORDS,
    ChangeKind,
    Magnitude,
    Robustness,
    Verdict,
    VerdictKind,
    effect_magnitude,
)
from fairvec.stats.values import Interval, PairedP, PValue, is_sampling_floor


class WordScore(Record):
    """One target word's share in the result."""

    word: str = Field(description="As listed in the suite")
    key: str = Field(description="As found in the embedding")
    role: str = Field(description="x, y or words; pair of two persons, as in he / she")
    score: float = Field(
        description="The word's number; for WEAT s(w, A, B): positive leans to A, negative to B; "
        "of a pair the first person's figure less the second's"
    )
    effect: float | None = Field(
        default=None,
        description="The word's own effect size: score over the deviation of its similarities",
    )
    without: float | None = Field(
        default=None,
        description="The effect with this word left out; null where there is none, and in lists "
        "of more than 2,000 words",
    )
    to_a: float | None = Field(
        default=None, description="Its mean similarity to the words of A; null if none is taken"
    )
    to_b: float | None = Field(
        default=None, description="Its mean similarity to the words of B; null if none is taken"
    )
    transliteration: str = Field(default="", description="The word in Latin letters")
    gloss: str = Field(default="", description="The word in English")


class GroupCoverage(Record):
    """Which words of one list were found, and how."""

    role: str = Field(description="x, y, words, a or b; pair of persons")
    title: str = Field(description="The list's name in plain words")
    wanted: Count = Field(description="Entries in the list")
    found: Count = Field(description="Entries that count (found, duplicates merged)")
    missing: dict[str, str] = Field(description="Entry without a usable vector -> the reason")
    entries: dict[str, str] = Field(
        default_factory=dict,
        description="Every entry that counts -> the key it reached; keys joined by + are averaged",
    )
    matched: dict[str, str] = Field(
        description="Entry -> key, only where they differ from each other"
    )
    how: dict[str, str] = Field(
        description="Entry -> look-up rule, only where it was not an exact match"
    )
    merged: tuple[str, ...] = Field(description="Entries that reached a key already counted")
    shared: tuple[str, ...] = Field(
        default=(), description="Entries whose key another list of the test reached too"
    )


ACROSS = {
    "ranks": "across geometries, by ranks",
    "standardised": "across geometries, by standardised leanings",
}
"""What a figure is called that was put in one unit to compare models of different geometries."""


def record_line(test: TestIdentity, model: str, metric: str, answer: Iterable[str]) -> str:
    """Return `test on model (metric): answer`; parts that say nothing are left out."""
    text = ", ".join(part for part in answer if part)
    return one_line(f"{test.id} on {model} ({metric}): {text}")


def effect_text(effect: float, interval: Interval | None, convention: Convention) -> str:
    """Return d = +1.23 [0.61, 1.84]; a difference has three digits, as a page writes it."""
    name, digits = ("d", 2) if convention.standardised else ("difference", 3)
    return f"{name} = {format_signed(effect, digits)} {in_brackets(interval, digits)}".rstrip()


def in_brackets(interval: Interval | None, digits: int = 2) -> str:
    """Return [0.61, 1.84], and nothing where there is no interval."""
    return (
        f"[{format_number(interval.low, digits)}, {format_number(interval.high, digits)}]"
        if interval
        else ""
    )


def verdict_text(verdict: Verdict, p: PValue) -> str:
    """Return the two-sided p behind a verdict, alone and corrected."""
    floor = is_sampling_floor(p, verdict.p)
    corrected = verdict.p_holm
    holm = "" if corrected is None else f", {format_p_bound(corrected, floor)} corrected (Holm)"
    return f"p {format_p_relation(verdict.p, floor)}{holm}"


def metric_text(metric: str, described: MetricIdentity | None) -> str:
    """Return the metric's name; that of a figure in one unit across geometries says so."""
    across = described.settings.get("across_geometries") if described else None
    return f"{metric} {ACROSS[across]}" if across in ACROSS else metric


CATEGORY = "category"
"""The kind of the `test` that a category's record is about: an answer, or why there is none."""

EFFECTS = ("bias", CATEGORY, "meaningful-encoding", "baseline")
"""Kinds of tests whose figure is an effect, with a sign."""


def figure_text(figure: float | None, test: TestIdentity, convention: Convention | None) -> str:
    """Return one figure of a change: an effect has a sign, a figure of usefulness has none."""
    if figure is None:
        return "none"
    if test.kind not in EFFECTS:
        return format_number(figure, 3)
    return format_signed(figure, 3 if convention and not convention.standardised else 2)


def paired_text(paired: PairedP | None) -> str:
    """Return the p of a paired test, or nothing."""
    if paired is None:
        return ""
    return f"paired p {format_p_relation(paired.value, is_sampling_floor(paired))}"


def models_text(before: ModelIdentity, after: ModelIdentity) -> str:
    """Return the names of the model before and after, or the one that both have."""
    return " → ".join(dict.fromkeys([before.name, after.name]))


class TestRecord(FileRecord):
    """What all outcomes have in common: what was asked of which embedding."""

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
    min_coverage: Share = Field(
        default=0.5, description="Share of a list that must be found for the test to be run"
    )
    seed: int = Field(description="Seed of everything random")
    versions: dict[str, str] = Field(description="Versions of fairvec, Python, numpy and scipy")

    @property
    def _metric_text(self) -> str:
        return metric_text(self.metric, self.described)


class Result(TestRecord):
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
        description="Figures that describe and decide nothing: of a difference in sentiment the "
        "effect in sentences of one feeling, of a preference between texts how many lean one way, "
        "less those that lean the other",
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
        size = effect_magnitude(self.effect) if claimed else ""
        effect = effect_text(self.effect, self.interval, self.convention)
        p = verdict_text(self.verdict, self.p)
        answer = (self.verdict.kind.replace("-", " "), effect, size, p)
        return record_line(self.test, self.model.name, self._metric_text, answer)


class Description(TestRecord):
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
        value = f"{format_number(self.value, 3)} {in_brackets(self.interval, 3)}".rstrip()
        return record_line(self.test, self.model.name, self.metric, (value, neutral))


class Skipped(TestRecord):
    """A test that could not be run, and why: never nan, never 0."""

    status: Literal["skipped"] = Field(default="skipped", description="Always skipped")
    convention: Convention | None = Field(default=None, description="As it would have been")
    cause: Literal["coverage", "missing", "undefined", "no-spread", "foreign", "error"] = Field(
        default="missing",
        description="Less of a list found than min_coverage, words missing otherwise, no value, "
        "all words leaning alike, a fault of a metric from outside, or an unexpected error",
    )
    reason: str = Field(description="One sentence: what was missing and what to do")
    finding: str = Field(
        default="", description="What was missing alone, where the reason says what to do, too"
    )

    def __str__(self) -> str:
        """Return the record as one readable line."""
        parts = (f"skipped. {self.reason}",)
        return record_line(self.test, self.model.name, self._metric_text, parts)


class Change(TestRecord):
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
        return self.p_before is not None and is_significant(self.p_before, self.alpha)

    @property
    def evident_after(self) -> bool:
        """Whether the effect is significant after."""
        return self.p_after is not None and is_significant(self.p_after, self.alpha)

    def __str__(self) -> str:
        """Return the record as one readable line."""
        convention = self.described.convention if self.described else None
        figures = " → ".join(
            figure_text(value, self.test, convention)
            for value in (self.value_before, self.value_after)
        )
        parts = (CHANGE_WORDS.get(self.kind, self.kind), figures, paired_text(self.paired))
        return record_line(
            self.test, models_text(self.before, self.model), self._metric_text, parts
        )


class PooledTest(Record):
    """One test's share in the answer."""

    test: str = Field(description="Full id of the test, e.g. caliskan2017/weat-6")
    title: str = Field(description="Its title in plain words")
    effect: float = Field(description="Its effect size d, in the convention of the answer")
    weight: float = Field(description="Its share in the pooled effect; all shares add up to 1")
    verdict: VerdictKind = Field(description="Its own verdict, corrected over its own family")


UnpooledReason = Literal[
    "no-spread",
    "skipped",
    "described",
    "no-test",
    "doubt",
    "no-effect-size",
    "no-lists",
    "immense",
    "no-regrouping",
    "same-words",
    "not-of-words",
]


class UnpooledTest(Record):
    """A bias test of a category that has no effect to pool."""

    test: str = Field(description="Full id of the test")
    reason: UnpooledReason = Field(
        description="All its words lean alike; it was skipped, only described, is no test or in "
        "doubt; its effect is no effect size; its words are not two lists, or the same twice; its "
        "scores are too large to reckon with; its p regroups no words, or its effect is not theirs"
    )


class CategoryAnswer(TestRecord):
    """All bias tests of one category, by one metric in one embedding, pooled into one answer.

    `test` names the category (kind `category`, id `category/gender`). A positive effect says: on
    average the tests lean as their authors say that a stereotype does.
    """

    status: Literal["pooled"] = Field(default="pooled", description="Always pooled")
    convention: Convention = Field(description="How the effects of its tests are computed")
    effect: float = Field(description="The pooled effect: a weighted mean of the tests' effects")
    size: Magnitude = Field(description="The pooled effect's size in words")
    interval: Interval | None = Field(
        description="The pooled effects that the joint regrouping does not reject, or the interval "
        "of its one test; null if none"
    )
    between: float = Field(
        description="Standard deviation of the true effects between tests (tau); 0 if the tests "
        "differ no more than their words explain"
    )
    inconsistency: float = Field(
        description="Share of the spread between tests that is not chance (I squared), 0 to 1"
    )
    prediction: Interval | None = Field(
        description="Where the effect of one more test of this kind would lie; null of fewer than "
        "three tests"
    )
    p: PValue = Field(
        description="How often a joint regrouping of all words gives as large a pooled effect; a "
        "word of several tests moves as one"
    )
    p_holm: Share | None = Field(
        description="p, Holm-corrected over the categories of this model and metric, or of one "
        "test over its family; null if so few words decide nothing"
    )
    family: Count = Field(
        description="Number of categories, or of one test of tests, that p_holm is corrected over"
    )
    tests: tuple[PooledTest, ...] = Field(description="The tests that were pooled")
    heading: str = Field(
        default="",
        description="What its sentence begins with: the category, and its language where the model "
        "has answers in several",
    )
    left_out: tuple[UnpooledTest, ...] = Field(
        default=(),
        description="Bias tests of the category that were asked and have no effect to pool",
    )
    verdict: Verdict = Field(description="The answer in words")

    @model_validator(mode="after")
    def _of_a_category(self) -> Self:
        if self.test.kind != CATEGORY:
            raise ValueError(f"test.kind must be {CATEGORY}")
        return self

    def __str__(self) -> str:
        """Return the record as one readable line."""
        effect = effect_text(self.effect, self.interval, self.convention)
        tests = pluralize(len(self.tests), "test")
        kind = self.verdict.kind.replace("-", " ")
        size = self.size if kind == "biased" else ""
        parts = (kind, effect, size, verdict_text(self.verdict, self.p), f"{tests} pooled")
        return record_line(self.test, self.model.name, self.metric, parts)


PlacedKind = Literal["listed", "learnt", "neutral"]


class Component(Record):
    """One principal component of the differences of pairs, each brought to length one."""

    share: float = Field(description="Its share of the sum of squares")
    by_chance: float = Field(description="The mean share over draws of random pairs of words")
    by_chance_high: float = Field(description="97.5 % quantile of the share over these draws")


class ProjectedWord(Record):
    """One word on two axes: along a pair of the concept, and away from its specific words."""

    word: str = Field(description="As listed")
    key: str = Field(description="As found in the embedding")
    kind: PlacedKind = Field(
        description="Specific because listed, specific by the plane alone (learnt), or neutral"
    )
    x: float = Field(description="Cosine with the direction of the pair: positive, to its first")
    y: float = Field(description="Distance from the plane: positive neutral, negative specific")
    x_after: float | None = Field(
        default=None, description="x after the change, along the direction from before it"
    )
    transliteration: str = Field(default="", description="The word in Latin letters")
    gloss: str = Field(default="", description="The word in English")


class ConceptView(TestRecord):
    """A concept in an embedding as two figures; `model` is the one before a change."""

    status: Literal["viewed"] = Field(default="viewed", description="Always viewed")
    concept: str = Field(description="The concept with its variant, e.g. hi/gender:pairs")
    after: ModelIdentity | None = Field(description="The embedding after a change; null if none")
    pairs: tuple[tuple[str, str], ...] = Field(description="Keys of the pairs that were compared")
    draws: Count = Field(description="How often as many random pairs of words were drawn")
    components: tuple[Component, ...] = Field(description="The largest first, ten at most")
    axis: tuple[str, str] = Field(description="The pair along which x is measured")
    plane: str = Field(description="The plane from which y is measured")
    recognised: tuple[int, int] = Field(
        description="Specific words that taught the plane and lie on their side, and all of them"
    )
    words: tuple[ProjectedWord, ...] = Field(description="Some words on the two axes")

    def __str__(self) -> str:
        """Return the record as one readable line."""
        models = models_text(self.model, self.after) if self.after else self.model.name
        share = format_percent(round(self.components[0].share, 2)) if self.components else ""
        first = f"the first direction holds {share}" if share else ""
        parts = (f"{pluralize(len(self.pairs), 'pair')} compared", first)
        return record_line(self.test, models, self.metric, parts)


Outcome = Result | Description | Skipped | Change | ConceptView | CategoryAnswer
