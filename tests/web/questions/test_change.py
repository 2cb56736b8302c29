"""Debiasing in the explorer gives the figures of the library."""

import json
import shlex
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from threading import Barrier, Event, Thread
from time import sleep
from typing import Annotated, Any, ClassVar

import numpy as np
import pytest
from pydantic import Field

import fairvec
from fairvec.experiments.debiasing.debias import debias_model
from fairvec.lexicon import concept, select_tests
from fairvec.messages.changes import METHOD_GUARANTEES
from fairvec.mitigation import (
    DEBIASERS,
    FOREIGN_METHODS,
    GUARANTEES,
    debiaser,
    default_method,
    register_method,
)
from fairvec.mitigation.methods.projection import LinearProjection
from fairvec.results import Result, read_results
from fairvec.results.records import Change
from fairvec.web.open_models import FitCache, OpenModel, OpenModels
from fairvec.web.questions.ask import REMEDY
from fairvec.web.questions.lists import list_methods
from fairvec.web.security import Application
from tests import toys
from tests.experiments.toys import count_work
from tests.web.client import JOB_LISTS, ask, explorer

# --- A step of the slider: the figures of fairvec.debias, to the last digit ---


TESTS = ["caliskan2017/weat-7", "kumar2020/b1"]
NAMES = ("glove-en-small", "glove-hi-small", "poincare-glove-en-small")
QUICK_TO_FIT = ("linear-projection", "hard", "lpsg", "oscar", "conceptor", "pgd")


@pytest.fixture(scope="module")
def models() -> OpenModels:
    return OpenModels([OpenModel(name, name, fairvec.load(name)) for name in NAMES])


@pytest.fixture(scope="module")
def app(models: OpenModels) -> Application:
    return explorer(models)


def question(**fields: Any) -> dict[str, Any]:
    usual = {
        "model": "glove-en-small",
        "concept": "en/gender",
        "method": "linear-projection",
        "strength": 0.5,
        "tests": TESTS,
    }
    found = {**usual, **fields}
    return {name: value for name, value in found.items() if value is not None}


def post_change(app: Application, **fields: Any) -> dict[str, Any]:
    reply = ask(app, "/api/change", question=question(**fields))
    assert reply.status == 200, reply.body
    found: dict[str, Any] = reply.json
    return found


def refusal(app: Application, path: str = "/api/change", **fields: Any) -> str:
    reply = ask(app, path, question=question(**fields))
    assert reply.status in (404, 422), reply.body
    return reply.error


@pytest.mark.parametrize("method", QUICK_TO_FIT)
@pytest.mark.parametrize("strength", [1.0, 0.37])
def test_the_records_are_those_of_the_shell(
    app: Application, models: OpenModels, method: str, strength: float
) -> None:
    post_change(app, method=method, strength=0.9)  # so that the fit of another strength is there
    found = post_change(app, method=method, strength=strength)
    model = models["glove-en-small"].embedding
    expected = debias_model(
        model,
        concept("en/gender"),
        debiaser(method, strength=strength),
        suites=TESTS,
        max_memory=1 << 40,
    )
    results = [one for one in expected.outcomes if isinstance(one, Result)]
    changes = [
        one for one in expected.outcomes if isinstance(one, Change) and one.test.kind != "category"
    ]
    assert len(results) == 4
    assert [one["effect"] for one in (*found["before"], *found["after"])] == [
        one.effect for one in results
    ]
    for record, result in zip((*found["before"], *found["after"]), results, strict=True):
        fields = json.loads(result.model_dump_json())
        for name in ("p", "interval", "words", "verdict", "fitted_words", "coverage", "test"):
            assert record[name] == fields[name], name
    assert [one["kind"] for one in found["changes"]] == [one.kind for one in changes]
    assert [one["paired"] for one in found["changes"]] == [
        json.loads(one.model_dump_json())["paired"] for one in changes
    ]


@pytest.mark.parametrize(("stage", "work"), [("quick", {}), ("full", {"compared": 1})])
def test_a_step_compares_once_and_pools_nothing(
    app: Application, stage: str, work: dict[str, int]
) -> None:
    with count_work() as counts:
        post_change(app, stage=stage)
    assert counts == work


def test_a_change_equals_moving_the_model_and_an_audit(app: Application) -> None:
    found = post_change(app, method="leace", strength=0.6)
    done = fairvec.debias(
        "glove-en-small", "en/gender", "leace", strength=0.6, suites=TESTS, benchmarks=[]
    )
    audit_result = fairvec.audit(done.model, suites=TESTS, categories=False)
    for record, result in zip(found["after"], audit_result, strict=True):
        assert isinstance(result, Result)
        assert record["effect"] == pytest.approx(result.effect, abs=1e-6)
        assert record["p"]["value"] == result.p.value


