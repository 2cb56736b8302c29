"""Measure a figure under another convention: effect size, p rule, templates, debiasing.

FigureConvention    every choice behind a figure, so that the paper's and fairvec's can be compared
MetricVariant       a metric with its `measure` replaced: repeated words kept, words partly debiased
DebiasedModels      a model under every debiasing of a paper's tables, each fitted once
Memo                values that are computed once, by key
"""

from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import product
from typing import Generic, TypeVar, get_args

import numpy as np
from numpy.typing import NDArray

from fairvec.core.errors import GeometryError, LexiconError, UndefinedError
from fairvec.embedding import Embedding
from fairvec.encoders import Representation, SentenceEncoder, WordAverage
from fairvec.experiments.audit.test_words import restrict_to_tests
from fairvec.geometry import SIMILARITIES, FloatArray, Geometry, Similarity
from fairvec.lexicon import Group, Groups, concept, select_tests
from fairvec.metrics import EFFECT_SIZES, EffectSize, Metric, Score, Traits, TwoSamples
from fairvec.metrics.bias.seat import Seat
from fairvec.metrics.bias.weat import leanings, rounding
from fairvec.mitigation import debiaser
from fairvec.mitigation.transform import Transform
from fairvec.papers.schema import (
    DebiasedWords,
    Debiasing,
    FitKind,
    PaperConvention,
    Repeats,
    TestMeasure,
    UnavailableError,
)
from fairvec.results.identities import Convention
from fairvec.stats import Sides, Ties

_FIT_LABELS = {
    "default": "debiased by the default settings",
    "as-published": "debiased by the published settings",
}
_MOVED_LABELS = {
    "all": "the whole embedding debiased",
    "targets": "only X and Y debiased",
    "slots": "only the words put into sentences debiased",
}


@dataclass(frozen=True)
class FigureConvention:
    """The choices behind a figure; without a similarity the geometry's own one is used."""

    similarity: str | None = None
    effect_size: str = "caliskan"
    repeats: Repeats = "once"
    sides: Sides = "two"
    ties: Ties = ">="
    permute: str = "words"
    target_templates: str = "shared"
    attribute_templates: str = "shared"
    fit: FitKind = "default"
    moved: DebiasedWords = "all"

    def differences_from(self, other: "FigureConvention") -> str:
        """Name the choices that differ from those of another convention: `cosine, population`."""
        labels = {
            "similarity": self.similarity,
            "effect_size": self.effect_size,
            "repeats": f"repeated words {'kept' if self.repeats == 'kept' else 'counted once'}",
            "sides": f"sides {self.sides}",
            "ties": f"ties {self.ties}",
            "permute": f"{self.permute} permuted",
            "target_templates": f"target templates: {self.target_templates}",
            "attribute_templates": f"attribute templates: {self.attribute_templates}",
            "fit": _FIT_LABELS[self.fit],
            "moved": _MOVED_LABELS[self.moved],
        }
        changed = [name for name in labels if getattr(self, name) != getattr(other, name)]
        return ", ".join(labels[name] or "" for name in changed)


DEFAULT = FigureConvention()
"""fairvec's own convention."""


def default_convention(measure: TestMeasure) -> FigureConvention:
    """Return fairvec's convention for a cell: a similarity that the paper names is its subject."""
    return replace(DEFAULT, similarity=measure.similarity)


def published_fit(debiasing: Debiasing | None) -> FitKind:
    """Return by which settings the paper debiased."""
    return "as-published" if debiasing and debiasing.as_published else "default"


def paper_convention(paper: PaperConvention, measure: TestMeasure) -> FigureConvention:
    """Return the convention of a cell: its own settings before those of the paper."""
    debiasing = measure.debias
    return FigureConvention(
        similarity=measure.similarity,
        effect_size=paper.effect_size,
        repeats=paper.repeats,
        sides=paper.sides,
        ties=paper.ties,
        permute=measure.permute or paper.permute,
        target_templates="own",
        attribute_templates=measure.attribute_templates or paper.attribute_templates,
        fit=published_fit(debiasing),
        moved=measure.moved if debiasing else "all",
    )


