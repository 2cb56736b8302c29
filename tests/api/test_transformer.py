"""A method as a transformer: scikit-learn's own checks, and that it is the method and no other."""

import pickle
from typing import Any

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.utils.estimator_checks import check_estimator
from sklearn.utils.validation import _num_samples

import fairvec
from fairvec import DebiasingTransformer
from fairvec.core.errors import FairvecError, SettingError
from fairvec.geometry import Poincare
from fairvec.lexicon import parse_concepts
from fairvec.mitigation import debiaser
from fairvec.mitigation.methods.hard import HardDebiasing
from fairvec.mitigation.methods.projection import LinearProjection
from fairvec.mitigation.transform import pull_inside
from tests.mitigation.toys import concept, embedding

ANY = """
version = "1"
language = "en"
[concepts.first]
title = "The first two rows"
source = "Toy (2026)"
licence = "None needed."
default = "pairs"
[concepts.first.variants.pairs]
pairs = [["w0", "w1"]]
"""


class OnAnything(DebiasingTransformer):
    """Names the rows of any matrix, as scikit-learn's checks cannot."""

    def fit(self, X: Any, y: Any = None, *, words: Any = None) -> Any:  # noqa: N803
        if words is None:
            words = [f"w{row}" for row in range(_num_samples(X))]
        return super().fit(X, y, words=words)


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.SkipTestWarning")
def test_scikit_learn_finds_only_impossible_checks() -> None:
    (first,) = parse_concepts(ANY)
    found = check_estimator(OnAnything(first), on_fail=None)
    failed = {one["check_name"]: one["exception"] for one in found if one["status"] == "failed"}
    # A direction needs two words, and on a line unit vectors have none but their sign.
    assert failed.keys() <= {"check_fit2d_1sample", "check_fit2d_1feature"}
    assert all(isinstance(error, FairvecError) for error in failed.values())
    assert sum(one["status"] == "passed" for one in found) > 30


@pytest.mark.parametrize("name", ["linear-projection", "hard", "leace", "inlp", "conceptor"])
def test_it_is_the_method(name: str) -> None:
    model = embedding()
    settings = {"each": 50} if name in ("leace", "inlp") else {}
    known = debiaser(name, **settings).fit(model, concept())
    by_name = DebiasingTransformer(concept(), name, settings=settings)
    by_name.fit(model.vectors, words=model.keys)
    np.testing.assert_array_equal(
        by_name.transform(model.vectors, words=model.keys), known.transform(model).vectors
    )
    unknown_words = [f"unheard of {row}" for row in range(len(model))]
    np.testing.assert_array_equal(
        by_name.transform(model.vectors), known.apply(model.vectors, unknown_words)
    )


def test_words_that_mean_the_concept_stay_where_rows_are_named() -> None:
    model = embedding()
    fitted = DebiasingTransformer(concept(), HardDebiasing(lengths="free"))
    fitted.fit(model.vectors, words=model.keys)
    row = model.positions["beard"]
    named = fitted.transform(model.vectors, words=model.keys)
    np.testing.assert_array_equal(named[row], model.vectors[row])
    assert not np.allclose(fitted.transform(model.vectors)[row], model.vectors[row])


def test_documents_learn_the_concept_from_an_embedding() -> None:
    model = embedding()
    rng = np.random.default_rng(0)
    documents = np.array([model.vectors[rng.integers(0, len(model), 5)].mean(axis=0)] * 60)
    documents += rng.normal(size=documents.shape) * 0.2
    labels = documents[:, 0] > np.median(documents[:, 0])
    pipeline = make_pipeline(DebiasingTransformer(concept(), embedding=model), LogisticRegression())
    search = GridSearchCV(pipeline, {"debiasingtransformer__strength": [0.0, 1.0]}, cv=3)
    search.fit(documents, labels)
    # The labels are the concept's direction: what takes it out costs them.
    scores = dict(zip((0.0, 1.0), search.cv_results_["mean_test_score"], strict=True))
    assert scores[0.0] > 0.8 > scores[1.0]
    known = LinearProjection().fit(model, concept())
    step = pipeline.fit(documents, labels)[0]
    np.testing.assert_array_equal(
        step.transform(documents), known.apply(documents, [""] * len(documents))
    )