def test_at_strength_0_the_model_is_as_it_is(app: Application) -> None:
    for method in ("linear-projection", "leace", "lpsg", "pgd", "conceptor"):
        found = post_change(app, method=method, strength=0)
        for before, after in zip(found["before"], found["after"], strict=True):
            assert after["effect"] == pytest.approx(before["effect"], abs=1e-6)
            if method != "pgd":  # it keeps lengths by dividing by them
                assert after["effect"] == before["effect"]
                assert after["words"] == before["words"]
        assert {one["kind"] for one in found["changes"]} <= {"unchanged", "not-shown"}


def test_the_quick_stage_has_the_effects_of_the_full_one(app: Application) -> None:
    quick, full = post_change(app, stage="quick"), post_change(app)
    assert [one["effect"] for one in quick["after"]] == [one["effect"] for one in full["after"]]
    assert [one["words"] for one in quick["after"]] == [one["words"] for one in full["after"]]
    assert all(one["interval"] is None for one in quick["after"])
    assert [one["is"] for one in quick["rows"]] == [one["is"] for one in full["rows"]]


def test_published_lists_of_ask_are_judged_as_ask_judges_them(app: Application) -> None:
    id, name = "caliskan2017/weat-9", "poincare-glove-en-small"
    (each,) = select_tests([id])
    lists = {role: [word.word for word in one.words] for role, one in each.test.sets.items()}
    own: dict[str, Any] = {"model": name, "tests": None, "lists": lists}
    bare = post_change(app, **own)
    found = post_change(app, **own, sources=dict.fromkeys("xyab", id))
    (result,) = fairvec.audit(name, suites=id, categories=False)
    assert isinstance(result, Result)
    assert found["before"][0]["effect"] == result.effect != bare["before"][0]["effect"]
    fields: dict[str, Any] = {}
    exec(found["python"].split("done =")[0], fields)
    (again,) = fairvec.audit(name, tests=fields["test"], categories=False)
    assert isinstance(again, Result)
    assert again.effect == result.effect
    cache = post_change(app, **own, kind="meaningful-encoding")
    assert [one["rows"][0]["kind"] for one in (bare, cache)] == ["bias", "meaningful-encoding"]


def test_lists_of_ones_own_are_judged_by(app: Application) -> None:
    found = post_change(app, tests=None, lists=JOB_LISTS)
    done = fairvec.debias(
        "glove-en-small",
        "en/gender",
        "linear-projection",
        strength=0.5,
        tests=fairvec.Test(**JOB_LISTS),  # type: ignore[arg-type]
        benchmarks=[],
    )
    (after,) = [
        one
        for one in done.results
        if isinstance(one, Result) and one.model.name != "glove-en-small"
    ]
    assert found["after"][0]["effect"] == pytest.approx(after.effect, abs=1e-6)
    assert found["own_file"] == "own.toml"
    assert "own.toml" in found["command"]
    assert post_change(app)["own_file"] == ""


@pytest.mark.parametrize("language", ["fr", "ru", "und"])
def test_lists_of_ones_own_are_in_any_language(app: Application, language: str) -> None:
    model = fairvec.load("glove-en-small").with_languages(language)
    other = explorer(OpenModels([OpenModel(model.name, model.name, model)]))
    asked: dict[str, Any] = {"tests": None, "lists": JOB_LISTS}
    found, usual = post_change(other, **asked), post_change(app, **asked)
    assert found["after"][0]["effect"] == usual["after"][0]["effect"]


def test_a_row_has_the_parts_of_its_sentence_and_a_skipped_test_its_reason(
    app: Application,
) -> None:
    for row in post_change(app)["rows"]:
        assert row["sentence"] == f"{row['title']} · {row['figures']} · {row['details']}"
        assert row["details"].startswith(row["became"])
    few = {**JOB_LISTS, "x": ["engineer", "qqqz", "qqqw"]}
    found = post_change(app, tests=None, lists=few)
    assert [*found["reasons"]] == [found["before"][0]["test"]["id"]]
    assert found["reasons"][found["before"][0]["test"]["id"]].endswith(f"{REMEDY}.")
    assert post_change(app)["reasons"] == {}