def alternative_conventions(
    papers: FigureConvention, quantity: str, measure: TestMeasure, *, has_repeats: bool
) -> Iterator[FigureConvention]:
    """Yield the conventions that could give another d, or another p, than the paper's.

    Other debiasing settings come first, then those with the paper's own similarity: the closest
    explanation is the best.
    """
    if measure.debias:
        fit_options, moved_options = (
            (papers.fit, *get_args(FitKind)),
            (papers.moved, *get_args(DebiasedWords)),
        )
        for fit, moved in product(dict.fromkeys(fit_options), dict.fromkeys(moved_options)):
            if moved != "slots" or measure.metric == "seat":
                yield from _with_effect_sizes(replace(papers, fit=fit, moved=moved), quantity)
    in_sentences = measure.metric == "seat"
    similarities = [papers.similarity, *(similarity.name for similarity in SIMILARITIES)]
    templates = ("own", "targets") if in_sentences else (papers.attribute_templates,)
    permuted = ("sentences", "words") if in_sentences else (papers.permute,)
    repeated = get_args(Repeats) if has_repeats else (papers.repeats,)
    for similarity, attributes, repeats in product(
        dict.fromkeys(similarities), templates, repeated
    ):
        similar = replace(
            papers, similarity=similarity, attribute_templates=attributes, repeats=repeats
        )
        if quantity == "d":
            yield from _with_effect_sizes(similar, quantity)
        if quantity == "p":
            for permute, ties, sides in product(permuted, get_args(Ties), get_args(Sides)):
                yield replace(similar, permute=permute, sides=sides, ties=ties)


def _with_effect_sizes(convention: FigureConvention, quantity: str) -> Iterator[FigureConvention]:
    """Yield the convention; for d, which alone depends on it, with every effect size."""
    alternatives = [size.name for size in EFFECT_SIZES] if quantity == "d" else []
    for size in dict.fromkeys((convention.effect_size, *alternatives)):
        yield replace(convention, effect_size=size)


@dataclass(frozen=True)
class MetricVariant:
    """A metric that delegates to another in all but `measure`; `remark` says what differs."""

    metric: Metric

    @property
    def name(self) -> str:
        """The metric's own name."""
        return self.metric.name

    @property
    def needs(self) -> tuple[str, ...]:
        """The roles that the metric needs."""
        return self.metric.needs

    @property
    def neutral(self) -> float | None:
        """The metric's own."""
        return self.metric.neutral

    @property
    def meaning(self) -> str:
        """The metric's own."""
        return self.metric.meaning

    @property
    def similarity(self) -> Similarity | None:
        """The metric's own."""
        return self.metric.similarity

    @property
    def convention(self) -> Convention | None:
        """The metric's own, and what is done another way."""
        own = self.metric.convention
        if own is None or not self.remark:
            return own
        return own.model_copy(update={"denominator": f"{own.denominator}; {self.remark}"})

    @property
    def traits(self) -> Traits:
        """The metric's own."""
        return self.metric.traits

    @property
    def remark(self) -> str:
        """What is done another way, for the convention; empty if there is nothing to say."""
        return ""

    def measure(self, groups: Groups, geometry: Geometry) -> Score:
        """Return the metric's own score."""
        return self.metric.measure(groups, geometry)


@dataclass(frozen=True)
class UndefinedMetric(MetricVariant):
    """A metric that is undefined for a model, whatever the words; `reason` says why."""

    reason: str

    def measure(self, groups: Groups, geometry: Geometry) -> Score:
        """Raise the reason, so that a run writes it down."""
        raise UndefinedError(self.reason)


@dataclass(frozen=True)
class WithRepeats(MetricVariant):
    """WEAT or SEAT that counts a repeated word each time, as Malik et al. (2022) did.

    A word is in every mean, and in every split, as often as its list has it.
    In WEAT the spread is taken over the set of X and Y, so that a repeated word is in it once; in
    SEAT it is taken over all sentences, those of a repeated word each time:

    d = (mean_x s(x, A, B) - mean_y s(y, A, B)) / spread of s over the distinct words of X and Y
    """

    effect_size: EffectSize

    @property
    def remark(self) -> str:
        """What becomes of repeats."""
        return "repeated words count each time" + (
            "" if self._in_sentences else ", but once in the spread"
        )

    def measure(self, groups: Groups, geometry: Geometry) -> Score:
        """Return the score over the lists with their repeats."""
        full = {role: _with_repeats(group) for role, group in groups.groups.items()}
        score = self.metric.measure(replace(groups, groups=full), geometry)
        if self._in_sentences or not isinstance(score.samples, TwoSamples):
            return score
        samples = score.samples
        numbers = {key: n for n, key in enumerate({*full["x"].keys, *full["y"].keys})}
        x, y = (
            np.column_stack([[numbers[key] for key in full[role].keys], rows])
            for role, rows in (("x", samples.x), ("y", samples.y))
        )
        value = float(self._effect(x, y))
        if np.isnan(value):
            raise UndefinedError("All target words lean exactly alike; use other lists.")
        numbered = TwoSamples(
            x,
            y,
            lambda rows: samples.leanings(rows[..., 1:]),
            self._effect,
            lambda rows, by: np.column_stack([rows[:, 0], samples.more(rows[:, 1:], by)]),
        )
        return replace(score, value=value, samples=numbered)

    @property
    def _in_sentences(self) -> bool:
        return self.name == "seat"

    def _effect(self, x: FloatArray, y: FloatArray) -> FloatArray:
        """Return d of batches of words: a word's number, then pairs of closeness to A and to B."""
        pooled = np.concatenate([x, y], axis=-2)
        once = np.where(_is_first(pooled[..., 0])[..., None], pooled, np.nan)
        spread = np.nanstd(
            self.effect_size.spread_over(_pairs(once)),
            axis=-1,
            ddof=self.effect_size.convention.ddof,
        )
        difference = _mean_leaning(x) - _mean_leaning(y)
        defined = spread > rounding(_pairs(pooled))
        effects: FloatArray = np.divide(
            difference, spread, out=np.full_like(difference, np.nan), where=defined
        )
        return effects


