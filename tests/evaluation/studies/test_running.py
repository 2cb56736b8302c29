import pickle
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

import pytest

from fairvec.core.errors import SettingError, TrainingError
from fairvec.embedding import load
from fairvec.experiments.study import cells as cells_module
from fairvec.experiments.study.cells import CellTask, run_cell
from fairvec.experiments.study.plan import read_study
from fairvec.experiments.study.study import Study, build_grid, rough_seconds, study
from fairvec.results import (
    CellRecord,
    FailedCell,
    RefusedAnswer,
    StudyAnswer,
    StudyCell,
    read_study_lines,
    write_study,
)
from tests.evaluation.studies.toy import PLAN, SUITE, X, write_study_files


class Counted:
    """A mapping that counts its tasks, and breaks off after some."""

    def __init__(self, at_most: int = 100) -> None:
        self.at_most, self.done = at_most, 0

    def __call__(
        self, function: Callable[[CellTask], CellRecord], tasks: Sequence[CellTask]
    ) -> Iterable[CellRecord]:
        for task in tasks:
            if self.done == self.at_most:
                raise KeyboardInterrupt
            self.done += 1
            # As a scheduler would send it.
            yield pickle.loads(pickle.dumps(function))(pickle.loads(pickle.dumps(task)))


def run(path: Path, mapping: Counted | None = None, *, keep_models: bool = False) -> Study:
    folder = path.parent / "out"
    return study(read_study(path), folder, mapping=mapping or Counted(), keep_models=keep_models)


def without_time(found: Study) -> list[CellRecord]:
    return [
        c.model_copy(update={"seconds": 0}) if isinstance(c, StudyCell) else c for c in found.cells
    ]


def test_a_study_finds_the_corpus_that_leans(tmp_path: Path) -> None:
    found = run(write_study_files(tmp_path))
    (answer,) = found.answers
    assert isinstance(answer, StudyAnswer)
    means = {level.level: level.mean for level in answer.levels if level.factor == "corpus"}
    assert means["kind"] > means["plain"] + 0.3
    assert found.head.shared_words == 28
    lines = found.lines
    assert read_study_lines(write_study(lines, tmp_path / "out").parent) == lines


def test_an_interrupted_study_goes_on_and_a_finished_one_trains_nothing(tmp_path: Path) -> None:
    path = write_study_files(tmp_path)
    with pytest.raises(KeyboardInterrupt):
        run(path, Counted(3))
    rest = Counted()
    found = run(path, rest)
    assert rest.done == 5
    again = Counted(0)
    assert run(path, again).lines == found.lines
    assert again.done == 0
    (tmp_path / "other").mkdir()
    whole = run(write_study_files(tmp_path / "other"))
    assert without_time(whole) == without_time(found)


@pytest.mark.parametrize(
    ("old", "new", "trained"),
    [
        ("seeds = [1, 2]", "seeds = [1, 2, 3]", 4),
        ("epochs = 3", "epochs = 4", 8),
        ("min_count = 2", "min_count = 3", 8),
        ("kind = [", "renamed = [", 0),
        ("[models.glove]", "[models.mine]\nkind = 'glove'", 0),
    ],
    ids=["another seed", "more epochs", "another cut", "a renamed corpus", "a renamed model"],
)
def test_only_what_changed_is_trained(old: str, new: str, trained: int, tmp_path: Path) -> None:
    path = write_study_files(tmp_path)
    run(path)
    path.write_text(PLAN.replace(old, new))
    counted = Counted()
    found = run(path, counted)
    assert counted.done == trained
    assert {cell.place.corpus for cell in found.cells} == set(read_study(path).plan.corpora)


def test_other_words_in_a_suite_are_measured_anew(tmp_path: Path) -> None:
    path = write_study_files(tmp_path)
    run(path)
    suite = tmp_path / "toy.toml"
    suite.write_text(suite.read_text().replace('"daisy"', '"worda"'))
    counted = Counted()
    run(path, counted)
    assert counted.done == 8


