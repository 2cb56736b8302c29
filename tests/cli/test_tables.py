"""The answers for categories in the terminal, in compare and in check."""

import json
import re
from pathlib import Path

import pytest

import fairvec
from fairvec.cli import tables
from fairvec.experiments.audit.categories import category_answers
from fairvec.report import as_csv, as_latex, audit_table
from fairvec.report.arrange import all_series
from fairvec.report.page import render, series_with_described
from fairvec.results import Outcome, write_results
from fairvec.results.records import CategoryAnswer
from tests import toys
from tests.cli.conftest import Shell, write_model
from tests.experiments.toys import Drawn, embedding, outcomes_of, suite_of
from tests.results.toys import skipped

SUITE = suite_of(
    Drawn("gender", seed=1), Drawn("gender", seed=2), Drawn("race", seed=3), Drawn("race", seed=4)
)


@pytest.fixture
def failing_pool(monkeypatch: pytest.MonkeyPatch) -> None:
    """No category can be pooled."""

    def fail(*_: object, **__: object) -> None:
        raise ZeroDivisionError("oh")

    monkeypatch.setattr("fairvec.experiments.audit.categories._pool_single_test", fail)


def test_one_sentence_a_category_stands_above_the_tests(
    shell: Shell, model_file: Path, suite_file: Path
) -> None:
    first, blank, heading = shell("audit", model_file, "-s", suite_file).out.splitlines()[:3]
    assert first.startswith("Gender: biased. X words are associated with a words")
    assert "p = 0.0079)" in first
    assert first == first.rstrip()
    assert blank == ""
    assert heading.startswith("Verdict")


def test_a_narrow_terminal_breaks_between_words(
    monkeypatch: pytest.MonkeyPatch, shell: Shell, model_file: Path, suite_file: Path
) -> None:
    from fairvec.cli.console import out

    whole = shell("audit", model_file, "-s", suite_file).out.splitlines()[0]
    monkeypatch.setattr(out, "width", 80)
    lines = shell("audit", model_file, "-s", suite_file).out.partition("\n\n")[0].splitlines()
    assert len(lines) > 1
    assert max(map(len, lines)) <= 80
    assert " ".join(line.rstrip() for line in lines) == whole


def test_models_and_metrics_stand_over_their_own_answers(
    shell: Shell, suite_file: Path, tmp_path: Path
) -> None:
    models = [write_model(tmp_path / name, bias) for name, bias in (("[b]a.vec", 1), ("c.vec", 0))]
    lines = shell("audit", *models, "-s", suite_file, "-m", "weat", "-m", "seat").out.splitlines()
    headings = ["[b]a, weat", "[b]a, seat", "c, weat", "c, seat"]
    assert [line for line in lines if line in headings] == headings
    for heading in headings:
        assert lines[lines.index(heading) + 1].startswith("Gender: ")


def test_a_category_that_no_test_answers_has_a_sentence_without_an_answer(
    shell: Shell, suite_file: Path
) -> None:
    answer = shell("audit", "glove-hi-small", "-s", suite_file)
    assert answer.code == 2
    first = answer.out.splitlines()[0]
    assert first.startswith("Gender: no answer")
    assert "skipped" in first
    two = toys.suite_text() + toys.suite_text().partition("[[tests]]")[2].join(
        ["[[tests]]", ""]
    ).replace('"one"', '"two"')
    suite_file.write_text(two, encoding="utf-8")
    answer = shell("audit", "glove-hi-small", "-s", suite_file)
    assert answer.out.startswith("Gender: no answer")
    assert "none of its 2 tests" in answer.out
    answer = shell("audit", "glove-en-small", "-s", "bolukbasi2016", "-m", "direct-bias")
    assert answer.out.startswith("Verdict")


@pytest.mark.usefixtures("failing_pool")
def test_a_fault_while_pooling_is_printed_and_the_tests_are_written(
    shell: Shell, model_file: Path, suite_file: Path, tmp_path: Path
) -> None:
    answer = shell("audit", model_file, "-s", suite_file, "-o", tmp_path / "run")
    assert answer.code == 3
    assert answer.out.startswith("Gender: no answer. This is a fault of fairvec")
    assert "1 of 2 results met a fault, the first category/gender: This is" in answer.err
    measured, refused = fairvec.read_results(tmp_path / "run")
    assert (measured.status, refused.status) == ("measured", "skipped")
    assert "category/gender" in (tmp_path / "run" / "report.html").read_text(encoding="utf-8")


def test_tables_and_sections_of_tests_leave_answers_out() -> None:
    tests = outcomes_of(SUITE)
    answers = category_answers(tests)
    shared = {name: getattr(answers[0], name) for name in ("test", "model", "described")}
    refused = skipped().model_copy(update=shared)
    every: list[Outcome] = [*tests, *answers, refused]
    assert as_latex([*tests, refused]) == as_latex(tests)
    assert len(audit_table(every).rows) == len(audit_table(tests).rows)
    assert [len(one.entries) for one in all_series(every)] == [len(tests)]
    assert len(series_with_described([*answers, refused], ())) == 0
    assert len(as_csv(every).splitlines()) == 1 + len(every)
    assert "Gender" in render(every)
    assert render([*answers])


