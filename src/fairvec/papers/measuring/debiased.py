"""The debiased columns of a paper: a model's words after debiasing, all of them or some."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from fairvec.embedding import Embedding
from fairvec.encoders import Encodes, MeanOfWords, Representation
from fairvec.evaluation.choosing.measured_words import words_of
from fairvec.geometry import Geometry
from fairvec.ground.errors import GeometryError, LexiconError, UndefinedError
from fairvec.lexicon import Group, Groups, concept, select
from fairvec.metrics import Metric, Score
from fairvec.metrics.bias import Seat
from fairvec.mitigation import debiaser
from fairvec.mitigation.transform.fitted import Transform
from fairvec.papers.measuring.debiasing import Debiasing, FitKind, Moved
from fairvec.papers.measuring.wrapped import Refused, Wrapped

_SAID = {
    "targets": "only X and Y are debiased, not A and B",
    "slots": "only the words put into sentences are debiased, not what stands around them",
}


@dataclass(frozen=True)
class PartlyMoved(Wrapped):
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
        if isinstance(metric, Wrapped):
            return replace(metric, metric=self._read(metric.metric))
        return replace(metric, encoder=self._reading) if isinstance(metric, Seat) else metric

    def _reading(self, groups: Groups, role: str) -> Encodes:
        """Return what reads a list: the words of now or then, among the words of then."""
        then = self.moved == "targets" and role in ("a", "b")
        words = self.original if then else groups.vocabulary
        return MeanOfWords(self.original, groups.test.language, from_=words)

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
            chosen = PartlyMoved(metric, self.original, moved)
        return Refused(chosen, self.refusal) if self.refusal else chosen


class Columns:
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
        return words_of(self._original, select(self._tests))
