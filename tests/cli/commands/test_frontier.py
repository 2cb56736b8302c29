import itertools
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from fairvec.embedding import Embedding, load, save
from fairvec.embedding.embedding import Step
from fairvec.experiments.frontier.frontier import TrialCache
from fairvec.results import Point, Trial, read_frontier
from tests.cli.conftest import Shell

FEW = ["glove-hi-small", "--concept", "hi/gender", "-s", "malik2022/gender-adjectives"]
ONE = ["--method", "linear-projection", "--strengths", "0.5,1"]


def test_points_table_and_report_are_left(shell: Shell, tmp_path: Path) -> None:
    folder = tmp_path / "run"
    suites = ["-s", "malik2022"]
    answer = shell("frontier", *FEW[:3], *suites, *ONE, "-o", folder)
    assert answer.code == 0, answer.err
    assert "linear-projection at 0.5" in answer.out
    assert "No bias test of the concept is significant" in answer.out
    assert "chosen without it" in answer.out
    points = [line for line in read_frontier(folder) if isinstance(line, Point)]
    assert [one.strength for one in points] == [0.0, 0.5, 1.0]
    page = (folder / "report.html").read_text(encoding="utf-8")
    (folder / "report.html").unlink()
    again = shell("frontier", *FEW[:3], *suites, *ONE, "-o", folder)
    assert (again.code, again.out) == (0, answer.out)
    assert shell("report", folder).code == 0
    assert (folder / "report.html").read_text(encoding="utf-8") == page


def test_another_model_stands_beside(shell: Shell, tmp_path: Path) -> None:
    changed = tmp_path / "a=b.fairvec"
    model = load("glove-hi-small")
    rows = [row for row, key in enumerate(model.keys) if key != "गणित"]
    vectors, keys = np.array(model.vectors)[rows, ::-1], [model.keys[row] for row in rows]
    trained = Embedding(keys, vectors, model.geometry, "trained", (Step("trained"),))
    save(trained, changed)
    given = [*FEW[:3], "-s", "malik2022", *ONE, "-o", tmp_path / "run"]
    answer = shell("frontier", *given, "--beside", f"{changed}=mine")
    assert answer.code == 0, answer.err
    assert "mine (another model)" in answer.out
    assert "mine (another model): It has other words in malik2022/maths-arts" in answer.err
    *_, point = (line for line in read_frontier(tmp_path / "run") if isinstance(line, Point))
    assert (point.method, point.other is not None) == ("mine", True)
    twice = shell("frontier", *given, "--beside", f"{changed}=mine", "--beside", f"{changed}=mine")
    assert (twice.code, "Two models beside are called 'mine'" in twice.err) == (2, True)


def test_the_frontier_of_another_model_is_not_written_over(shell: Shell, tmp_path: Path) -> None:
    one = ["--method", "linear-projection", "--strengths", "1", "-s", "malik2022", "-o", tmp_path]
    assert shell("frontier", *FEW[:3], *one).code == 0
    kept = (tmp_path / "frontier.jsonl").read_bytes()
    answer = shell("frontier", "glove-en-small", "--concept", "en/gender:apart", *one)
    assert answer.code == 2
    assert "holds the frontier of glove-hi-small; choose another folder" in answer.err
    assert (tmp_path / "frontier.jsonl").read_bytes() == kept


def test_a_folder_of_something_else_is_left_alone(shell: Shell, tmp_path: Path) -> None:
    (tmp_path / "results.jsonl").write_text("mine", encoding="utf-8")
    answer = shell("frontier", *FEW, *ONE, "-o", tmp_path)
    assert (answer.code, "holds something else" in answer.err) == (2, True)


def test_strengths_that_are_no_numbers_are_refused(shell: Shell, tmp_path: Path) -> None:
    answer = shell("frontier", *FEW, "--strengths", "0.5;1", "-o", tmp_path)
    assert (answer.code, "with commas between" in answer.err) == (2, True)


@pytest.mark.parametrize(
    ("whole", "told"), [(0, "before a point was found"), (1, "1 point is kept")]
)
def test_interrupted_it_says_what_is_kept(
    shell: Shell, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, whole: int, told: str
) -> None:
    get = TrialCache.get
    asked = itertools.count()

    def interrupted(cache: TrialCache, about: dict[str, Any], make: Callable[[], Trial]) -> Trial:
        if next(asked) == whole:
            raise KeyboardInterrupt
        return get(cache, about, make)

    with monkeypatch.context() as patch:
        patch.setattr(TrialCache, "get", interrupted)
        answer = shell("frontier", *FEW[:3], "-s", "malik2022", *ONE, "-o", tmp_path / "run")
    assert (answer.code, answer.out) == (130, "")
    assert told in answer.err
    assert "the same command" in answer.err
    assert len([*(tmp_path / "run" / "points").glob("*.json")]) == whole
    assert shell("frontier", *FEW[:3], "-s", "malik2022", *ONE, "-o", tmp_path / "run").code == 0


def test_a_frontier_that_is_refused_before_any_work_leaves_nothing(
    shell: Shell, tmp_path: Path
) -> None:
    asked = ["glove-en-small", "--concept", "hi/gender", "-s", "malik2022"]
    answer = shell("frontier", *asked, *ONE, "-o", tmp_path / "new" / "run")
    assert (answer.code, "measures bias left" in answer.err) == (2, True)
    assert not [*tmp_path.iterdir()]