def test_compare_shows_categories_first(shell: Shell, tmp_path: Path) -> None:
    for name, seed in (("[red]one", 0), ("two", 7)):
        outcomes = outcomes_of(SUITE, of=embedding(seed, name=name))
        write_results([*outcomes, *category_answers(outcomes)], tmp_path / name)
    runs = (tmp_path / "[red]one", tmp_path / "two")
    answer = shell("compare", *runs)
    assert answer.code == 0
    gender, race, blank, title = answer.out.splitlines()[:4]
    assert gender.startswith("Gender: no change shown, d ")
    assert race.startswith("Race: ")
    assert gender.endswith("; 2 tests).")
    assert (blank, title.strip()) == ("", "[red]one → two")
    rows = [json.loads(line) for line in shell("compare", *runs, "--json").out.splitlines()]
    assert [row["test"] for row in rows] == [
        *("category/gender", "category/race"),
        *(f"s/t{number}" for number in range(4)),
    ]
    assert len({tuple(row) for row in rows}) == 1


def test_runs_of_before_there_were_answers_are_read_and_compared(
    shell: Shell, tmp_path: Path
) -> None:
    for name in ("old", "new"):
        outcomes = outcomes_of(SUITE, of=embedding(name=name))
        answers = category_answers(outcomes) if name == "new" else []
        write_results([*outcomes, *answers], tmp_path / name)
    assert [one.status for one in fairvec.read_results(tmp_path / "old")] == ["measured"] * 4
    answer = shell("compare", tmp_path / "old", tmp_path / "new")
    assert re.match(r"Gender: unchanged, d \S+ → \S+ \(change 0\.00", answer.out)
    assert "in one run only" not in answer.err
    assert shell("report", tmp_path / "old").code == 0
    assert shell("check", tmp_path / "old", "--fail-if", "status == 'pooled'").code == 2


def test_a_category_is_a_row_that_can_be_named(shell: Shell, tmp_path: Path) -> None:
    outcomes = outcomes_of(SUITE)
    write_results([*outcomes, *category_answers(outcomes)], tmp_path)
    answer = shell("check", tmp_path, "--fail-if", "status == 'pooled' and category == 'gender'")
    assert answer.code == 1
    assert answer.out.startswith("model=drawn  test=category/gender  effect=")
    assert "1 of 6 results meets" in answer.err
    assert "5 of 6" not in shell("check", tmp_path, "--fail-if", "p <= 1").err
    assert "4 of 6" in shell("check", tmp_path, "--fail-if", "status == 'measured'").err
    # Words are counted in the rows of tests: an answer is not a test of which nothing was found.
    assert shell("check", tmp_path, "--fail-if", "coverage < 0.5").code == 0


def test_a_category_without_an_answer_is_named_by_its_language(
    shell: Shell, suite_file: Path, tmp_path: Path
) -> None:
    english = suite_file.read_text(encoding="utf-8")
    hindi = english.replace('language = "en"', 'language = "hi"').replace('id = "toy"', 'id = "h"')
    assert hindi != english
    (tmp_path / "hindi.toml").write_text(hindi, encoding="utf-8")
    both = ("-s", suite_file, "-s", tmp_path / "hindi.toml")
    lines = shell("audit", "glove-hi-small", *both).out.splitlines()
    assert [line.partition(":")[0] for line in lines[:2]] == ["Gender (en)", "Gender (hi)"]


@pytest.mark.parametrize("languages", [("en",), ("en", "hi")])
def test_a_category_and_its_verdict_stand_out_in_whatever_languages(
    languages: tuple[str, ...],
) -> None:
    suites = [
        suite_of(Drawn(), Drawn(seed=1), Drawn("race", seed=2), id=f"s-{code}", language=code)
        for code in languages
    ]
    answers = category_answers(outcomes_of(*suites, of=embedding(3)))
    assert len(answers) == 2 * len(languages)
    for one in answers:
        assert isinstance(one, CategoryAnswer)
        for kind, style in (("biased", "bold red"), ("no-evidence", "bold")):
            name = one.verdict.sentence.partition(": ")[0]
            sentence = f"{name}: {kind.replace('-', ' ')} (d 1.2)."
            verdict = one.verdict.model_copy(update={"kind": kind, "sentence": sentence})
            line = tables._sentence(one.model_copy(update={"verdict": verdict}))
            assert line.plain == sentence
            (span,) = line.spans
            assert (line.plain[span.start : span.end], span.style) == (
                f"{name}: {kind.replace('-', ' ')}",
                style,
            )
