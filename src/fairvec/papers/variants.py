"""Every choice that moves a figure: conventions, variants of metrics, debiased columns."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import product
from typing import get_args

import numpy as np
from numpy.typing import NDArray

from fairvec.core.errors import GeometryError, LexiconError, UndefinedError
from fairvec.embedding import Embedding
from fairvec.encoders import Representation, SentenceEncoder, WordAverage
from fairvec.experiments.audit.test_words import restrict_to_tests
from fairvec.geometry import SIMILARITIES, FloatArray, Geometry, Similarity
from fairvec.lexicon import Group, Groups, concept, select_tests
from fairvec.metrics import EFFECT_SIZES, EffectSize, Metric, Score, Traits, TwoSamples
from fairvec.metrics.bias import Seat
from fairvec.metrics.bias.weat import leanings, rounding
from fairvec.mitigation import debiaser
from fairvec.mitigation.transform import Transform
from fairvec.papers.schema import Debiasing, FitKind, Moved, PaperConvention, Repeats, Settings
from fairvec.results import Convention
from fairvec.stats import Sides, Ties

_FIT = {
    "default": "debiased by the default settings",
    "as-published": "debiased by the published settings",
}
_MOVED = {
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
    moved: Moved = "all"

    def beside(self, other: "FigureConvention") -> str:
        """Name what differs from other choices, as in `cosine, population`."""
        said = {
            "similarity": self.similarity,
            "effect_size": self.effect_size,
            "repeats": f"repeated words {'kept' if self.repeats == 'kept' else 'counted once'}",
            "sides": f"sides {self.sides}",
            "ties": f"ties {self.ties}",
            "permute": f"{self.permute} permuted",
            "target_templates": f"target templates: {self.target_templates}",
            "attribute_templates": f"attribute templates: {self.attribute_templates}",
            "fit": _FIT[self.fit],
            "moved": _MOVED[self.moved],
        }
        changed = [name for name in said if getattr(self, name) != getattr(other, name)]
        return ", ".join(said[name] or "" for name in changed)


DEFAULT = FigureConvention()
"""fairvec's own."""


def paper_convention(paper: PaperConvention, settings: Settings) -> FigureConvention:
    """Return the choices behind a cell: the nearest that is said, else the paper's."""
    how = settings.debias
    return FigureConvention(
        similarity=settings.similarity,
        effect_size=paper.effect_size,
        repeats=paper.repeats,
        sides=paper.sides,
        ties=paper.ties,
        permute=settings.permute or paper.permute,
        target_templates="own",
        attribute_templates=settings.attribute_templates or paper.attribute_templates,
        fit="as-published" if how and how.as_published else "default",
        moved=(settings.moved or "all") if how else "all",
    )


def alternative_conventions(
    papers: FigureConvention, quantity: str, settings: Settings, *, has_repeats: bool
) -> Iterator[FigureConvention]:
    """Yield the named choices that could give another d, or another p, than the paper's.

    Other ways of debiasing come first, then those with the paper's own similarity: the nearest
    explanation is the best.
    """
    if settings.debias:
        fits, which = ((papers.fit, *get_args(FitKind)), (papers.moved, *get_args(Moved)))
        for fit, moved in product(dict.fromkeys(fits), dict.fromkeys(which)):
            if moved != "slots" or settings.metric == "seat":
                yield from _sized(replace(papers, fit=fit, moved=moved), quantity)
    in_sentences = settings.metric == "seat"
    similarities = [papers.similarity, *(similarity.name for similarity in SIMILARITIES)]
    templates = ("own", "targets") if in_sentences else (papers.attribute_templates,)
    permuted = ("sentences", "words") if in_sentences else (papers.permute,)
    repeated = get_args(Repeats) if has_repeats else (papers.repeats,)
    for similarity, attributes, repeats in product(
        dict.fromkeys(similarities), templates, repeated
    ):
        alike = replace(
            papers, similarity=similarity, attribute_templates=attributes, repeats=repeats
        )
        if quantity == "d":
            yield from _sized(alike, quantity)
        if quantity == "p":
            for permute, ties, sides in product(permuted, get_args(Ties), get_args(Sides)):
                yield replace(alike, permute=permute, sides=sides, ties=ties)


def _sized(choices: FigureConvention, quantity: str) -> Iterator[FigureConvention]:
    """Yield the choices; for d, which alone it moves, with every effect size."""
    others = [size.name for size in EFFECT_SIZES] if quantity == "d" else []
    for size in dict.fromkeys((choices.effect_size, *others)):
        yield replace(choices, effect_size=size)


# A metric measured another way, which is otherwise what it was.


@dataclass(frozen=True)
class MetricVariant:
    """A metric around another: all is that one's own but `measure`, and `remark` says how."""

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
    """A metric that cannot be taken, whatever the words: `reason` says why."""

    reason: str

    def measure(self, groups: Groups, geometry: Geometry) -> Score:
        """Raise the reason, so that a run writes it down."""
        raise UndefinedError(self.reason)


# Lists that repeat a word, measured as Malik et al. (2022) did: every repeat counts.