def _with_repeats(group: Group) -> Group:
    """Return a list with the entries that reached a key again as rows of their own."""
    rows = {key: row for row, key in enumerate(group.keys)}
    again = [rows[found.key] for found in group.merged]
    return replace(
        group,
        found=(*group.found, *group.merged),
        merged=(),
        vectors=np.concatenate([group.vectors, group.vectors[again]]),
    )


def _is_first(numbers: FloatArray) -> NDArray[np.bool_]:
    """Say of each word of a batch whether it has not occurred before."""
    same = numbers[..., :, None] == numbers[..., None, :]
    earlier = np.tril(np.ones(same.shape[-2:], dtype=bool), k=-1)
    first: NDArray[np.bool_] = ~(same & earlier).any(axis=-1)
    return first


def _pairs(rows: FloatArray) -> FloatArray:
    pairs: FloatArray = rows[..., 1:].reshape(*rows.shape[:-2], -1, 2)
    return pairs


def _mean_leaning(rows: FloatArray) -> FloatArray:
    mean: FloatArray = np.nanmean(leanings(_pairs(rows)), axis=-1)
    return mean


_PARTLY_MOVED_LABELS = {
    "targets": "only X and Y are debiased, not A and B",
    "slots": "only the words put into sentences are debiased, not what stands around them",
}


@dataclass(frozen=True)
class PartlyDebiased(MetricVariant):
    """WEAT or SEAT of a debiased embedding in which some words keep their original vectors.

    With "targets" A and B are as they were, with "slots" (and "targets") all that stands around a
    word in its sentences.
    """

    original: Embedding
    moved: DebiasedWords

    @property
    def remark(self) -> str:
        """Which words are debiased."""
        return _PARTLY_MOVED_LABELS[self.moved]

    def measure(self, groups: Groups, geometry: Geometry) -> Score:
        """Return the score over the debiased words and the others."""
        lists = dict(groups.groups)
        if self.moved == "targets":
            lists |= {role: self._original_group(lists[role]) for role in ("a", "b")}
        return self._with_encoder(self.metric).measure(replace(groups, groups=lists), geometry)

    def _with_encoder(self, metric: Metric) -> Metric:
        """Return the metric, SEAT with the sentences read as here."""
        if isinstance(metric, MetricVariant):
            return replace(metric, metric=self._with_encoder(metric.metric))
        return replace(metric, encoder=self._encoder_for) if isinstance(metric, Seat) else metric

    def _encoder_for(self, groups: Groups, role: str) -> SentenceEncoder:
        """Return what reads a list: the words of now or then, among the words of then."""
        is_original = self.moved == "targets" and role in ("a", "b")
        words = self.original if is_original else groups.vocabulary
        return WordAverage(self.original, groups.test.language, from_=words)

    def _original_group(self, group: Group) -> Group:
        rows = [self.original.rows(found.keys).mean(axis=0) for found in group.found]
        return replace(group, vectors=np.array(rows))


@dataclass(frozen=True, eq=False)
class DebiasedColumn:
    """A model after one debiasing; `refusal` says why it could not be debiased."""

    original: Representation
    embedding: Representation
    refusal: str = ""

    @property
    def vectors(self) -> Embedding:
        """The word vectors, for what needs a vocabulary."""
        if self.refusal:
            raise UnavailableError(self.refusal)
        if isinstance(self.embedding, Embedding):
            return self.embedding
        raise UnavailableError(f"{self.embedding.name} is an encoder and has no vocabulary.")

    def configure(self, metric: Metric, moved: DebiasedWords) -> Metric:
        """Return the metric as it applies to this model."""
        chosen = metric
        if moved != "all" and isinstance(self.original, Embedding):
            chosen = PartlyDebiased(metric, self.original, moved)
        return UndefinedMetric(chosen, self.refusal) if self.refusal else chosen