def test_fitted_words_are_named_or_held_out(app: Application) -> None:
    listed = post_change(app)
    assert listed["rows"][0]["fitted_words"]
    held_out = post_change(app, holdout=True)
    assert not any(row["fitted_words"] for row in held_out["rows"])
    assert "Fitted without any tested word" in held_out["fit"]["held_out"]
    assert "--holdout" in held_out["command"]
    assert held_out["after"][0]["effect"] != listed["after"][0]["effect"]


def test_the_python_gives_the_figures(app: Application, tmp_path: Any) -> None:
    found = post_change(app, method="hard", settings={"k": 1, "lengths": "kept"}, strength=0.25)
    run_program = found["python"].replace('"debiased.fairvec"', repr(str(tmp_path / "it.fairvec")))
    fields: dict[str, Any] = {}
    exec(run_program, fields)
    after = [one for one in fields["done"].results if isinstance(one, Result)][2:]
    for record, result in zip(found["after"], after, strict=True):
        assert record["effect"] == pytest.approx(result.effect, abs=1e-6)
    assert (tmp_path / "it.fairvec").is_file()


def test_the_command_names_every_setting(app: Application) -> None:
    found = post_change(
        app, settings={"lengths": "kept", "raw": True}, strength=0.25, tests=TESTS[:1]
    )
    assert found["command"] == (
        "fairvec debias glove-en-small --concept en/gender --method linear-projection "
        "--strength 0.25 --set lengths=kept --set raw=true --suite caliskan2017/weat-7 "
        "-o debiased.fairvec"
    )


@pytest.mark.parametrize("strength", [0, 1, 0.1, 1 / 3, 0.123456789, 1e-9])
def test_the_command_and_python_have_every_digit_of_the_strength(
    app: Application, strength: float
) -> None:
    found = post_change(app, strength=strength, tests=TESTS[:1])
    words = shlex.split(found["command"])
    digits = words[words.index("--strength") + 1]
    assert float(digits) == strength
    assert f"strength={digits}," in found["python"]


def test_a_model_of_the_ball_and_one_in_hindi(app: Application) -> None:
    ball = post_change(app, model="poincare-glove-en-small", method="pgd", strength=1)
    assert ball["after"][0]["similarity"] == "negative-distance"
    hindi = post_change(
        app, model="glove-hi-small", concept="hi/gender:pairs", tests=["malik2022/maths-arts"]
    )
    assert hindi["after"][0]["test"]["language"] == "hi"


def test_neighbours_move_with_the_change(app: Application, models: OpenModels) -> None:
    request = question(method="hard", strength=1, word="nurse", count=8)
    found = ask(app, "/api/change/neighbours", question=request).json
    model = models["glove-en-small"].embedding
    moved = debiaser("hard").fit(model, concept("en/gender")).transform(model)
    for side, one in (("before", model), ("after", moved)):
        rows = one.vectors.astype(np.float64)
        rows /= np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-12)
        order = np.argsort(-(rows @ rows[one.positions["nurse"]]), kind="stable")
        near = [one.keys[row] for row in order if one.keys[row] != "nurse"][:8]
        assert [each["word"] for each in found[side]] == near
    unknown = {**request, "word": "nursse"}
    assert "nurse" in ask(app, "/api/change/neighbours", question=unknown).error


def test_every_listed_concept_can_be_taken_out(app: Application) -> None:
    for name in NAMES:
        listed = ask(app, "/api/concepts", {"model": name}).json["concepts"]
        assert listed
        for one in listed:
            tests = [test["id"] for test in one["tests"]][:1] or TESTS[:1]
            post_change(app, model=name, concept=one["id"], method=one["method"], tests=tests)
            assert one["method"] == default_method(concept(one["id"]))


def test_every_method_is_listed_with_its_settings(app: Application) -> None:
    listed = ask(app, "/api/methods").json["methods"]
    assert [one["name"] for one in listed][: len(DEBIASERS)] == [one.name for one in DEBIASERS]
    for one in listed:
        assert one["meaning"].endswith(".")
        assert "strength" not in {setting["name"] for setting in one["settings"]}
        assert all(each["help"].endswith(".") for each in one["settings"])
        usual = {each["name"]: each["usual"] for each in one["settings"]}
        settings = {name: value for name, value in usual.items() if value not in (None, [])}
        debiaser(one["name"], **settings)


