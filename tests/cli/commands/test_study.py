"""fairvec study and fairvec task sentiment run a plan, go on where it stopped and show answers."""

import csv
from itertools import permutations, product
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest

from fairvec.cli.commands import study as module
from fairvec.embedding import save
from fairvec.experiments.study import study as running
from fairvec.experiments.study.answers import answer_tests
from fairvec.experiments.study.cells import CellTask, run_cell
from fairvec.experiments.study.plan import parse_study
from fairvec.experiments.study.study import Study
from fairvec.lexicon.suite_files import SelectedTest, parse_suite
from fairvec.report.study import shares_table
from fairvec.results import Skipped, read_results
from fairvec.results.records import Change, Description
from fairvec.results.study import CellRecord, StudyAnswer, StudyCell, StudyHeader, read_study_lines
from fairvec.tasks.sentiment import predictions
from fairvec.tasks.sentiment.classifiers import fit_classifier
from fairvec.training import cluster as scheduler
from tests.cli.conftest import Shell
from tests.experiments.study.toys import PLAN, SUITE, cell, place, sentences, write_study_files
from tests.tasks.toys import embedding, reviews

# --- study ---


def test_records_tables_and_page_are_left_and_the_same_again(shell: Shell, tmp_path: Path) -> None:
    plan, folder = write_study_files(tmp_path), tmp_path / "out"
    answer = shell("study", plan, "-o", folder)
    assert answer.code == 0, answer.err
    assert "8 cells; roughly a minute or less on one core." in answer.err
    assert "toy/one: " in answer.out
    assert "corpus kind" in answer.out
    assert "Seeds" in answer.out
    cells = [line for line in read_study_lines(folder) if isinstance(line, StudyCell)]
    assert len(cells) == 8
    page = (folder / "report.html").read_bytes()
    again = shell("study", plan, "-o", folder)
    assert (again.code, again.out) == (0, answer.out)
    assert "8 of them done already: nothing left to train." in again.err
    (folder / "report.html").unlink()
    assert shell("report", folder).code == 0
    assert (folder / "report.html").read_bytes() == page


def printed(capsys: pytest.CaptureFixture[str], *below: float) -> str:
    """Return what the shell shows of an answer whose shares these are, 0 being below it."""
    cells = [
        cell(place(corpus, seed, window=window), seed + window * len(corpus))
        for corpus, window, seed in product(("news", "book", "talk"), (2, 5), (1, 2))
    ]
    suite = parse_suite(SUITE.replace("'", '"'), "toy")
    (one,) = answer_tests(cells, [SelectedTest(suite, test) for test in suite.tests])
    assert isinstance(one, StudyAnswer)
    terms = tuple(
        term.model_copy(update={"omega2": share, "was_negative": share == 0})
        for term, share in zip(one.explained, below, strict=True)
    )
    head = StudyHeader(
        title="", plan={}, factors={}, corpora=(), shared_words=9, remarks=(), versions={}
    )
    module._show(Study(head, (one.model_copy(update={"explained": terms}),), tuple(cells)))
    return capsys.readouterr().out


def test_a_share_below_zero_is_marked_and_the_mark_is_explained(
    capsys: pytest.CaptureFixture[str],
) -> None:
    plain = printed(capsys, 0.5, 0.3, 0.1)
    assert "*" not in plain
    marked = printed(capsys, 0.0, 0.9, 0.0)
    line = next(line for line in marked.splitlines() if "90%" in line)
    assert [word for word in line.split() if "%" in word][:3] == ["0%*", "90%", "0%*"]
    assert "\n* An estimate below 0 is shown as 0, so that a line can add up to" in marked


