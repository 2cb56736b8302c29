"""The explorer answers a question about four lists as the library does."""

import json
import shlex
import subprocess
import sys
from functools import cache
from pathlib import Path
from threading import Event, Thread
from time import sleep
from typing import Any

import numpy as np
import pytest

import fairvec
from fairvec.cli import main
from fairvec.core.errors import UnknownNameError
from fairvec.core.format import format_p
from fairvec.embedding import LOAD_DEFAULTS, Embedding, LoadOptions
from fairvec.experiments.audit.test_words import COVERAGE_OPTION
from fairvec.lexicon import parse_suite, shipped_suites
from fairvec.messages.test_details import word_labels
from fairvec.messages.verdicts import is_evidence
from fairvec.results import Result
from fairvec.results.verdicts import ListSwap
from fairvec.web.open_models import LatestOnly, OpenModel, OpenModels, SupersededError
from fairvec.web.questions import ask
from fairvec.web.questions.ask import (
    REMEDY,
    answer_with_other_lists,
    rehearse_answer,
    reproduce_snippets,
)
from fairvec.web.questions.lists import list_suites, suggest_spellings
from fairvec.web.schemas import SpellingRequest
from tests.web.client import HOSTILE, LISTS, answer, lists_request, models, published_test

# --- What the page asks about four lists, against what an audit says of them ---


@pytest.mark.parametrize("model", ["glove-en-small", "poincare-glove-en-small"])
def test_the_record_is_that_of_an_audit(model: str) -> None:
    (expected,) = fairvec.audit(model, **LISTS, categories=False)
    found = Result.model_validate(answer(model)["record"])
    assert isinstance(expected, Result)
    for field in (
        "effect",
        "p",
        "interval",
        "words",
        "detectable",
        "verdict",
        "coverage",
        "similarity",
    ):
        assert getattr(found, field) == getattr(expected, field)


def test_each_word_has_the_label_of_the_report_and_evidence_is_marked() -> None:
    found = answer()
    record = Result.model_validate(found["record"])
    assert found["labels"] == [*map(word_labels(record), record.words)]
    assert found["evident"] is is_evidence(record) is True
    quick = answer(**long_lists(24), stage="quick")
    assert len(quick["labels"]) == len(quick["quick"]["words"])
    assert quick["evident"] is False


def test_a_skipped_test_has_a_remedy_that_the_page_has() -> None:
    found = answer(x=["engineer", "qqqz", "qqqw", "qqqv"])
    assert COVERAGE_OPTION in found["record"]["reason"]
    assert found["readings"]["sentence"].endswith(
        f"use a model that knows these words or {REMEDY}."
    )


def test_a_word_more_is_another_answer_and_the_strip_says_what_it_would_be_without() -> None:
    more = answer(x=[*LISTS["x"], "dancer"])["record"]
    (without,) = (word["without"] for word in more["words"] if word["word"] == "dancer")
    assert without == pytest.approx(answer()["record"]["effect"], abs=1e-12)
    assert more["effect"] < without


@pytest.mark.parametrize(
    ("fields", "reason"),
    [
        ({"x": []}, "x is an empty list"),
        ({"x": [], "y": [], "a": [], "b": []}, "empty list"),
        ({"y": LISTS["x"]}, "x and y hold the same words"),
        ({"b": LISTS["a"]}, "a and b hold the same words"),
        ({"x": ["   "]}, "Word 1 of x is empty"),
    ],
    ids=["one-empty", "all-empty", "equal-targets", "equal-attributes", "blank"],
)
def test_lists_that_are_no_test_have_a_reason(fields: dict[str, Any], reason: str) -> None:
    found = answer(**fields)
    assert (found["stage"], found["record"]) == ("unasked", None)
    assert reason in found["reason"]


def test_words_are_looked_up_before_the_lists_are_a_test() -> None:
    found = answer(x=["engineer", "qqqzz"], y=[])
    (x, *_) = found["quick"]["coverage"]
    assert (x["role"], x["missing"]) == ("x", {"qqqzz": "not in the vocabulary"})


@pytest.mark.parametrize(
    "fields",
    [
        {"x": ["engineer"]},
        {"x": ["engineer"], "y": ["nurse"], "a": ["he"], "b": ["she"]},
        {"x": LISTS["x"][:2], "b": ["she"]},
        {"x": [*LISTS["x"], "nurse", "he"]},
        {"x": ["engineer", "engineer", "Engineer"]},
        {"x": HOSTILE},
        {"x": ["he", "she"], "y": ["she", "he", "him"]},
    ],
    ids=["one", "one-each", "unequal", "in-two-lists", "repeated", "hostile", "attributes"],
)
def test_odd_lists_have_a_sentence_and_no_nan(fields: dict[str, Any]) -> None:
    found = answer(**fields)
    assert found["stage"] == "full"
    assert found["readings"]["sentence"].endswith(".")


def test_messages_of_the_linter_name_no_id() -> None:
    found = answer(x=[*LISTS["x"], "nurse", "engineer"])["findings"]
    assert [(one["code"], one["role"]) for one in found] == [
        ("duplicate-word", "x"),
        ("target-overlap", ""),
        ("unequal-sizes", ""),
    ]
    assert not any("x-" in one["message"] or "(test" in one["message"] for one in found)