def test_a_plugins_settings_may_be_annotated_by_anything(
    models: OpenModels, monkeypatch: pytest.MonkeyPatch
) -> None:
    @dataclass(frozen=True)
    class Foreign(LinearProjection):
        """Takes a direction out."""

        name: ClassVar[str] = "foreign"
        rounds: Annotated[int, "of its own"] = 3
        share: Annotated[float, Field(ge=0.5)] | None = None

    monkeypatch.setattr(FOREIGN_METHODS, "registered", {})
    register_method(Foreign)
    (entry,) = (one for one in list_methods(models)["methods"] if one["name"] == "foreign")
    rounds, share = entry["settings"][-2:]
    assert rounds == {"name": "rounds", "usual": 3, "kind": "whole"}
    assert share["kind"] == "number"
    assert (share["least"], share["most"], share["optional"]) == (0.5, None, True)


def test_every_guarantee_has_a_sentence() -> None:
    assert METHOD_GUARANTEES.keys() == {*GUARANTEES}
    assert all(listed.endswith(".") for listed in METHOD_GUARANTEES.values())


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


# --- What was worked out is kept within bounds, and made once for all who wait ---


def test_the_oldest_goes_first_and_what_was_used_is_young() -> None:
    cache = FitCache(room=10)
    made: list[str] = []

    def get(name: str, size: int = 4) -> str:
        def make() -> str:
            made.append(name)
            return name

        return cache.get(name, make, lambda _: size)

    for name in ("a", "b", "a", "c", "a", "b"):
        assert get(name) == name
    assert made == ["a", "b", "c", "b"]
    assert cache.bytes <= 10
    get("whale", 1000)
    assert len(cache) == 1
    assert get("whale") == "whale"
    assert made.count("whale") == 1


