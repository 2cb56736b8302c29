"""What was found: one frozen, self-explaining record per test, metric and model.

The field descriptions below document results.jsonl; docs/results.md is made from them.
"""

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

SCHEMA_VERSION = 1

VerdictKind = Literal["biased", "associated", "no-evidence", "too-few-words", "no-verdict"]
"""A significant effect is bias in a bias test, and an association in any other kind of test."""

ChangeKind = Literal[
    "removed",
    "reduced",
    "unchanged",
    "increased",
    "turned",
    "reversed",
    "introduced",
    "no-evidence",
    "no-answer",
    "kept",
    "lost",
    "gained",
]
"""What became of an effect (to no-answer) or of a figure of usefulness (kept, lost or gained)."""


class Record(BaseModel):
    """A frozen record; unknown fields are refused, nan and infinity are never written."""

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)


class TestIdentity(Record):
    """Which test was run."""

    __test__ = False  # pytest: this is not a test class

    suite: str = Field(description="Id of the suite, e.g. caliskan2017")
    suite_version: str = Field(description="Version of the suite's word lists")
    id: str = Field(description="Full id of the test, e.g. caliskan2017/weat-6")
    title: str = Field(description="Title in plain words")
    category: str = Field(description="Social category, e.g. gender, race, age")
    kind: str = Field(
        default="bias",
        description="bias, meaningful-encoding or baseline; similarity, analogy or sembias of a "
        "benchmark; movement of what a change did to the vectors; concept of a view of one",
    )
    tags: tuple[str, ...] = Field(default=(), description="As in the suite, e.g. translated")
    language: str = Field(description="ISO 639-1 code of the words")
    source: str = Field(description="Citation of the lists")
    positive_means: str = Field(description="What a positive effect says, in the suite's own words")
    negative_means: str = Field(description="What a negative effect says, in the suite's own words")
    sensitive: str = Field(default="", description="Why the words are sensitive; empty if not")


class ModelIdentity(Record):
    """Which embedding was measured."""

    name: str = Field(description="Name given by the user, the catalogue or the file")
    sha256: str = Field(description="Hash of the embedding's content (keys, vectors, geometry)")
    geometry: str = Field(description="euclidean or poincare")
    curvature: float = Field(description="The ball's c; 0 for flat space")
    dimensions: int = Field(description="Columns of the matrix")
    words: int = Field(description="Rows of the matrix")
    history: tuple[dict[str, Any], ...] = Field(description="What was done to it, in order")


class Convention(Record):
    """How the effect size is computed."""

    name: str = Field(description="caliskan, population or raw-similarity")
    ddof: int = Field(description="Delta degrees of freedom of the standard deviation")
    denominator: str = Field(description="What the standard deviation is taken over")


class PValue(Record):
    """How often a random regrouping of the words gives a statistic at least as extreme."""

    value: float = Field(description="The p-value; for a certified one the upper bound")
    low: float = Field(
        description="Lower bound: p itself if exact, proven if certified, 99 % sure if sampled"
    )
    high: float = Field(
        description="Upper bound: p itself if exact, proven if certified, 99 % sure if sampled"
    )
    method: Literal["exact", "certified", "sampled"] = Field(description="How it was obtained")
    sides: Literal["two", "greater", "less"] = Field(description="Which tail is counted")
    ties: Literal[">=", ">"] = Field(description="Whether equal statistics count as extreme")
    partitions: int = Field(description="Number of possible regroupings")
    smallest: float = Field(description="The smallest p that these list sizes can give")
    samples: int | None = Field(default=None, description="Random regroupings drawn, if sampled")
    standard_error: float | None = Field(default=None, description="Monte Carlo error, if sampled")
    seed: int | None = Field(default=None, description="Seed of the sampling, if sampled")