@cache
def long_lists(many: int) -> dict[str, list[str]]:
    keys = [key for key in models()["glove-en-small"].embedding.keys if key.isalpha()]
    return {role: keys[place * many : (place + 1) * many] for place, role in enumerate(("x", "y"))}


def test_long_lists_are_answered_in_two_stages() -> None:
    quick = answer(**long_lists(24), stage="quick")
    assert (quick["stage"], quick["record"]) == ("quick", None)
    assert not quick["readings"].keys() & {"p", "sentence", "interval"}
    full = answer(**long_lists(24))
    assert full["stage"] == "full"
    assert quick["quick"]["effect"] == full["record"]["effect"]
    assert quick["quick"]["words"] == full["record"]["words"]


def test_five_hundred_words_a_list_are_answered() -> None:
    quick = answer(**long_lists(500), stage="quick")
    assert len(quick["quick"]["words"]) == 1000


def test_a_short_list_is_answered_in_one_stage() -> None:
    assert answer(stage="quick")["stage"] == "full"


def test_every_shipped_test_of_four_lists_is_listed_and_gives_its_own_figures() -> None:
    answered = [test for suite in list_suites(models())["suites"] for test in suite["tests"]]
    every = {test.id: test for suite in shipped_suites() for test in suite.tests}
    assert {test["id"] for test in answered} == {
        id for id, test in every.items() if {"x", "y", "a", "b"} <= test.sets.keys()
    }
    for suite, model in (("pestova", "navec-ru-small"), ("bharti2021", "glove-hi-small")):
        expected = fairvec.audit(model, suites=suite, categories=False)
        for test in (test for test in answered if test["id"].startswith(f"{suite}/")):
            sources = dict.fromkeys("xyab", test["id"])
            lists = test["lists"] | {"titles": test["titles"], "sources": sources}
            found = answer(model, **lists, stage="quick")
            (record,) = (one for one in expected if one.test.id == test["id"])
            assert (found["record"] or found["quick"]).get("effect") == getattr(
                record, "effect", None
            )


def test_a_source_is_a_shipped_test_and_never_a_file(tmp_path: Path) -> None:
    file = tmp_path / "secret.toml"
    file.write_text("secret", encoding="utf-8")
    for source in (str(file), "caliskan2017", "../x"):
        with pytest.raises(UnknownNameError, match="test"):
            answer(sources={"x": source})


def test_a_list_keeps_what_is_known_of_its_words() -> None:
    source = "pestova/e1"
    (test,) = (test for suite in shipped_suites() for test in suite.tests if test.id == source)
    lists = {role: [word.word for word in test.sets[role].words] for role in "xyab"}
    lists["x"] = [*lists["x"], "пирог"]
    question = lists_request("navec-ru-small", **lists, sources=dict.fromkeys("xyab", source))
    suite = parse_suite(reproduce_snippets(models("navec-ru-small"), question)["toml"])
    (test_kept,) = suite.tests
    assert test_kept.language == "ru"
    assert test_kept.sets["x"].words[:-1] == test.sets["x"].words
    assert test_kept.sets["x"].words[-1].pos is None
    assert test_kept.sets["a"].concept == test.sets["a"].concept


def test_sensitive_lists_keep_their_reason() -> None:
    test = next(
        test
        for suite in shipped_suites()
        for test in suite.tests
        if test.sensitive_reason and "x" in test.sets
    )
    lists = {role: [word.word for word in test.sets[role].words] for role in "xyab"}
    sources = dict.fromkeys("xyab", test.id)
    found = answer("glove-hi-small", **lists, sources=sources, stage="quick")
    assert found["readings"]["sensitive"] == test.sensitive_reason


def test_other_published_lists_give_the_figures_of_a_robust_audit() -> None:
    source = "caliskan2017/weat-7"
    (expected,) = fairvec.audit("glove-en-small", suites=source, robust=True, categories=False)
    (test,) = (test for suite in shipped_suites() for test in suite.tests if test.id == source)
    lists = {role: [word.word for word in test.sets[role].words] for role in "xyab"}
    question = lists_request(**lists, sources=dict.fromkeys("xyab", source))
    found = answer_with_other_lists(models(), question)["swaps"]
    assert isinstance(expected, Result)
    assert expected.robustness
    swaps = [(one.source, one.effect, one.p) for one in expected.robustness.swaps]
    assert len(swaps) > 2
    assert swaps == [
        (one["source"], one["effect"], one["p"]) for one in found if one["effect"] is not None
    ]
    for one in found:
        assert one["significant"] == (one["p"] is not None and one["p"] <= 0.05)
        assert one["p_text"] == ("" if one["p"] is None else format_p(one["p"]))


@pytest.mark.parametrize(("p", "significant"), [(0.049, True), (0.05, True), (0.051, False)])
def test_a_p_at_the_level_is_marked_as_it_is_everywhere(p: float, significant: bool) -> None:
    swap = ListSwap(lists=("a", "b"), source="other/one", effect=0.5, p=p)
    assert ask._figures(swap)["significant"] is significant