def test_an_interrupted_study_names_what_is_stored(
    shell: Shell, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plan, folder = write_study_files(tmp_path), tmp_path / "out"
    left = [0]

    def until(task: CellTask) -> CellRecord:
        if left[0] == 0:
            raise KeyboardInterrupt
        left[0] -= 1
        return run_cell(task)

    monkeypatch.setattr(running, "run_cell", until)
    answer = shell("study", plan, "-o", folder)
    assert answer.code == 130
    assert answer.err.count("Interrupted") == 1
    assert "Interrupted before a cell was finished" in answer.err
    left[0] = 3
    answer = shell("study", plan, "-o", folder)
    assert answer.code == 130
    assert f"Interrupted; 3 cells are kept in {folder}: run the same command again" in answer.err
    left[0] = 5
    assert shell("study", plan, "-o", folder).code == 0


def test_processes_beside_one_another_find_the_same(shell: Shell, tmp_path: Path) -> None:
    plan = write_study_files(tmp_path, PLAN.replace("[2, 4]", "[2]"))
    alone = shell("study", plan, "-o", tmp_path / "one")
    beside = shell("study", plan, "-o", tmp_path / "two", "--jobs", 2)
    assert (beside.code, beside.out) == (0, alone.out)
    assert alone.out.startswith("2 seeds cannot show a difference: ")


def test_each_p_stands_beside_its_own_factor(capsys: pytest.CaptureFixture[str]) -> None:
    cells = [
        cell(place(corpus, seed, window=window), seed + window * len(corpus))
        for corpus, window, seed in product(("news", "book", "talk"), (2, 5), (1, 2))
    ]
    suite = parse_suite(SUITE.replace("'", '"'), "toy")
    (one,) = answer_tests(cells, [SelectedTest(suite, test) for test in suite.tests])
    assert isinstance(one, StudyAnswer)
    p: dict[tuple[str, ...], float] = {("corpus",): 0.11, ("window",): 0.22}
    terms = [term.model_copy(update={"p_holm": p.get(term.factors)}) for term in one.explained]
    for order in permutations(terms):
        answer = one.model_copy(update={"explained": order})
        table = shares_table([answer])
        shown = dict(zip((one.heading for one in table.columns), table.rows[0].cells, strict=True))
        assert str(shown["Corpus"]).endswith("(Holm p 0.11)")
        assert str(shown["Window"]).endswith("(Holm p 0.22)")
        assert "p" not in str(shown["Factors together"])


def test_a_new_plan_is_written_once_and_can_be_read(shell: Shell, tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    answer = shell("study", "new", file, "--language", "ru")
    assert answer.code == 0, answer.err
    assert parse_study(file.read_text(encoding="utf-8"), "mine").suites == ("pestova",)
    again = shell("study", "new", file)
    assert again.code == 2
    assert "exists already" in again.err
    assert "is a .toml file" in shell("study", "new", tmp_path / "mine.txt").err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["{plan}"], "say -o FOLDER"),
        (["new"], "PLAN is missing; write 'fairvec study new PLAN'"),
        (["{plan}", "{plan}", "-o", "{out}"], "'fairvec study PLAN' takes no more"),
        (["{plan}.absent", "-o", "{out}"], "study file cannot be read"),
        (["{plan}", "-o", "{plan}"], "holds something else"),
        (["{plan}", "-o", "{folder}"], "holds something else"),
        (["{plan}", "-o", "{out}", "--scheduler", "here"], "is no address of a scheduler"),
        (
            ["{plan}", "-o", "{out}", "--scheduler", "tcp://127.0.0.1:9", "--jobs", "2"],
            "leave one of them out",
        ),
        (["{plan}", "-o", "{out}", "--scheduler", "tcp://127.0.0.1:9"], "No scheduler answers at"),
    ],
    ids=[
        "no folder",
        "new",
        "two plans",
        "no plan",
        "a file as folder",
        "somebody else's folder",
        "no address",
        "jobs here and there",
        "a dead scheduler",
    ],
)
def test_a_slip_is_one_sentence_and_leaves_nothing(
    shell: Shell,
    arguments: list[str],
    message: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(scheduler, "CONNECT_SECONDS", 1)
    plan, out = write_study_files(tmp_path), tmp_path / "out"
    given = [one.format(plan=plan, out=out, folder=tmp_path) for one in arguments]
    answer = shell("study", *given)
    assert answer.code == 2
    assert message in answer.err
    assert not out.exists()


def test_corpora_with_times_have_a_trend(shell: Shell, tmp_path: Path) -> None:
    plan = write_study_files(tmp_path)
    (tmp_path / "late.txt").write_text(sentences(0.8, 3))
    text = plan.read_text().replace("windows = [2, 4]", "windows = [3]")
    text = text.replace("[models.glove]", 'late = ["late.txt"]\n\n[models.glove]')
    plan.write_text(f"{text}\n[when]\nplain = 1950\nkind = 1970\nlate = 1990\n")
    answer = shell("study", plan, "-o", tmp_path / "out")
    assert answer.code == 0, answer.err
    assert "toy/one: So few corpora cannot show a trend" in answer.out
    assert "p cannot be below 0.33" in answer.out


def test_a_study_that_is_refused_before_any_work_leaves_nothing(
    shell: Shell, tmp_path: Path
) -> None:
    plan = write_study_files(tmp_path)
    (tmp_path / "kind.txt").write_text("... !?\n")
    answer = shell("study", plan, "-o", tmp_path / "deep" / "out")
    assert (answer.code, "the corpus holds no word" in answer.err) == (2, True)
    assert not (tmp_path / "deep").exists()


# --- fairvec task sentiment, as a shell sees it ---


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """A file of 60 reviews and two that are neither."""
    path = tmp_path / "ours.csv"
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["Comment", "stars"])
        writer.writerows((r.text, "up" if r.positive else "down") for r in reviews().reviews)
        writer.writerows([("word1", "so-so"), ("word2", "so-so")])
    return path


