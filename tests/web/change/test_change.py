"""A step of the slider: the figures of fairvec.debias, to the last digit."""

import json
from typing import Any

import numpy as np
import pytest

import fairvec
from fairvec.experiments.debiasing.debias import debias_model
from fairvec.lexicon import concept, select_tests
from fairvec.mitigation import DEBIASERS, GUARANTEES, debiaser
from fairvec.results import Change, Result
from fairvec.web.open_models import OpenModel, OpenModels
from fairvec.web.questions.change import PROMISES
from fairvec.web.security import Application
from tests.web.asking import ask, explorer

TESTS = ["caliskan2017/weat-7", "kumar2020/b1"]
LISTS = {
    "x": ["engineer", "mechanic", "carpenter", "captain"],
    "y": ["nurse", "receptionist", "librarian", "housekeeper"],
    "a": ["he", "man", "boy"],
    "b": ["she", "woman", "girl"],
}
NAMES = ("glove-en-small", "glove-hi-small", "poincare-glove-en-small")
QUICK_TO_FIT = ("linear-projection", "hard", "lpsg", "oscar", "conceptor", "pgd")


@pytest.fixture(scope="module")
def models() -> OpenModels:
    return OpenModels([OpenModel(name, name, fairvec.load(name)) for name in NAMES])


@pytest.fixture(scope="module")
def app(models: OpenModels) -> Application:
    return explorer(models)


def question(**said: Any) -> dict[str, Any]:
    usual = {
        "model": "glove-en-small",
        "concept": "en/gender",
        "method": "linear-projection",
        "strength": 0.5,
        "tests": TESTS,
    }
    found = {**usual, **said}
    return {name: value for name, value in found.items() if value is not None}


def step(app: Application, **said: Any) -> dict[str, Any]:
    reply = ask(app, "/api/change", question=question(**said))
    assert reply.status == 200, reply.body
    found: dict[str, Any] = reply.json
    return found


def refused(app: Application, path: str = "/api/change", **said: Any) -> str:
    reply = ask(app, path, question=question(**said))
    assert reply.status in (404, 422), reply.body
    return reply.error


@pytest.mark.parametrize("method", QUICK_TO_FIT)
@pytest.mark.parametrize("strength", [1.0, 0.37])
def test_the_records_are_those_of_the_shell(
    app: Application, models: OpenModels, method: str, strength: float
) -> None:
    step(app, method=method, strength=0.9)  # so that the fit of another strength is there
    found = step(app, method=method, strength=strength)
    model = models["glove-en-small"].embedding
    expected = debias_model(
        model,
        concept("en/gender"),
        debiaser(method, strength=strength),
        suites=TESTS,
        max_memory=1 << 40,
    )
    results = [one for one in expected.outcomes if isinstance(one, Result)]
    changes = [one for one in expected.outcomes if isinstance(one, Change)]
    assert len(results) == 4
    assert [one["effect"] for one in (*found["before"], *found["after"])] == [
        one.effect for one in results
    ]
    for record, result in zip((*found["before"], *found["after"]), results, strict=True):
        said = json.loads(result.model_dump_json())
        for name in ("p", "interval", "words", "verdict", "fitted_words", "coverage", "test"):
            assert record[name] == said[name], name
    assert [one["kind"] for one in found["changes"]] == [one.kind for one in changes]
    assert [one["paired"] for one in found["changes"]] == [
        json.loads(one.model_dump_json())["paired"] for one in changes
    ]


def test_it_is_what_moving_the_whole_model_and_an_audit_give(app: Application) -> None:
    found = step(app, method="leace", strength=0.6)
    done = fairvec.debias(
        "glove-en-small", "en/gender", "leace", strength=0.6, suites=TESTS, benchmarks=[]
    )
    audited = fairvec.audit(done.model, suites=TESTS, categories=False)
    for record, result in zip(found["after"], audited, strict=True):
        assert isinstance(result, Result)
        assert record["effect"] == pytest.approx(result.effect, abs=1e-6)
        assert record["p"]["value"] == result.p.value