def test_the_words_to_learn_from_may_be_any_model() -> None:
    model = embedding()
    rows = np.asarray(model.vectors[:5])
    known = DebiasingTransformer(concept(), embedding=model).fit(rows).transform(rows)
    with_embedding = DebiasingTransformer(concept(), embedding=(list(model), model.vectors))
    again = pickle.loads(pickle.dumps(clone(with_embedding).fit(rows)))
    np.testing.assert_array_equal(again.transform(rows), known)
    with pytest.raises(FairvecError, match="no file or model named 'nowhere'"):
        DebiasingTransformer(concept(), embedding="nowhere").fit(rows)


def test_parameters_are_stored_set_and_cloned() -> None:
    model = embedding()
    one = DebiasingTransformer(concept(), "hard", strength=0.5, embedding=model)
    assert one.get_params()["strength"] == 0.5
    twin = clone(one.fit(model.vectors))
    assert not hasattr(twin, "transform_")
    assert twin.embedding is model
    assert twin.set_params(strength=1.0, method="linear-projection").strength == 1.0
    assert one.strength == 0.5
    again = pickle.loads(pickle.dumps(one))
    np.testing.assert_array_equal(again.transform(model.vectors), one.transform(model.vectors))


def test_single_floats_stay_single_and_points_stay_in_the_ball() -> None:
    model = embedding(Poincare(), dtype="float32")
    near = np.asarray(model.vectors / np.linalg.norm(model.vectors, axis=1, keepdims=True))
    pull_inside(near, Poincare())  # as near to the border as single floats can be
    ball = DebiasingTransformer(concept(), geometry="poincare", settings={"lengths": "kept"})
    moved = ball.fit(model.vectors, words=model.keys).transform(near)
    assert moved.dtype == np.float32
    assert Poincare().contains(moved.astype(np.float64)).all()


@pytest.mark.parametrize(
    ("make", "words", "message"),
    [
        ({}, None, "have no words to learn the concept from"),
        ({}, ["he", "she"], "must be a list of 177 words"),
        ({}, "he", "must be a list of 177 words"),
        ({"embedding": embedding(columns=4)}, None, "X has 10 columns and toy"),
        ({"embedding": embedding()}, list(embedding().keys), "leave out words"),
        ({"method": "hrad"}, list(embedding().keys), "did you mean hard"),
        ({"method": HardDebiasing(), "settings": {"k": 2}}, list(embedding().keys), "by its name"),
        ({"strength": 2.0}, list(embedding().keys), "strength is 2.0"),
        ({"geometry": "flat"}, list(embedding().keys), "no geometry named 'flat'"),
    ],
    ids=["no words", "few", "a word", "columns", "both", "method", "settings", "strength", "space"],
)
def test_impossible_settings_are_refused(make: dict[str, Any], words: Any, message: str) -> None:
    model = embedding()
    with pytest.raises(FairvecError, match=message):
        DebiasingTransformer(concept(), **make).fit(model.vectors, words=words)


def test_it_is_a_public_name() -> None:
    assert fairvec.DebiasingTransformer is DebiasingTransformer
    with pytest.raises(SettingError):
        fairvec.DebiasingTransformer("en/gender").fit(np.ones((3, 2)))


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"method": 3}, "method= is 3, which is no method; give a name"),
        ({"method": None}, "method= is None, which is no method; give a name"),
        ({"settings": 3}, "settings is 3; it must be "),
        ({"geometry": "flat"}, "named 'flat'"),
        ({"geometry": "poincare"}, "are said to live in .*; leave out geometry= and curvature="),
        ({"curvature": 0.5}, "The curvature 0.5 does not belong to the geometry euclidean"),
    ],
    ids=["number", "none", "settings", "unknown space", "other space", "curvature"],
)
def test_a_slip_in_a_setting_is_one_sentence(settings: dict[str, Any], message: str) -> None:
    model = embedding()
    arguments: dict[str, Any] = {"concept": concept(), "embedding": model} | settings
    slipped = DebiasingTransformer(**arguments)
    with pytest.raises(FairvecError, match=message):
        slipped.fit(model.vectors)


@pytest.mark.parametrize(
    "kind", [set, frozenset, len, "".join], ids=["set", "frozenset", "number", "text"]
)
def test_words_without_the_order_of_the_rows_are_refused(kind: Any) -> None:
    model = embedding()
    with pytest.raises(FairvecError, match="words= must be a list of"):
        DebiasingTransformer(concept()).fit(model.vectors, words=kind(model.keys))


def test_words_may_come_of_a_generator() -> None:
    model = embedding()
    one = DebiasingTransformer(concept())
    listed = one.fit(model.vectors, words=[*model.keys]).transform(model.vectors)
    other = one.fit(model.vectors, words=iter(model.keys)).transform(model.vectors)
    assert np.array_equal(listed, other)