class PairedP(Record):
    """How often swapping before and after at random, item by item, changes a figure as much."""

    value: float = Field(description="The p-value; two-sided, ties and the observed one count")
    low: float = Field(description="Lower bound: p itself if exact, 99 % sure if sampled")
    high: float = Field(description="Upper bound: p itself if exact, 99 % sure if sampled")
    method: Literal["exact", "sampled"] = Field(description="How it was obtained")
    changed: int = Field(
        description="Items whose share changed; there are 2 to this power ways to swap them"
    )
    samples: int | None = Field(default=None, description="Random swaps drawn, if sampled")
    standard_error: float | None = Field(default=None, description="Monte Carlo error, if sampled")
    seed: int | None = Field(default=None, description="Seed of the sampling, if sampled")


class Interval(Record):
    """Where the effect would lie with other words of the same kind."""

    low: float = Field(description="Lower end")
    high: float = Field(description="Upper end")
    level: float = Field(description="Nominal coverage, e.g. 0.95")
    method: str = Field(description="Name of the bootstrap")
    resamples: int = Field(description="Number of resamples drawn")
    seed: int = Field(description="Seed of the resampling")


class WordScore(Record):
    """One target word's share in the result."""

    word: str = Field(description="As listed in the suite")
    key: str = Field(description="As found in the embedding")
    role: str = Field(description="x, y or words")
    score: float = Field(
        description="The word's number; for WEAT s(w, A, B): positive leans to A, negative to B"
    )
    effect: float | None = Field(
        default=None,
        description="The word's own effect size: score over the deviation of its similarities",
    )
    without: float | None = Field(default=None, description="The effect with this word left out")
    transliteration: str = Field(default="", description="The word in Latin letters")
    gloss: str = Field(default="", description="The word in English")


class GroupCoverage(Record):
    """Which words of one list were found, and how."""

    role: str = Field(description="x, y, words, a or b")
    title: str = Field(description="The list's name in plain words")
    wanted: int = Field(description="Entries in the list")
    found: int = Field(description="Entries that count (found, duplicates merged)")
    missing: dict[str, str] = Field(description="Entry without a usable vector -> the reason")
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


class Swap(Record):
    """The effect with other published lists for the same concepts."""

    lists: tuple[str, ...] = Field(description="The roles whose lists were exchanged")
    source: str = Field(description="Id of the test whose lists were taken")
    effect: float = Field(description="The effect with them")
    p: float = Field(description="Its two-sided p, not corrected")


class FrequencyControl(Record):
    """Whether it is the frequency of words, and not their meaning, that makes the effect."""

    correlation: float = Field(description="Spearman, word scores against log frequency")
    effect: float = Field(description="The effect at equal log frequency, by least squares")
    p: float = Field(description="Its two-sided p by Freedman and Lane, not corrected")
    explains: bool = Field(description="Whether evidence is lost at equal frequency")


class Robustness(Record):
    """How far the effect and its evidence move with other words for the same ideas."""

    draws: int = Field(description="Random shorter versions of the lists that were measured")
    kept: float = Field(description="Share of each list that a draw keeps")
    low: float = Field(description="2.5 % quantile of the effect over the draws")
    high: float = Field(description="97.5 % quantile of the effect over the draws")
    same_sign: float = Field(description="Share of the draws with the same sign")
    significant: float = Field(description="Share of the draws with two-sided p under the level")
    swaps: tuple[Swap, ...] = Field(description="With other published lists")
    untried: tuple[str, ...] = Field(
        default=(), description="Tests whose lists were not tried: too few of their words found"
    )
    frequency: FrequencyControl | None = Field(description="Null where no counts are known")


class Verdict(Record):
    """The answer in words; always two-sided, whatever sides the p-value counts."""

    kind: VerdictKind = Field(description="The answer in one word")
    sentence: str = Field(description="The answer in one sentence")
    p: float = Field(description="The two-sided p behind the verdict")
    p_holm: float = Field(description="The same, Holm-corrected over the tests of this model")
    alpha: float = Field(description="The level it is compared with")