@pytest.fixture
def models(tmp_path: Path) -> list[Path]:
    """A model that knows the words, and one that confuses them."""
    paths = [tmp_path / "good.vec", tmp_path / "poor.vec"]
    for path, strength in zip(paths, (1.0, 0.0), strict=True):
        save(embedding(strength, name=path.stem), path)
    return paths


NAMED = (
    "--text-column",
    "comment",
    "--label-column",
    "stars",
    "--labels",
    "up=positive,down=negative",
)


def test_two_models_are_compared_and_the_run_is_stored(
    shell: Shell, data: Path, models: list[Path], tmp_path: Path
) -> None:
    good, poor = models
    options = (
        "--network",
        "means",
        "--seeds",
        5,
        "--folds",
        3,
        "--language",
        "en",
        "-o",
        tmp_path / "run",
    )
    command = (
        "task",
        "sentiment",
        "--data",
        data,
        "--model",
        good,
        "--model",
        poor,
        *NAMED,
        *options,
    )
    answer = shell(*command)
    assert answer.code == 0, answer.err
    assert "Dropped: 2 so-so." in answer.err
    assert "right for 66.7%." in answer.err
    line = next(line for line in answer.out.splitlines() if "poor" in line)
    assert "lost" in line
    assert "against" in answer.out
    outcomes = read_results(tmp_path / "run")
    figures = [one for one in outcomes if one.test.use]
    assert {type(one) for one in figures} == {Description, Change}
    assert len(figures) == 3 * 7
    # The toys know no person, and that is said of both sets of sentences and both models.
    skipped = [one for one in outcomes if isinstance(one, Skipped)]
    assert [one.test.category for one in skipped] == ["gender", "race"] * 2
    assert "The same sentence about two groups" in answer.out
    assert "Sentiment of reviews" in (tmp_path / "run" / "report.html").read_text(encoding="utf-8")
    with patch.object(predictions, "fit_classifier", side_effect=AssertionError):
        again = shell(*command)
    assert (again.code, again.out) == (0, answer.out)