def test_at_strength_0_the_model_is_as_it_is(app: Application) -> None:
    for method in ("linear-projection", "leace", "lpsg", "pgd", "conceptor"):
        found = step(app, method=method, strength=0)
        for before, after in zip(found["before"], found["after"], strict=True):
            assert after["effect"] == pytest.approx(before["effect"], abs=1e-6)
            if method != "pgd":  # it keeps lengths by dividing by them
                assert after["effect"] == before["effect"]
                assert after["words"] == before["words"]
        assert {one["kind"] for one in found["changes"]} <= {"unchanged", "no-evidence"}


def test_the_quick_step_has_the_effects_of_the_whole_one(app: Application) -> None:
    quick, whole = step(app, stage="quick"), step(app)
    assert [one["effect"] for one in quick["after"]] == [one["effect"] for one in whole["after"]]
    assert [one["words"] for one in quick["after"]] == [one["words"] for one in whole["after"]]
    assert all(one["interval"] is None for one in quick["after"])
    assert [one["is"] for one in quick["rows"]] == [one["is"] for one in whole["rows"]]


def test_published_lists_of_ask_are_judged_as_ask_judges_them(app: Application) -> None:
    id, name = "caliskan2017/weat-9", "poincare-glove-en-small"
    (each,) = select_tests([id])
    lists = {role: [word.word for word in one.words] for role, one in each.test.sets.items()}
    own: dict[str, Any] = {"model": name, "tests": None, "lists": lists}
    bare = step(app, **own)
    found = step(app, **own, sources=dict.fromkeys("xyab", id))
    (result,) = fairvec.audit(name, suites=id, categories=False)
    assert isinstance(result, Result)
    assert found["before"][0]["effect"] == result.effect != bare["before"][0]["effect"]
    said: dict[str, Any] = {}
    exec(found["python"].split("done =")[0], said)
    (again,) = fairvec.audit(name, tests=said["test"], categories=False)
    assert isinstance(again, Result)
    assert again.effect == result.effect
    kept = step(app, **own, kind="meaningful-encoding")
    assert [one["rows"][0]["kind"] for one in (bare, kept)] == ["bias", "meaningful-encoding"]


def test_lists_of_ones_own_are_judged_by(app: Application) -> None:
    found = step(app, tests=None, lists=LISTS)
    done = fairvec.debias(
        "glove-en-small",
        "en/gender",
        "linear-projection",
        strength=0.5,
        tests=fairvec.Test(**LISTS),  # type: ignore[arg-type]
        benchmarks=[],
    )
    (after,) = [
        one
        for one in done.results
        if isinstance(one, Result) and one.model.name != "glove-en-small"
    ]
    assert found["after"][0]["effect"] == pytest.approx(after.effect, abs=1e-6)
    assert "own.toml" in found["command"]


def test_the_words_of_the_tests_are_told_or_held_out(app: Application) -> None:
    told = step(app)
    assert told["rows"][0]["fitted_words"]
    held = step(app, holdout=True)
    assert not any(row["fitted_words"] for row in held["rows"])
    assert "Fitted without any tested word" in held["fit"]["held_out"]
    assert "--holdout" in held["command"]
    assert held["after"][0]["effect"] != told["after"][0]["effect"]


def test_python_that_is_shown_gives_the_figures(app: Application, tmp_path: Any) -> None:
    found = step(app, method="hard", settings={"k": 1, "lengths": "kept"}, strength=0.25)
    program = found["python"].replace('"debiased.fairvec"', repr(str(tmp_path / "it.fairvec")))
    said: dict[str, Any] = {}
    exec(program, said)
    after = [one for one in said["done"].results if isinstance(one, Result)][2:]
    for record, result in zip(found["after"], after, strict=True):
        assert record["effect"] == pytest.approx(result.effect, abs=1e-6)
    assert (tmp_path / "it.fairvec").is_file()