class Asked(Record):
    """What all outcomes have in common: what was asked of which embedding."""

    schema_version: int = Field(default=SCHEMA_VERSION, description="Version of this schema")
    test: TestIdentity = Field(description="Which test was run")
    model: ModelIdentity = Field(description="Which embedding was measured")
    metric: str = Field(description="Name of the metric, e.g. weat")
    similarity: str = Field(
        description="cosine, negative-distance or negative-squared-distance; empty if none is used"
    )
    coverage: tuple[GroupCoverage, ...] = Field(description="Words found, list by list")
    fitted_words: tuple[str, ...] = Field(
        default=(), description="Words of the test on which the embedding's debiasing was fitted"
    )
    smallest_coverage: float = Field(
        default=0.5, description="Share of a list that must be found for the test to be run"
    )
    seed: int = Field(description="Seed of everything random")
    versions: dict[str, str] = Field(description="Versions of fairvec, Python, numpy and scipy")


class Result(Asked):
    """One metric on one test in one embedding."""

    status: Literal["measured"] = Field(default="measured", description="Always measured")
    convention: Convention = Field(description="How the effect size is computed")
    effect: float = Field(description="The metric's value; for WEAT the effect size d")
    statistic: float = Field(description="Mean over X minus mean over Y of the word scores")
    p: PValue = Field(description="The p-value and how it was obtained")
    p_holm: float = Field(description="p, Holm-corrected over the tests of this model")
    p_bh: float = Field(description="p, Benjamini-Hochberg-corrected over the tests of this model")
    family: int = Field(description="Number of tests corrected over: those measured on this model")
    interval: Interval | None = Field(description="Bootstrap interval; null if it is undefined")
    detectable: float | None = Field(
        description="Smallest effect these words show with 80 % power, corrected; null if none"
    )
    verdict: Verdict = Field(description="The answer in words")
    robustness: Robustness | None = Field(default=None, description="If it was asked for")
    words: tuple[WordScore, ...] = Field(description="Each target word's share in the result")


class Description(Asked):
    """A metric's value where no permutation test applies: it describes, it does not decide."""

    status: Literal["described"] = Field(default="described", description="Always described")
    value: float = Field(description="The metric's value")
    neutral: float | None = Field(description="The value that says: no bias; null if none does")
    meaning: str = Field(description="What a large, small and neutral value say")
    interval: Interval | None = Field(description="Bootstrap interval; null if it is undefined")
    words: tuple[WordScore, ...] = Field(description="Each word's share in the value")


class Skipped(Asked):
    """A test that could not be run, and why: never nan, never 0."""

    status: Literal["skipped"] = Field(default="skipped", description="Always skipped")
    convention: Convention | None = Field(default=None, description="As it would have been")
    cause: Literal["missing", "undefined", "no-spread"] = Field(
        default="missing", description="Words missing, no value, or all words leaning alike"
    )
    reason: str = Field(description="One sentence: what was missing and what to do")


class Change(Asked):
    """One figure before and after a change of the embedding; `model` is the one after it."""

    status: Literal["compared"] = Field(default="compared", description="Always compared")
    before: ModelIdentity = Field(description="The embedding before the change")
    value_before: float | None = Field(description="The metric's value before; null if none")
    value_after: float | None = Field(description="The metric's value after; null if none")
    interval_before: Interval | None = Field(description="Its interval before; null if none")
    interval_after: Interval | None = Field(description="Its interval after; null if none")
    p_before: float | None = Field(
        description="Two-sided p before, Holm-corrected over the compared tests; null if none"
    )
    p_after: float | None = Field(description="The same after the change")
    alpha: float = Field(default=0.05, description="The level with which these are compared")
    kind: ChangeKind = Field(description="What became of the effect or figure")
    paired: PairedP | None = Field(description="The paired test of the change; null if none")
    items: int = Field(description="Words, pairs or questions that were paired")

    @property
    def evident_before(self) -> bool:
        """Whether the effect was significant before."""
        return self.p_before is not None and self.p_before < self.alpha

    @property
    def evident_after(self) -> bool:
        """Whether the effect is significant after."""
        return self.p_after is not None and self.p_after < self.alpha