def test_lists_of_no_published_concept_have_no_others() -> None:
    assert answer_with_other_lists(models(), lists_request()) == {"swaps": []}


def test_near_spellings_are_words_of_the_model() -> None:
    question = SpellingRequest(model="glove-en-small", word="phisics")
    assert "physics" in suggest_spellings(models(), question)["near"]


def test_of_the_long_questions_of_one_page_the_last_is_answered() -> None:
    turns, inside, leave = LatestOnly(), Event(), Event()
    answered: list[str] = []

    def ask(page: str, name: str) -> None:
        try:
            with turns.of(page):
                inside.set()
                leave.wait(10)
                answered.append(name)
        except SupersededError:
            answered.append(f"{name} overtaken")

    first = Thread(target=ask, args=("one", "first"))
    first.start()
    assert inside.wait(10)
    others = [
        Thread(target=ask, args=each)
        for each in (("one", "second"), ("two", "other"), ("one", "last"))
    ]
    noted = 1
    for thread in others:
        thread.start()
        noted += 1
        while turns._count < noted:  # its place is taken before the next one comes
            sleep(0.001)
    leave.set()
    for thread in (first, *others):
        thread.join(10)
    assert sorted(answered) == ["first", "last", "other", "second overtaken"]


@pytest.mark.parametrize("words", [1, 5, 200])
def test_a_rehearsal_minds_no_model(words: int) -> None:
    keys = [" ", *(f"{place}" * 90 for place in range(words))]
    vectors = np.random.default_rng(0).normal(size=(len(keys), 4))
    rehearse_answer(OpenModel("m", "m", Embedding(keys, vectors, name="m")))


# --- A question as a file, a command line and a program: each gives the same figures ---


@pytest.mark.parametrize(
    ("model", "fields"),
    [
        ("glove-en-small", {"title": 'Jobs "of" $(men)', "titles": {"x": "it's \\ `id`"}}),
        ("glove-en-small", {"x": [*LISTS["x"], *HOSTILE[:4]]}),
        (
            "glove-hi-small",
            {
                "x": ["गणित", "विज्ञान", "इंजीनियर", "डॉक्टर"],
                "y": ["कला", "नृत्य", "कविता", "संगीत"],
                "a": ["पुरुष", "लड़का", "पिता"],
                "b": ["महिला", "लड़की", "माता"],
            },
        ),
        (
            "glove-hi-small",
            published_test("bharti2021/b3"),
        ),  # two of its targets have variants alone
    ],
    ids=["titles", "hostile", "hindi", "variants"],
)
def test_file_command_and_python_give_the_same_figures(
    model: str,
    fields: dict[str, Any],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    expected = Result.model_validate(answer(model, **fields)["record"])
    texts = reproduce_snippets(models(model), lists_request(model, **fields))
    Path(texts["name"]).write_text(texts["toml"], encoding="utf-8")
    monkeypatch.setattr(sys, "argv", [*shlex.split(texts["command"]), "--json"])
    with pytest.raises(SystemExit) as exit_info:
        main()
    assert exit_info.value.code in (0, None)
    by_shell = json.loads(capsys.readouterr().out.splitlines()[0])
    run_program: dict[str, Any] = {}
    exec(texts["python"], run_program)
    for found in (Result.model_validate(by_shell), run_program["found"]):
        for field in ("effect", "p", "interval", "detectable", "verdict"):
            assert getattr(found, field) == getattr(expected, field)
        assert figures_of_words(found) == figures_of_words(expected)


def figures_of_words(result: Result) -> list[Any]:
    """What is measured of each word; glosses are for readers, and a program is given none."""
    return [(word.word, word.key, word.score, word.without) for word in result.words]


def test_a_shell_runs_nothing_that_stands_in_a_name(tmp_path: Path) -> None:
    embedding = models()["glove-en-small"].embedding
    name = "$(touch owned) it's.vec"
    open_page = OpenModels([OpenModel(name, name, embedding)])
    command = reproduce_snippets(open_page, lists_request(name))["command"]
    shell = ["sh", "-c", f"set -- {command}; printf '%s' \"$3\""]
    assert subprocess.run(shell, cwd=tmp_path, capture_output=True, text=True).stdout == name
    assert not (tmp_path / "owned").exists()


@pytest.mark.parametrize(
    "reading", [LOAD_DEFAULTS, LoadOptions(geometry="poincare", language=["hi", "ru"])]
)
def test_the_options_of_reading_are_in_command_and_python(reading: LoadOptions) -> None:
    embedding: Embedding = models()["glove-en-small"].embedding
    texts = reproduce_snippets(
        OpenModels([OpenModel("m", "m.vec", embedding, reading=reading)]),
        lists_request("m"),
    )
    options = "--geometry poincare --language hi --language ru" if reading != LOAD_DEFAULTS else ""
    assert texts["command"].partition(".toml ")[2] == options
    compile(texts["python"], "program", "exec")
    assert ("fairvec.load('m.vec', geometry='poincare'" in texts["python"]) == bool(options)