Key = TypeVar("Key")
Value = TypeVar("Value")


class Memo(Generic[Key, Value]):
    """Values by key, each computed once; what is unavailable stays so, for the same reason."""

    def __init__(self) -> None:
        self._found: dict[Key, Value] = {}
        self._reasons: dict[Key, str] = {}

    def get(self, key: Key, compute: Callable[[], Value]) -> Value:
        """Return the value of a key; raise UnavailableError where it could not be computed."""
        if key in self._reasons:
            raise UnavailableError(self._reasons[key])
        if key not in self._found:
            try:
                self._found[key] = compute()
            except UnavailableError as error:
                self._reasons[key] = str(error)
                raise
        return self._found[key]

    def keep(self, key: Key, value: Value) -> None:
        """Keep a value that was computed with others."""
        self._found[key] = value

    @property
    def values(self) -> Collection[Value]:
        """All values so far, in the order in which they were computed."""
        return self._found.values()


class DebiasedModels:
    """A model under every debiasing of a paper; each is fitted once, on the full model.

    For tests only their words are transformed; look-ups find the same keys as in the full model,
    because words keep their order. Benchmarks need the full model.
    """

    def __init__(self, model: Representation, tests: Iterable[str]) -> None:
        self._model = model
        self._tests = tuple(dict.fromkeys(tests))
        self._columns: Memo[tuple[Debiasing | None, FitKind, bool], DebiasedColumn] = Memo()
        self._transforms: Memo[tuple[Debiasing, FitKind], Transform] = Memo()

    @property
    def geometry(self) -> Geometry:
        """The space of the model."""
        return self._model.geometry

    @property
    def _original(self) -> Embedding:
        """The word vectors that are debiased; no paper debiases an encoder."""
        if isinstance(self._model, Embedding):
            return self._model
        raise UndefinedError(f"{self._model.name} is an encoder, and no paper debiases one.")

    def for_tests(self, debiasing: Debiasing | None, fit: FitKind) -> DebiasedColumn:
        """Return the debiased words of the tests; without a debiasing, the model as it is."""
        return self._columns.get(
            (debiasing, fit, False),
            lambda: self._build(debiasing, fit, self._test_words if debiasing else self._model),
        )

    def full_model(self, debiasing: Debiasing | None, fit: FitKind) -> DebiasedColumn:
        """Return the debiased model with all of its words."""
        return self._columns.get(
            (debiasing, fit, True), lambda: self._build(debiasing, fit, self._model)
        )

    def describe_moved(self, debiasing: Debiasing, fit: FitKind) -> str:
        """Return how many words of the model a debiasing moves, and how the others were found."""
        try:
            fitted = self._fit(debiasing, fit)
        except UnavailableError:
            return "none"
        learnt = "; ".join(fitted.remarks.get("specific_words", ()))
        return f"{self._count_moved(fitted):,}{f' ({learnt})' if learnt else ''}"

    def count_moved(self, debiasing: Debiasing, fit: FitKind) -> int:
        """Count the words of the model that a debiasing moves."""
        return self._count_moved(self._fit(debiasing, fit))

    def _count_moved(self, fitted: Transform) -> int:
        stays = map(self._original.positions.__contains__, fitted.unmoved)
        return len(self._original) - sum(stays)

    def _build(
        self, debiasing: Debiasing | None, fit: FitKind, words: Representation
    ) -> DebiasedColumn:
        if debiasing is None or not isinstance(words, Embedding):
            return DebiasedColumn(self._model, words)
        try:
            fitted = self._fit(debiasing, fit)
        except UnavailableError as error:
            return DebiasedColumn(self._original, words, refusal=str(error))
        return DebiasedColumn(self._original, fitted.transform(words))

    def _fit(self, debiasing: Debiasing, fit: FitKind) -> Transform:
        def fit_method() -> Transform:
            try:
                method = debiaser(debiasing.method, **debiasing.settings_of(fit))
                return method.fit(self._original, concept(debiasing.concept))
            except (GeometryError, LexiconError, UndefinedError) as error:
                raise UnavailableError(str(error)) from None

        return self._transforms.get((debiasing, fit), fit_method)

    @cached_property
    def _test_words(self) -> Embedding:
        return restrict_to_tests(self._original, select_tests(self._tests))
