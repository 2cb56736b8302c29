"""fairvec task sentiment, as a shell sees it."""

import csv
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest

from fairvec.embedding import save
from fairvec.results import Change, Description, Skipped, read_results
from fairvec.tasks.sentiment import predictions
from fairvec.tasks.sentiment.classifiers import fit_classifier
from tests.cli.conftest import Shell
from tests.tasks.sentiment.toy_reviews import embedding, reviews


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


def test_two_models_are_compared_and_the_run_is_kept(
    shell: Shell, data: Path, models: list[Path], tmp_path: Path
) -> None:
    good, poor = models
    asked = (
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
        *asked,
    )
    answer = shell(*command)
    assert answer.code == 0, answer.err
    assert "Dropped: 2 so-so." in answer.err
    assert "Calling every review by the commoner class is right in 66.7%." in answer.err
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
    asked = ("--network", "means", "--seeds", 2, "--folds", 2, "--json", "--language", "en")
    answer = shell("task", "sentiment", "--data", data, "--model", models[0], *NAMED, *asked)
    assert answer.code == 0, answer.err
    assert [line[:1] for line in answer.out.splitlines()] == ["{"] * 9
    answer = shell(
        *("task", "sentiment", "--data", data, "--model", models[0], *NAMED, *asked, "--no-equity")
    )
    assert [line[:1] for line in answer.out.splitlines()] == ["{"] * 7


@pytest.mark.parametrize(
    ("changed", "said"),
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
    shell: Shell, data: Path, models: list[Path], changed: dict[str, str], said: str
) -> None:
    given = {"--data": str(data), "--model": str(models[0]), "--network": "means"}
    given |= dict(zip(NAMED[::2], NAMED[1::2], strict=True)) | changed
    answer = shell("task", "sentiment", *(part for pair in given.items() for part in pair))
    assert answer.code == 2
    assert said in " ".join(answer.err.split())
    assert "Traceback" not in answer.err


def test_a_review_set_is_no_benchmark_of_words(
    shell: Shell, models: list[Path], shared_data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FAIRVEC_DATA", str(shared_data))
    answer = shell("benchmarks", "ask", models[0], "iitp-movie-reviews")
    assert answer.code == 2
    assert "fairvec task sentiment --data iitp-movie-reviews" in answer.err


@pytest.mark.parametrize(
    ("whole", "told"),
    [(0, "before a training was finished"), (1, "1 training is kept"), (2, "2 trainings are kept")],
)
def test_interrupted_it_says_what_is_kept(
    shell: Shell, data: Path, models: list[Path], tmp_path: Path, whole: int, told: str
) -> None:
    calls = iter(range(100))

    def interrupted(*given: Any, **named: Any) -> Any:
        if next(calls) == whole:
            raise KeyboardInterrupt
        return fit_classifier(*given, **named)

    asked = ("--network", "means", "--seeds", 1, "--folds", 3, "--language", "en", "--no-equity")
    said = ("--data", data, "--model", models[0], *NAMED, *asked)
    with patch.object(predictions, "fit_classifier", interrupted):
        answer = shell("task", "sentiment", *said, "-o", tmp_path / "run")
    assert (answer.code, answer.out) == (130, "")
    assert told in answer.err
    assert "the same command" in answer.err
    assert len([*(tmp_path / "run" / "trainings").glob("*.json")]) == whole


def test_interrupted_without_a_folder_nothing_is_kept(
    shell: Shell, data: Path, models: list[Path]
) -> None:
    pytest.importorskip("torch", reason="torch is not installed")
    with patch.object(predictions, "fit_classifier", side_effect=KeyboardInterrupt):
        answer = shell("task", "sentiment", "--data", data, "--model", models[0], *NAMED)
    assert answer.code == 130
    assert answer.err.endswith("Interrupted; nothing is kept: with -o FOLDER it could go on.\n")
