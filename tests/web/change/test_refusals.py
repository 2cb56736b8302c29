"""What a change does not take, in a sentence each."""

import json
from typing import Any

import pytest

import fairvec
from fairvec.web.open_models import OpenModel, OpenModels
from fairvec.web.security import Application
from tests import toys
from tests.web.asking import ask, explorer
from tests.web.change.test_change import LISTS, question, refused


@pytest.fixture(scope="module")
def app() -> Application:
    name = "glove-en-small"
    small = OpenModel(name, name, fairvec.load(name))
    return explorer(OpenModels([small, OpenModel("toy", "toy.vec", toys.embedding(1.0))]))


@pytest.mark.parametrize(
    ("said", "answer"),
    [
        ({"model": "nobody"}, "open model"),
        ({"concept": "en/nothing"}, "concept"),
        ({"concept": "en/gender:nothing"}, "variant of en/gender"),
        ({"concept": "/etc/passwd.toml"}, "no concept named"),
        ({"concept": "my.toml"}, "no concept named"),
        ({"tests": ["../secret.toml"]}, "no test named"),
        ({"tests": ["en"]}, "no test named"),
        ({"method": "magic"}, "debiasing method"),
        ({"tests": []}, "Choose tests or give four lists"),
        ({"lists": LISTS}, "one of the two"),
        ({"tests": None, "lists": {"x": ["a"]}}, "list"),
        ({"strength": 1.01}, "strength"),
        ({"strength": -1e-9}, "strength"),
        ({"strength": "1"}, "strength"),
        ({"strength": None, "settings": {"strength": 0.5}}, "beside the settings"),
        ({"settings": {"nothing": 1}}, "setting of linear-projection"),
        ({"settings": {"lengths": "huge"}}, "lengths"),
        ({"settings": {"raw": 1}}, "raw"),
        ({"settings": {"raw": {"a": 1}}}, "settings"),
        ({"settings": {str(n): 1 for n in range(21)}}, "settings"),
        ({"method": "hard", "settings": {"k": 10**30}}, "larger than the page takes"),
        ({"method": "hard", "settings": {"k": 1.5}}, "whole number"),
        ({"method": "hard", "settings": {"k": "two"}}, "whole number"),
        ({"method": "hard", "settings": {"k": -3}}, "1 or more"),
        ({"method": "inlp", "settings": {"iterations": 351}}, "larger than the page takes"),
        ({"method": "pgd", "settings": {"weights": [2, -1]}}, "weights"),
        ({"method": "pgd", "settings": {"weights": [1e300] * 2}}, "larger"),
        ({"method": "pgd", "settings": {"solver": "riemannian-adam"}}, "Poincaré"),
        ({"method": "oscar", "settings": {"against": "nothing"}}, "direction to keep"),
    ],
    ids=range(29),
)
def test_a_wrong_change_is_refused_in_a_sentence(
    app: Application, said: dict[str, Any], answer: str
) -> None:
    error = refused(app, **said)
    assert answer in error
    assert "Traceback" not in error


@pytest.mark.parametrize("number", ["NaN", "Infinity", "-Infinity", "1e999"])
@pytest.mark.parametrize("place", ["strength", "settings"])
def test_numbers_that_are_none_are_refused(app: Application, place: str, number: str) -> None:
    said = question(method="ran", settings={"theta": 0.777}, strength=0.123)
    text = json.dumps(said).replace("0.123" if place == "strength" else "0.777", number, 1)
    reply = ask(app, "/api/change", chunks=[text.encode()])
    assert reply.status == 422


def test_a_model_without_the_words_of_the_concept_says_which(app: Application) -> None:
    error = refused(app, model="toy", concept="en/race", tests=["caliskan2017/weat-7"])
    assert "en/race" in error


def test_a_model_without_the_words_of_a_test_is_told_so(app: Application) -> None:
    lists = {role: [f"{role}nowhere{n}" for n in range(4)] for role in "xyab"}
    reply = ask(app, "/api/change", question=question(tests=None, lists=lists))
    assert reply.json["summary"].startswith("Nothing could be measured before, in 1 test")
    assert reply.status == 200, reply.body
    assert reply.json["before"][0]["status"] == "skipped"
    assert reply.json["rows"][0]["became"] == "not measured"


def test_a_map_is_of_a_test_of_two_lists(app: Application) -> None:
    one_list = "bolukbasi2016/professions"
    reply = ask(app, "/api/change/map", question=question(tests=[one_list]))
    assert "No test that was asked has two lists of targets" in str(reply.json)
    said = question(tests=[one_list, "caliskan2017/weat-6"])
    assert ask(app, "/api/change/map", question=said).status == 200
    assert ask(app, "/api/change/map", question=said | {"about": one_list}).status == 404


def test_words_of_strangers_stay_words(app: Application) -> None:
    hostile = ["$(touch x)", "a'; rm -rf ~ #", 'b"""', "nurse"]
    said = question(tests=None, lists={**LISTS, "y": hostile})
    found = ask(app, "/api/change", question=said).json
    compile(found["python"], "shown", "exec")
    assert "$(touch" not in found["command"]
