"""A debiasing method as a transformer of scikit-learn, for rows of a matrix in a Pipeline."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any, Self

import numpy as np
from sklearn.base import BaseEstimator, OneToOneFeatureMixin, TransformerMixin
from sklearn.utils.validation import check_is_fitted

from fairvec.api.measure import refuse_no_method
from fairvec.api.models import as_embedding
from fairvec.core.errors import SettingError
from fairvec.core.settings import check_value
from fairvec.embedding import Embedding
from fairvec.embedding.detect_geometry import choose_geometry
from fairvec.lexicon import Concept
from fairvec.lexicon import concept as concept_named
from fairvec.mitigation import Debiaser, Transform, debiaser, fit_checked
from fairvec.mitigation.registry import DEFAULT_FOR_SENTENCES
from fairvec.mitigation.transform import pull_inside

try:
    from sklearn.utils.validation import validate_data
except ImportError:  # before scikit-learn 1.6 an estimator had it itself

    def validate_data(estimator: Any, x: Any, **how: Any) -> Any:
        """Check a matrix as newer versions do."""
        return estimator._validate_data(x, **how)


class DebiasingTransformer(OneToOneFeatureMixin, TransformerMixin, BaseEstimator):  # type: ignore[misc]
    """Take a concept out of rows of numbers: `fit` learns it from words, `transform` moves any row.

    What is learnt from are the vectors of words. Either the rows of X are words, and fit(X,
    words=...) names them; or an `embedding` holds the words and the rows of X are anything in its
    space, as documents that are means of word vectors are: then folds of a cross-validation need
    no words, and learn nothing from X.

    transform(X) moves every row as a word is moved that the method does not treat by name.
    transform(X, words=...) names the rows, so that words which mean the concept stay and those
    that the method equalises go to their places. fit_transform(X) is fit(X).transform(X).

    Args:
        concept: A concept or its name, as in "en/gender".
        method: A method or its name, as in "linear-projection".
        strength: From 0 (nothing) to 1 (all); the method's own if None.
        settings: Other settings of a method that is given by its name.
        embedding: The words to learn from, if the rows of X are not words: an Embedding, or what
            `fairvec.as_model` makes one of, such as a name or (words, matrix).
        geometry: Where the rows of X live: euclidean, poincare, or poincare-x50 for a product.
        curvature: The c of the ball; 1 if None.

    Attributes:
        transform_: What fitting gave; it can be saved by fairvec.mitigation.save_transform.
        n_features_in_: The number of columns.
    """

    def __init__(
        self,
        concept: str | Concept = "en/gender",
        method: str | Debiaser = DEFAULT_FOR_SENTENCES,
        *,
        strength: float | None = None,
        settings: Mapping[str, Any] | None = None,
        embedding: Any = None,
        geometry: str = "euclidean",
        curvature: float | None = None,
    ) -> None:
        self.concept = concept
        self.method = method
        self.strength = strength
        self.settings = settings
        self.embedding = embedding
        self.geometry = geometry
        self.curvature = curvature

    def fit(self, X: Any, y: Any = None, *, words: Iterable[str] | None = None) -> Self:  # noqa: N803
        """Learn the concept from the rows of X, which `words` names, or from the embedding."""
        rows = self._rows(X, reset=True)
        self.transform_: Transform = fit_checked(
            self._method(), self._learnt_from(rows, words), _concept(self.concept)
        )
        return self

    def transform(self, X: Any, *, words: Iterable[str] | None = None) -> Any:  # noqa: N803
        """Return where the rows of X move to, in their own type of floats."""
        check_is_fitted(self)
        rows = self._rows(X, reset=False)
        # No word is an empty one, so that no row is treated by name.
        keys = [""] * len(rows) if words is None else _check_words(rows, words)
        moved = self.transform_.apply(rows, keys).astype(rows.dtype, copy=False)
        pull_inside(moved, self.transform_.geometry)
        return moved

    def _rows(self, matrix: Any, *, reset: bool) -> Any:
        return validate_data(self, matrix, reset=reset, dtype=[np.float64, np.float32])

    def _method(self) -> Debiaser:
        strength_setting = {} if self.strength is None else {"strength": self.strength}
        check_value("DebiasingTransformer", "settings", Mapping | None, self.settings)
        if isinstance(self.method, str):
            return debiaser(self.method, **{**(self.settings or {}), **strength_setting})
        refuse_no_method(self.method)
        if self.settings:
            raise SettingError(
                "settings= is for a method that is given by its name; set them on the object."
            )
        method: Debiaser = replace(self.method, **strength_setting)  # type: ignore[type-var]
        return method

    def _learnt_from(self, rows: Any, words: Iterable[str] | None) -> Embedding:
        if self.embedding is None:
            if words is None:
                raise SettingError(
                    "The rows of X have no words to learn the concept from; give fit(X, "
                    "words=[...]) one for each row, or embedding= with words of the same space."
                )
            space = choose_geometry(self.geometry, self.curvature)
            return Embedding(_check_words(rows, words), rows, space, "X")
        if words is not None:
            raise SettingError("The concept is learnt from embedding=; leave out words.")
        embedding = as_embedding(self.embedding)
        # Flat space is the default, so an explicit choice cannot be seen.
        if self.geometry != "euclidean" or self.curvature is not None:
            space = choose_geometry(self.geometry, self.curvature)
            if space != embedding.geometry:
                raise SettingError(
                    f"The rows are said to live in {space} and {embedding.name}, from which the "
                    f"concept is learnt, in {embedding.geometry}; leave out geometry= and "
                    "curvature=."
                )
        if embedding.dimensions != rows.shape[1]:
            raise SettingError(
                f"X has {rows.shape[1]} columns and {embedding.name}, from which the concept is "
                f"learnt, {embedding.dimensions}; give vectors of one space."
            )
        return embedding

    def __sklearn_clone__(self) -> Self:
        # Embeddings, concepts and methods never change: a clone need not copy them.
        return type(self)(**self.get_params(deep=False))


def _concept(concept: str | Concept) -> Concept:
    return concept if isinstance(concept, Concept) else concept_named(concept)


def _check_words(rows: Any, words: Any) -> list[str]:
    # A set has an order of its own, which is not that of the rows.
    ordered = isinstance(words, Iterable) and not isinstance(words, str | set | frozenset)
    named: list[Any] = [*words] if ordered else []
    if len(named) != len(rows) or not all(isinstance(word, str) for word in named):
        raise SettingError(f"words= must be a list of {len(rows)} words, one for each row of X.")
    return [str(word) for word in named]