@dataclass(frozen=True)
class WithRepeats(MetricVariant):
    """WEAT or SEAT with a word as often in every mean, and in every split, as its list has it.

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


# The debiased columns of a paper: a model's words after debiasing, all of them or some.


_SAID = {
    "targets": "only X and Y are debiased, not A and B",
    "slots": "only the words put into sentences are debiased, not what stands around them",
}


@dataclass(frozen=True)
class PartlyDebiased(MetricVariant):
    """WEAT or SEAT of a debiased embedding in which some words are where they were.

    With "targets" A and B are as they were, with "slots" (and "targets") all that stands around a
    word in its sentences.
    """

    original: Embedding
    moved: Moved

    @property
    def remark(self) -> str:
        """Which words are debiased."""
        return _SAID[self.moved]

    def measure(self, groups: Groups, geometry: Geometry) -> Score:
        """Return the score over the debiased words and the others."""
        lists = dict(groups.groups)
        if self.moved == "targets":
            lists |= {role: self._as_it_was(lists[role]) for role in ("a", "b")}
        return self._read(self.metric).measure(replace(groups, groups=lists), geometry)

    def _read(self, metric: Metric) -> Metric:
        """Return the metric, SEAT with the sentences read as here."""
        if isinstance(metric, MetricVariant):
            return replace(metric, metric=self._read(metric.metric))
        return replace(metric, encoder=self._reading) if isinstance(metric, Seat) else metric

    def _reading(self, groups: Groups, role: str) -> SentenceEncoder:
        """Return what reads a list: the words of now or then, among the words of then."""
        then = self.moved == "targets" and role in ("a", "b")
        words = self.original if then else groups.vocabulary
        return WordAverage(self.original, groups.test.language, from_=words)

    def _as_it_was(self, group: Group) -> Group:
        rows = [self.original.rows(found.keys).mean(axis=0) for found in group.found]
        return replace(group, vectors=np.array(rows))


@dataclass(frozen=True, eq=False)
class Column:
    """The words of a model as a column has them; `refusal` says why they could not be debiased."""

    original: Representation
    embedding: Representation
    refusal: str = ""

    @property
    def vectors(self) -> Embedding:
        """The word vectors of the column, for what asks a vocabulary."""
        if isinstance(self.embedding, Embedding):
            return self.embedding
        raise UndefinedError(f"{self.embedding.name} is an encoder and has no vocabulary.")

    def measured_by(self, metric: Metric, moved: Moved) -> Metric:
        """Return the metric as it is to be taken of this column."""
        chosen = metric
        if moved != "all" and isinstance(self.original, Embedding):
            chosen = PartlyDebiased(metric, self.original, moved)
        return UndefinedMetric(chosen, self.refusal) if self.refusal else chosen


class DebiasedModels:
    """A model's columns: every debiasing is fitted once, on the whole model.

    For tests only their words are moved. All that is looked up is found among them as it would be
    in the whole model, because they keep their order. Benchmarks are asked of the whole.
    """

    def __init__(self, model: Representation, tests: Iterable[str]) -> None:
        self._model = model
        self._tests = tuple(dict.fromkeys(tests))
        self._known: dict[tuple[Debiasing | None, FitKind], Column] = {}
        self._whole: dict[tuple[Debiasing | None, FitKind], Column] = {}
        self._fitted: dict[tuple[Debiasing, FitKind], Transform | str] = {}

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

    def of(self, how: Debiasing | None, fit: FitKind) -> Column:
        """Return the column that is debiased so; without a debiasing, the model as it is."""
        if (how, fit) not in self._known:
            self._known[how, fit] = self._made(how, fit, self._words if how else self._model)
        return self._known[how, fit]

    def whole(self, how: Debiasing | None, fit: FitKind) -> Column:
        """Return the same with all words of the model."""
        if (how, fit) not in self._whole:
            self._whole[how, fit] = self._made(how, fit, self._model)
        return self._whole[how, fit]

    def moved(self, how: Debiasing, fit: FitKind) -> str:
        """Say how many words of the model a debiasing moves, and how the others were found."""
        fitted = self._fit(how, fit)
        if isinstance(fitted, str):
            return "none"
        learnt = "; ".join(fitted.remarks.get("specific_words", ()))
        return f"{self._number_moved(fitted):,}{f' ({learnt})' if learnt else ''}"

    def number_moved(self, how: Debiasing, fit: FitKind) -> int | None:
        """Count the words of the model that a debiasing moves; None if it cannot be fitted."""
        fitted = self._fit(how, fit)
        return None if isinstance(fitted, str) else self._number_moved(fitted)

    def _number_moved(self, fitted: Transform) -> int:
        stays = map(self._original.positions.__contains__, fitted.unmoved)
        return len(self._original) - sum(stays)

    def _made(self, how: Debiasing | None, fit: FitKind, words: Representation) -> Column:
        if how is None or not isinstance(words, Embedding):
            return Column(self._model, words)
        fitted = self._fit(how, fit)
        if isinstance(fitted, str):
            return Column(self._original, words, refusal=fitted)
        return Column(self._original, fitted.transform(words))

    def _fit(self, how: Debiasing, fit: FitKind) -> Transform | str:
        if (how, fit) not in self._fitted:
            try:
                method = debiaser(how.method, **how.settings_of(fit))
                self._fitted[how, fit] = method.fit(self._original, concept(how.concept))
            except (GeometryError, LexiconError, UndefinedError) as error:
                self._fitted[how, fit] = str(error)
        return self._fitted[how, fit]

    @cached_property
    def _words(self) -> Embedding:
        return restrict_to_tests(self._original, select_tests(self._tests))
