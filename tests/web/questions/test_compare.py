"""Two models beside each other: audits of both, and a paired change of the same words."""

from typing import Any

import pytest

import fairvec
from fairvec.experiments.comparison.compare import compare
from fairvec.lexicon import select_tests
from fairvec.results import Result
from fairvec.web.open_models import OpenModel, OpenModels
from fairvec.web.security import Application
from tests.web.client import JOB_LISTS, ask, explorer

NAMES = (
    "glove-en-small",
    "glove-en-twin-small",
    "poincare-glove-en-small",
    "glove-hi-small",
    "navec-ru-small",
)


@pytest.fixture(scope="module")
def app() -> Application:
    return explorer(OpenModels([OpenModel(name, name, fairvec.load(name)) for name in NAMES]))


def compare_pair(app: Application, *models: str, **fields: Any) -> dict[str, Any]:
    reply = ask(app, "/api/compare", question={"models": list(models), **fields})
    assert reply.status == 200, reply.body
    (found,) = reply.json["tests"]
    assert isinstance(found, dict)
    return found


def test_the_same_lists_are_audits_and_their_paired_change(app: Application) -> None:
    names, test = NAMES[:2], "caliskan2017/weat-7"
    found = compare_pair(app, *names, tests=[test])
    audit_result = [fairvec.audit(name, suites=test, categories=False) for name in names]
    for record, (result,) in zip(found["records"], audit_result, strict=True):
        assert isinstance(result, Result)
        assert record["effect"] == result.effect
        assert record["p"]["value"] == result.p.value
    (pair,) = compare(*audit_result).pairs
    assert pair.paired is not None
    assert found["change"]["paired"]["value"] == pair.paired.value
    assert found["change"]["kind"] == pair.change
    assert "same lists" in found["how"]
    assert found["row"]["details"].startswith(found["row"]["became"])
    assert [one["evident"] for one in found["readings"]] == [True, False]


def test_own_lists_are_put_to_both(app: Application) -> None:
    found = compare_pair(app, *NAMES[:2], lists=JOB_LISTS)
    for name, record in zip(NAMES, found["records"], strict=False):
        (result,) = fairvec.audit(name, tests=fairvec.Test(**JOB_LISTS), categories=False)  # type: ignore[arg-type]
        assert isinstance(result, Result)
        assert record["effect"] == result.effect


PUBLISHED = "caliskan2017/weat-9"
"""Its words have variants, without which a model finds other ones."""


def lists_of_published(id: str) -> dict[str, Any]:
    """Return a published test as the lists of Ask that began as it."""
    (each,) = select_tests([id])
    return {
        "lists": {role: [word.word for word in one.words] for role, one in each.test.sets.items()},
        "sources": dict.fromkeys("xyab", id),
        "kind": each.test.kind,
    }


def test_lists_that_began_as_published_ones_find_the_same_words(app: Application) -> None:
    name = NAMES[2]
    found = compare_pair(app, name, NAMES[0], **lists_of_published(PUBLISHED))["records"][0]
    answer = ask(
        app,
        "/api/ask",
        question={
            "model": name,
            **lists_of_published(PUBLISHED)["lists"],
            "sources": dict.fromkeys("xyab", PUBLISHED),
        },
    ).json
    (result,) = fairvec.audit(name, suites=PUBLISHED, categories=False)
    assert isinstance(result, Result)
    assert found["effect"] == answer["record"]["effect"] == result.effect
    bare = compare_pair(app, name, NAMES[0], lists=lists_of_published(PUBLISHED)["lists"])[
        "records"
    ][0]
    assert bare["effect"] != result.effect


def test_spaces_that_differ_are_not_paired(app: Application) -> None:
    found = compare_pair(app, NAMES[0], NAMES[2], tests=["caliskan2017/weat-7"])
    assert found["change"] is None
    assert "negative-distance" in found["why_not"]
    fewer = compare_pair(app, NAMES[0], NAMES[2], tests=["caliskan2017/weat-1"])
    known = [len(record["words"]) for record in fewer["records"]]
    assert known[0] > known[1]
    assert "know different words" in fewer["how"]


@pytest.mark.parametrize(
    ("models", "test", "others"),
    [
        (("glove-en-small", "glove-hi-small"), "caliskan2017/weat-7", "malik2022/maths-arts"),
        (("glove-hi-small", "navec-ru-small"), "malik2022/maths-arts", "pestova/e2"),
    ],
    ids=["en-hi", "hi-ru"],
)
def test_other_languages_are_asked_the_same_concepts(
    app: Application, models: tuple[str, str], test: str, others: str
) -> None:
    found = compare_pair(app, *models, tests=[test])
    assert [one["test"]["id"] for one in found["records"]] == [test, others]
    assert others in found["how"]
    (result,) = fairvec.audit(models[1], suites=others, categories=False)
    assert isinstance(result, Result)
    assert found["records"][1]["effect"] == result.effect
    assert found["change"] is None


def test_words_that_nobody_shares_are_refused(app: Application) -> None:
    fields = {"models": ["glove-en-small", "glove-hi-small"], "lists": JOB_LISTS}
    reply = ask(app, "/api/compare", question=fields)
    assert reply.status == 422
    assert "know no word" in reply.error


def test_every_test_that_is_proposed_can_be_asked(app: Application) -> None:
    pair = {"model": "glove-hi-small", "other": "navec-ru-small"}
    proposed = ask(app, "/api/compare/tests", pair).json["tests"]
    assert len(proposed) > 3
    assert all(one["id"].startswith(f"{one['suite']}/") for one in proposed)
    for one in proposed[:6]:
        compare_pair(app, *pair.values(), tests=[one["id"]])


@pytest.mark.parametrize("models", [["toy"], ["a", "b", "c"], ["glove-en-small"] * 2, ["x", "y"]])
def test_two_different_open_models_are_required(app: Application, models: list[str]) -> None:
    reply = ask(app, "/api/compare", question={"models": models, "tests": ["caliskan2017/weat-7"]})
    assert reply.status in (404, 422)
