"""Cells of a task are what the task itself says, of the labels and the column that are meant."""

from pathlib import Path

import pytest

from fairvec.benchmarks import ReviewColumns, load_reviews
from fairvec.embedding import load
from fairvec.experiments.sentiment.learning import train_task
from fairvec.papers import load_paper
from fairvec.papers import usefulness as task_cells
from fairvec.papers.schema import CellSettings, PaperTask
from fairvec.papers.usefulness import DEFAULT_TASK, TaskRunner
from fairvec.papers.variants import DebiasedModels
from fairvec.results import Description
from fairvec.tasks.sentiment.classifiers import MeansNetwork
from fairvec.tasks.sentiment.task import SentimentTask

TASK = PaperTask(
    reviews="hindi-movie-reviews-as-released",
    corrected="hindi-movie-reviews",
    split="split",
    length=801,
)


def means_instead(length: int) -> MeansNetwork:
    assert length == 801
    return MeansNetwork()


def test_figures_are_those_of_the_labels_and_the_split(
    shared_data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FAIRVEC_DATA", str(shared_data))
    monkeypatch.setenv("FAIRVEC_HOME", str(tmp_path))
    # The LSTM at 801 words takes most of a minute; what is asked of it is the same.
    monkeypatch.setattr(task_cells, "LstmNetwork", means_instead)
    model = load("glove-hi-small")
    cells = TaskRunner(DebiasedModels(model, ()))
    recall = CellSettings(role="r", part="recall", of_class="positive", task=TASK, shows=("share",))
    accuracy = CellSettings(
        role="r", part="accuracy", of_class="negative", task=TASK, shows=("share",)
    )
    released = load_reviews(TASK.reviews, columns=ReviewColumns(split="split"))
    theirs = train_task(model, released, SentimentTask(MeansNetwork(), passes=1)).outcomes
    ours = train_task(model, load_reviews(TASK.corrected), DEFAULT_TASK).outcomes
    for wanted, part in ((recall, "recall, positive"), (accuracy, "accuracy")):
        found, default = cells.paper_figure(wanted, TASK), cells.default_figure(wanted, TASK)
        assert isinstance(found, Description)
        assert isinstance(default, Description)
        assert (found.value, default.value) == (theirs[part].value, ours[part].value)
    assert any("one training" in note for note in cells.notes(recall, TASK))


def test_what_cannot_be_learnt_is_said_in_words(
    shared_data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FAIRVEC_DATA", str(shared_data))
    monkeypatch.setenv("FAIRVEC_HOME", str(tmp_path))
    cells = TaskRunner(DebiasedModels(load("glove-en-small"), ()))
    said = cells.default_figure(CellSettings(part="accuracy", task=TASK), TASK)
    assert isinstance(said, str)
    assert "knows" in said


def test_table_4_2_has_its_cells() -> None:
    cells = [cell for cell in load_paper("bharti2021").cells() if cell.settings.task]
    assert len(cells) == 14
    assert {cell.settings.of_class for cell in cells} == {"negative", "positive"}
    assert sum(cell.settings.debias is not None for cell in cells) == 7