def test_lines_of_json_on_request(shell: Shell, data: Path, models: list[Path]) -> None:
    options = ("--network", "means", "--seeds", 2, "--folds", 2, "--json", "--language", "en")
    answer = shell("task", "sentiment", "--data", data, "--model", models[0], *NAMED, *options)
    assert answer.code == 0, answer.err
    assert [line[:1] for line in answer.out.splitlines()] == ["{"] * 9
    answer = shell(
        *(
            "task",
            "sentiment",
            "--data",
            data,
            "--model",
            models[0],
            *NAMED,
            *options,
            "--no-equity",
        )
    )
    assert [line[:1] for line in answer.out.splitlines()] == ["{"] * 7


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"--labels": "up=positive"}, "name none as negative"),
        ({"--labels": "a=positive,b=negative"}, "'up' (40)"),
        ({"--text-column": "coment"}, "did you mean Comment"),
        ({"--data": "absent.csv"}, "absent.csv: the review file cannot be read"),
        ({"--data": "iitp-movies"}, "did you mean iitp-movie-reviews"),
        ({"--folds": "21"}, "20 negative reviews of different texts, fewer than the 21 folds"),
        ({"--method": "hard"}, "name both or neither"),
        ({"--method": "harder", "--concept": "en/gender"}, "did you mean hard"),
        ({"--model": "python:os:getcwd"}, "is an encoder"),
    ],
    ids=lambda each: "-".join(each) if isinstance(each, dict) else "",
)
def test_slips_are_answered_in_one_sentence(
    shell: Shell, data: Path, models: list[Path], changed: dict[str, str], message: str
) -> None:
    given = {"--data": str(data), "--model": str(models[0]), "--network": "means"}
    given |= dict(zip(NAMED[::2], NAMED[1::2], strict=True)) | changed
    answer = shell("task", "sentiment", *(part for pair in given.items() for part in pair))
    assert answer.code == 2
    assert message in " ".join(answer.err.split())
    assert "Traceback" not in answer.err


def test_a_review_set_is_no_benchmark_of_words(
    shell: Shell, models: list[Path], shared_data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FAIRVEC_DATA", str(shared_data))
    answer = shell("benchmarks", "ask", models[0], "iitp-movie-reviews")
    assert answer.code == 2
    assert "fairvec task sentiment --data iitp-movie-reviews" in answer.err


@pytest.mark.parametrize(
    ("whole", "message"),
    [(0, "before a training was finished"), (1, "1 training is kept"), (2, "2 trainings are kept")],
)
def test_an_interruption_names_what_is_stored(
    shell: Shell, data: Path, models: list[Path], tmp_path: Path, whole: int, message: str
) -> None:
    calls = iter(range(100))

    def interrupted(*given: Any, **named: Any) -> Any:
        if next(calls) == whole:
            raise KeyboardInterrupt
        return fit_classifier(*given, **named)

    options = ("--network", "means", "--seeds", 1, "--folds", 3, "--language", "en", "--no-equity")
    arguments = ("--data", data, "--model", models[0], *NAMED, *options)
    with patch.object(predictions, "fit_classifier", interrupted):
        answer = shell("task", "sentiment", *arguments, "-o", tmp_path / "run")
    assert (answer.code, answer.out) == (130, "")
    assert message in answer.err
    assert "the same command" in answer.err
    assert len([*(tmp_path / "run" / "trainings").glob("*.json")]) == whole


def test_interrupted_without_a_folder_nothing_is_stored(
    shell: Shell, data: Path, models: list[Path]
) -> None:
    pytest.importorskip("torch", reason="torch is not installed")
    with patch.object(predictions, "fit_classifier", side_effect=KeyboardInterrupt):
        answer = shell("task", "sentiment", "--data", data, "--model", models[0], *NAMED)
    assert answer.code == 130
    assert answer.err.endswith("Interrupted; nothing is kept: with -o FOLDER it could go on.\n")
