"""Maps of words in the explorer."""

import json
from typing import Any

import numpy as np
import pytest

from fairvec import load
from fairvec.core.format import format_number
from fairvec.embedding import Embedding
from fairvec.experiments.projections.axes import find_axis
from fairvec.geometry import Poincare
from fairvec.web.open_models import OpenModel, OpenModels
from fairvec.web.schemas import MOST_PLOTTED
from fairvec.web.security import Application
from tests.web.client import Reply, ask, explorer

HOSTILE = ["<script>alert(1)</script>", "a' OR 1=1", "\u202e\u0000", "../../etc/passwd", "प" * 200]


@pytest.fixture(scope="module")
def models() -> OpenModels:
    other = Embedding(["zqa", "zqb"], np.eye(2) + 0.1, name="other")
    ball = Embedding(["one", "two", "six"], np.eye(3, 2) / 2 + 0.1, Poincare(), "ball")
    alone = Embedding(["one"], np.ones((1, 3)), name="alone")
    every = [load("glove-en-small"), load("glove-hi-small"), other, ball, alone]
    return OpenModels([OpenModel(each.name, each.name, each) for each in every])


@pytest.fixture(scope="module")
def app(models: OpenModels) -> Application:
    return explorer(models)


def post(app: Application, path: str, **question: Any) -> Reply:
    return ask(app, f"/api/{path}", question=question)


def test_a_map_has_the_leanings_that_the_library_says(app: Application, models: OpenModels) -> None:
    axes = ["en/gender", "caliskan2017/weat-3:xy"]
    reply = post(
        app, "map", model="glove-en-small", axes=axes, shade=axes[0], first=50, words=["nurse"]
    )
    assert reply.status == 200
    found, model = reply.json, models["glove-en-small"].embedding
    assert found["words"] == [*model.keys[:50], "nurse"]
    for name, field in zip(axes, "xy", strict=True):
        expected = find_axis(name, model).leaning(model.rows(found["words"]))
        assert found[field] == pytest.approx(expected, abs=1e-12)
    assert found["leanings"] == found["x"]
    assert found["axes"][1]["towards"] == "European American names"
    assert "Caliskan" in found["axes"][1]["source"]
    assert found["reached"] == {"nurse": "nurse"}


def test_lists_of_ones_own_are_an_axis(app: Application) -> None:
    own = {"a": ["he", "qqqq"], "b": ["she"], "title": "mine"}
    reply = post(app, "map", model="glove-en-small", axes=[own, "en/gender"], first=10)
    axis = reply.json["axes"][0]
    assert (axis["title"], axis["missing"], axis["source"]) == ("mine", ["qqqq"], "typed here")


def test_scores_are_standardised_as_they_say(app: Application, models: OpenModels) -> None:
    reply = post(app, "concept-scores", model="glove-hi-small", axes=["hi/gender"], first=200)
    (axis,) = reply.json["axes"]
    model = models["glove-hi-small"].embedding
    raw = find_axis("hi/gender", model).leaning(model.rows(reply.json["words"]))
    assert axis["scores"] == pytest.approx((raw - raw.mean()) / raw.std(ddof=1), abs=1e-9)
    assert "ddof 1" in reply.json["means"]


def test_neighbours_are_those_of_the_library(app: Application, models: OpenModels) -> None:
    reply = post(app, "neighbours", model="glove-en-small", word="nurse", count=7)
    near = models["glove-en-small"].embedding.most_similar("nurse", 7)
    assert list(zip(reply.json["near"], reply.json["similarities"], strict=True)) == near
    assert reply.json["similarity"] == "cosine"
    assert post(app, "neighbours", model="alone", word="one").json["near"] == []
    unknown = post(app, "neighbours", model="glove-en-small", word="nursse")
    assert unknown.status == 404
    assert "nurse" in unknown.error


def test_near_words_in_the_ball_have_their_distance(app: Application, models: OpenModels) -> None:
    model = models["ball"].embedding
    found = post(app, "neighbours", model="ball", word=model.keys[0], count=2).json
    assert found["measure"] == "distance"
    points = [model.vectors[model.positions[word]] for word in found["near"]]
    distances = [float(model.geometry.distance(model.vectors[0], point)) for point in points]
    assert found["figures"] == [format_number(one, 3) for one in distances]
    assert found["similarities"] == pytest.approx([-one for one in distances])
    flat = post(app, "neighbours", model="glove-en-small", word="nurse", count=3).json
    assert flat["measure"] == "cosine"
    assert flat["figures"] == [format_number(one, 3) for one in flat["similarities"]]


def test_a_ball_of_two_dimensions_is_drawn_as_it_is(app: Application, models: OpenModels) -> None:
    found = post(app, "map", model="ball", layout="disc").json
    assert (
        np.column_stack([found["x"], found["y"]]).tolist()
        == np.asarray(models["ball"].embedding.vectors).tolist()
    )
    assert found["curvature"] == 1.0


@pytest.mark.parametrize(
    ("question", "status", "says"),
    [
        ({"model": "glove-en-small", "axes": ["en/none", "en/race"]}, 404, "en/none"),
        ({"model": "glove-en-small", "axes": ["x.toml", "en/race"]}, 404, "x.toml"),
        ({"model": "glove-en-small", "axes": ["en/gender"]}, 422, "two axes, not 1"),
        ({"model": "glove-en-small"}, 422, "two axes, not 0"),
        ({"model": "glove-en-small", "axes": ["en/gender"] * 3}, 422, "axes"),
        ({"model": "glove-en-small", "layout": "disc"}, 422, "not in a ball"),
        ({"model": "glove-en-small", "layout": "umap"}, 422, "layout"),
        ({"model": "glove-en-small", "first": MOST_PLOTTED + 1}, 422, "first"),
        ({"model": "glove-en-small", "words": ["a"] * 501}, 422, "words"),
        ({"model": "glove-en-small", "axes": [{"a": [], "b": ["he"]}] * 2}, 422, "empty"),
        ({"model": "none", "layout": "components"}, 404, "none"),
        ({"model": "other", "axes": ["en/gender", "en/race"]}, 422, "other lacks"),
        ({"model": "other", "layout": "components"}, 422, "shown words (2) vary in 1"),
        ({"model": "alone", "layout": "components"}, 422, "shown words (1) vary in 0"),
        ({"model": "ball", "layout": "disc", "ball": 0}, 422, "ball"),
        ({"model": "glove-en-small", "colour": "red"}, 422, "colour"),
    ],
    ids=lambda value: "" if isinstance(value, dict) else str(value).replace(" ", "-"),
)
def test_a_wrong_question_is_answered_by_a_sentence(
    question: dict[str, Any], status: int, says: str, app: Application
) -> None:
    reply = post(app, "map", **question)
    assert reply.status == status
    assert says in reply.error
    assert reply.error.endswith((".", "?"))


def test_hostile_words_are_words_that_are_not_there(app: Application) -> None:
    question = {"model": "glove-en-small", "layout": "components", "first": 20, "words": HOSTILE}
    reply = post(app, "map", **question)
    assert reply.status == 200
    assert reply.json["reached"] == dict.fromkeys(HOSTILE)
    assert len(reply.json["words"]) == 20
    assert "<script>" not in json.dumps(reply.json["words"])


def test_a_model_without_concepts_has_no_axes_and_a_map(app: Application) -> None:
    assert ask(app, "/api/axes", {"model": "other"}).json == {"axes": []}
    own = [{"a": ["zqa"], "b": ["zqb"]}] * 2
    assert post(app, "map", model="other", axes=own).status == 200