def test_what_cannot_be_made_leaves_nothing_and_may_be_tried_again() -> None:
    cache = FitCache()
    with pytest.raises(ZeroDivisionError):
        cache.get("a", lambda: 1 // 0, lambda _: 1)
    assert cache.get("a", lambda: 3, lambda _: 1) == 3


def test_two_who_ask_at_once_wait_for_one_piece_of_work() -> None:
    cache = FitCache()
    made: list[object] = []
    found: list[object] = []
    together = Barrier(8)

    def make() -> object:
        made.append(object())
        return made[-1]

    def ask() -> None:
        together.wait()
        found.append(cache.get("a", make, lambda _: 1))

    threads = [Thread(target=ask) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(made) == 1
    assert len(set(map(id, found))) == 1


def wait_for_two(cache: FitCache) -> None:
    for _ in range(2000):
        if cache.waiting("a") >= 2:
            break
        sleep(0.001)


def test_after_a_failure_a_piece_is_made_once_too() -> None:
    """One fails while another waits; a third one comes while that other is at it."""
    cache = FitCache()
    begun, may_fail, second, may_end = Event(), Event(), Event(), Event()
    made: list[str] = []

    def failing() -> str:
        begun.set()
        may_fail.wait(5)
        raise ZeroDivisionError

    def slow() -> str:
        made.append("slow")
        second.set()
        may_end.wait(5)
        return "slow"

    def late() -> str:
        made.append("late")
        return "late"

    def ask(make: Callable[[], str]) -> None:
        with suppress(ZeroDivisionError):
            cache.get("a", make, len)

    threads = [Thread(target=ask, args=(make,)) for make in (failing, slow, late)]
    threads[0].start()
    assert begun.wait(5)
    threads[1].start()
    wait_for_two(cache)
    may_fail.set()
    assert second.wait(5)
    threads[2].start()
    wait_for_two(cache)
    may_end.set()
    for thread in threads:
        thread.join(5)
    assert made == ["slow"]
    assert cache.waiting("a") == 0


# --- What a change does not take, in a sentence each ---


@pytest.fixture(scope="module")
def app_refusals() -> Application:
    name = "glove-en-small"
    small = OpenModel(name, name, fairvec.load(name))
    return explorer(OpenModels([small, OpenModel("toy", "toy.vec", toys.embedding(1.0))]))


@pytest.mark.parametrize(
    ("fields", "answer"),
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
        ({"lists": JOB_LISTS}, "one of the two"),
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
    app_refusals: Application, fields: dict[str, Any], answer: str
) -> None:
    error = refusal(app_refusals, **fields)
    assert answer in error
    assert "Traceback" not in error


@pytest.mark.parametrize("number", ["NaN", "Infinity", "-Infinity", "1e999"])
@pytest.mark.parametrize("place", ["strength", "settings"])
def test_numbers_that_are_none_are_refused(
    app_refusals: Application, place: str, number: str
) -> None:
    fields = question(method="ran", settings={"theta": 0.777}, strength=0.123)
    text = json.dumps(fields).replace("0.123" if place == "strength" else "0.777", number, 1)
    reply = ask(app_refusals, "/api/change", chunks=[text.encode()])
    assert reply.status == 422


def test_a_model_without_the_words_of_the_concept_says_which(app_refusals: Application) -> None:
    error = refusal(app_refusals, model="toy", concept="en/race", tests=["caliskan2017/weat-7"])
    assert "en/race" in error


def test_a_model_without_the_words_of_a_test_has_a_reason(app_refusals: Application) -> None:
    lists = {role: [f"{role}nowhere{n}" for n in range(4)] for role in "xyab"}
    reply = ask(app_refusals, "/api/change", question=question(tests=None, lists=lists))
    assert reply.json["summary"].startswith("Nothing could be measured before in 1 test")
    assert reply.status == 200, reply.body
    assert reply.json["before"][0]["status"] == "skipped"
    assert reply.json["rows"][0]["became"] == "not measured"


def test_a_map_is_of_a_test_of_two_lists(app_refusals: Application) -> None:
    one_list = "bolukbasi2016/professions"
    reply = ask(app_refusals, "/api/change/map", question=question(tests=[one_list]))
    assert "No test that was asked has two lists of targets" in str(reply.json)
    fields = question(tests=[one_list, "caliskan2017/weat-6"])
    assert ask(app_refusals, "/api/change/map", question=fields).status == 200
    assert ask(app_refusals, "/api/change/map", question=fields | {"about": one_list}).status == 404


def test_words_of_strangers_stay_words(app_refusals: Application) -> None:
    hostile = ["$(touch x)", "a'; rm -rf ~ #", 'b"""', "nurse"]
    fields = question(tests=None, lists={**JOB_LISTS, "y": hostile})
    found = ask(app_refusals, "/api/change", question=fields).json
    compile(found["python"], "shown", "exec")
    assert "$(touch" not in found["command"]


# --- A model is written where the server may write, under a new name, and nowhere else ---


NAME = "glove-en-small"


def open_page(folder: Path | None) -> Application:
    return explorer(OpenModels([OpenModel(NAME, NAME, fairvec.load(NAME))], write_to=folder))


def test_what_is_written_is_what_was_shown(tmp_path: Path) -> None:
    folder = tmp_path / "there"
    folder.mkdir()
    app = open_page(folder)
    shown = post_change(app)
    assert shown["may_write"] is True
    reply = ask(app, "/api/write", question=question(file="new.fairvec"))
    assert reply.status == 200, reply.body
    assert (reply.json["model"], reply.json["folder"]) == ("new.fairvec", str(folder))
    assert {one.name for one in folder.iterdir()} == {"new.fairvec", "new.fairvec.run"}
    assert (folder / "new.fairvec.run" / "report.html").is_file()
    after = fairvec.audit(folder / "new.fairvec", suites=question()["tests"], categories=False)
    for record, result in zip(shown["after"], after, strict=True):
        assert isinstance(result, Result)
        assert record["effect"] == pytest.approx(result.effect, abs=1e-6)
    assert read_results(folder / "new.fairvec.run")
    again = ask(app, "/api/write", question=question(file="new.fairvec", strength=1))
    assert again.status == 422
    assert "exists already" in again.error


@pytest.mark.parametrize(
    "name",
    [
        "../x.fairvec",
        "..",
        "/tmp/x.fairvec",
        "a/b.fairvec",
        "a\\b.fairvec",
        ".hidden.fairvec",
        "x.fairvec\n",
        "x",
        "-o.fairvec",
        "x\0.fairvec",
        "ｘ.fairvec",
        "x" * 90 + ".fairvec",
        "con/../x.vec",
        "x.nothing",
    ],
    ids=range(14),
)
def test_other_names_write_nothing(tmp_path: Path, name: str) -> None:
    folder = tmp_path / "in" / "there"
    folder.mkdir(parents=True)
    reply = ask(open_page(folder), "/api/write", question=question(file=name))
    assert reply.status == 422, reply.body
    assert [one for one in tmp_path.rglob("*") if one.is_file()] == []


def test_without_a_folder_nothing_is_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    app = open_page(None)
    assert post_change(app)["may_write"] is False
    reply = ask(app, "/api/write", question=question(file="new.fairvec"))
    assert reply.status == 422
    assert "--write-to" in reply.error
    assert [*tmp_path.iterdir()] == []