def test_another_version_of_what_trains_is_another_cell(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    checked = read_study(write_study_files(tmp_path))
    now = {task.key for task in build_grid(checked, tmp_path / "out").tasks}
    assert now == {task.key for task in build_grid(checked, tmp_path / "out").tasks}
    monkeypatch.setattr(cells_module, "version_of_package", lambda name: "0")
    assert now.isdisjoint(task.key for task in build_grid(checked, tmp_path / "out").tasks)


def test_cells_are_asked_with_the_words_that_all_corpora_have(tmp_path: Path) -> None:
    path = write_study_files(tmp_path)
    plain = tmp_path / "plain.txt"
    plain.write_text(plain.read_text().replace(X[0], "other"))
    found = run(path)
    counts = {e.words for c in found.cells if isinstance(c, StudyCell) for e in c.effects}
    assert counts == {15}


def test_a_cell_that_fails_is_a_record_and_the_rest_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = write_study_files(tmp_path)
    trained = cells_module._train

    def failing(task: CellTask) -> object:
        if task.place.corpus == "kind" and task.place.window == 4 and task.place.seed == 2:
            raise TrainingError("It ran away; lower the rate.")
        return trained(task)

    monkeypatch.setattr(cells_module, "_train", failing)
    found = study(read_study(path), tmp_path / "out")
    (failed,) = (cell for cell in found.cells if isinstance(cell, FailedCell))
    assert failed.reason == "It ran away; lower the rate."
    (answer,) = found.answers
    assert isinstance(answer, StudyAnswer)
    assert "is left out" in answer.left_out
    assert "1 of 8 cells failed" in found.head.remarks[0]
    monkeypatch.undo()
    counted = Counted()
    assert not any(isinstance(cell, FailedCell) for cell in run(path, counted).cells)
    assert counted.done == 1  # what failed is tried again


def test_models_are_kept_only_if_asked_for(tmp_path: Path) -> None:
    path = write_study_files(tmp_path)
    run(path)
    assert not (tmp_path / "out" / "models").exists()
    run(path, keep_models=True)
    kept = sorted((tmp_path / "out" / "models").iterdir())
    assert len(kept) == 8
    model = load(kept[0])
    assert model.history[0].details["corpus"] in (["kind.txt"], ["plain.txt"])
    assert model.counts is not None


def test_corpora_of_unequal_length_are_said(tmp_path: Path) -> None:
    path = write_study_files(tmp_path)
    (tmp_path / "kind.txt").write_text((tmp_path / "kind.txt").read_text() * 2)
    assert "differ in length" in " ".join(run(path).head.remarks)
    path.write_text(PLAN.replace("min_count = 2", "min_count = 2\ntokens = 2000"))
    assert "differ in length" not in " ".join(run(path).head.remarks)
    path.write_text(PLAN.replace("min_count = 2", "min_count = 2\ntokens = 4000"))
    (remark,) = run(path).head.remarks
    assert "differ in length" in remark
    assert "set tokens" not in remark
    assert "lower tokens to 2400" in remark


def test_two_corpora_of_the_same_words_are_refused_before_training(tmp_path: Path) -> None:
    path, counted = write_study_files(tmp_path), Counted()
    same = (tmp_path / "kind.txt").read_text().upper().replace("\n", " .\n\n")
    (tmp_path / "plain.txt").write_text(same)
    with pytest.raises(SettingError, match="corpora kind and plain hold the same text"):
        run(path, counted)
    assert counted.done == 0


def test_a_rough_time_grows_with_the_work(tmp_path: Path) -> None:
    grid = build_grid(read_study(write_study_files(tmp_path)), tmp_path / "out")
    near, far = grid.tasks[0], grid.tasks[2]
    assert (near.place.window, far.place.window) == (2, 4)
    assert 3 < rough_seconds(near, 10**6) < rough_seconds(far, 10**6)
    assert isinstance(run_cell(near), StudyCell)


def test_a_cell_of_gensim_is_the_same_again(tmp_path: Path) -> None:
    pytest.importorskip("gensim", reason="gensim is not installed")
    plan = PLAN.replace("[models.glove]\nepochs = 3", "[models.cbow]\nepochs = 2")
    task = build_grid(read_study(write_study_files(tmp_path, plan)), tmp_path / "out").tasks[0]
    first, again = run_cell(task), run_cell(task)
    assert isinstance(first, StudyCell)
    assert isinstance(again, StudyCell)
    assert first.sha256 == again.sha256
    assert first.words == 28


def test_the_order_of_arrival_means_nothing(tmp_path: Path) -> None:
    plan = read_study(write_study_files(tmp_path))
    ordered = study(plan, tmp_path / "ordered")
    turned = study(
        plan, tmp_path / "turned", mapping=lambda function, tasks: map(function, tasks[::-1])
    )
    assert without_time(turned) == without_time(ordered)
    assert (turned.head, turned.answers) == (ordered.head, ordered.answers)


@pytest.mark.parametrize(
    ("turned", "said"),
    [
        (lambda tasks: tasks[1:], "gave no record of kind, glove, window 2, dim 4, seed 1"),
        (lambda tasks: [tasks[0], *tasks], "or a second one"),
    ],
    ids=["one too few", "one twice"],
)
def test_a_mapping_gives_one_record_of_each_task(
    turned: Callable[[Sequence[CellTask]], Sequence[CellTask]], said: str, tmp_path: Path
) -> None:
    plan = read_study(write_study_files(tmp_path))
    with pytest.raises(SettingError, match=said):
        study(plan, tmp_path / "out", mapping=lambda function, tasks: map(function, turned(tasks)))


def without_a_list(folder: Path, words: list[str]) -> None:
    plain = folder / "plain.txt"
    text = plain.read_text()
    for number, word in enumerate(words):
        text = text.replace(word, f"other{number}")
    plain.write_text(text)


def test_a_study_that_no_test_can_answer_is_refused_before_training(tmp_path: Path) -> None:
    path, counted = write_study_files(tmp_path), Counted()
    without_a_list(tmp_path, X[:3])
    with pytest.raises(SettingError, match="Only 1 of 4 flowers"):
        run(path, counted)
    assert counted.done == 0


def test_a_test_without_enough_shared_words_is_said_before_training(tmp_path: Path) -> None:
    path = write_study_files(tmp_path, PLAN.replace('"toy.toml"', '"toy.toml", "more.toml"'))
    more = SUITE.replace("'", '"').replace('id = "toy"', 'id = "more"')
    (tmp_path / "more.toml").write_text(more.replace(str(X).replace("'", '"'), '["q", "r", "s"]'))
    told: list[str] = []
    found = study(read_study(path), tmp_path / "out", told=told.append)
    assert told[0].startswith("more/one (weat) cannot be asked: Only 0 of 3 flowers")
    refused = [one for one in found.answers if isinstance(one, RefusedAnswer)]
    assert [one.test.id for one in refused] == ["more/one"]
    assert "Only 0 of 3 flowers" in refused[0].reason