def test_the_command_that_is_shown_is_one(app: Application) -> None:
    found = step(app, settings={"lengths": "kept", "raw": True}, strength=0.25, tests=TESTS[:1])
    assert found["command"] == (
        "fairvec debias glove-en-small --concept en/gender --method linear-projection "
        "--strength 0.25 --set lengths=kept --set raw=true --suite caliskan2017/weat-7 "
        "-o debiased.fairvec"
    )


def test_a_model_of_the_ball_and_one_in_hindi(app: Application) -> None:
    ball = step(app, model="poincare-glove-en-small", method="pgd", strength=1)
    assert ball["after"][0]["similarity"] == "negative-distance"
    hindi = step(
        app, model="glove-hi-small", concept="hi/gender:pairs", tests=["malik2022/maths-arts"]
    )
    assert hindi["after"][0]["test"]["language"] == "hi"


def test_neighbours_move_with_the_change(app: Application, models: OpenModels) -> None:
    asked = question(method="hard", strength=1, word="nurse", count=8)
    found = ask(app, "/api/change/neighbours", question=asked).json
    model = models["glove-en-small"].embedding
    moved = debiaser("hard").fit(model, concept("en/gender")).transform(model)
    for side, one in (("before", model), ("after", moved)):
        rows = one.vectors.astype(np.float64)
        rows /= np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-12)
        order = np.argsort(-(rows @ rows[one.positions["nurse"]]), kind="stable")
        near = [one.keys[row] for row in order if one.keys[row] != "nurse"][:8]
        assert [each["word"] for each in found[side]] == near
    unknown = {**asked, "word": "nursse"}
    assert "nurse" in ask(app, "/api/change/neighbours", question=unknown).error


def test_every_concept_that_is_told_can_be_taken_out(app: Application) -> None:
    for name in NAMES:
        told = ask(app, "/api/concepts", {"model": name}).json["concepts"]
        assert told
        for one in told:
            tests = [test["id"] for test in one["tests"]][:1] or TESTS[:1]
            step(app, model=name, concept=one["id"], tests=tests)


def test_every_method_is_told_with_its_settings(app: Application) -> None:
    told = ask(app, "/api/methods").json["methods"]
    assert [one["name"] for one in told][: len(DEBIASERS)] == [one.name for one in DEBIASERS]
    for one in told:
        assert one["meaning"].endswith(".")
        assert "strength" not in {setting["name"] for setting in one["settings"]}
        usual = {each["name"]: each["usual"] for each in one["settings"]}
        settings = {name: value for name, value in usual.items() if value not in (None, [])}
        debiaser(one["name"], **settings)


def test_every_guarantee_is_told_in_a_sentence() -> None:
    assert PROMISES.keys() == {*GUARANTEES}
    assert all(told.endswith(".") for told in PROMISES.values())


def test_the_map_goes_where_the_words_go_on_axes_that_stay(
    app: Application, models: OpenModels
) -> None:
    found = ask(app, "/api/change/map", question=question(strength=1)).json
    model = models["glove-en-small"].embedding
    fit = debiaser("linear-projection").fit(model, concept("en/gender"))
    (basis,) = fit.move.tensors()["basis"]
    rows = model.rows(found["words"])
    along = (rows @ basis) / np.linalg.norm(rows, axis=1)
    np.testing.assert_allclose(np.abs(found["before"][0]), np.abs(along), atol=1e-6)
    np.testing.assert_allclose(found["after"][0], 0, atol=1e-6)
    assert np.ptp(found["before"][0]) > 0.3
    still = ask(app, "/api/change/map", question=question(strength=0)).json
    np.testing.assert_allclose(still["after"], still["before"], atol=1e-12)
    other = ask(app, "/api/change/map", question=question(about=TESTS[1])).json
    assert other["axes"][1] != found["axes"][1]
    assert ask(app, "/api/change/map", question=question(about="pestova/e1")).status == 404
