"""Benchmarks and tasks in a paper's tables."""

from pathlib import Path
from typing import cast
from unittest.mock import patch

import numpy as np
import pytest

import fairvec
from fairvec.benchmarks import (
    AnalogySet,
    ReviewColumns,
    SemBiasSet,
    SimilaritySet,
    benchmark,
    load_reviews,
)
from fairvec.embedding import load
from fairvec.experiments.sentiment.learning import run_task
from fairvec.geometry import COSINE, NEGATIVE_DISTANCE
from fairvec.lexicon import concept
from fairvec.metrics.utility import Analogies, SemBias, WordSimilarity, metric_for
from fairvec.mitigation.methods.pgd import PGD
from fairvec.papers import CellLine, Reproduction, load_paper, parse_paper, reproduce
from fairvec.papers import usefulness as task_cells
from fairvec.papers.readings import complete_analogy
from fairvec.papers.schema import (
    CellSettings,
    Debiasing,
    Paper,
    PaperTask,
    TaskMeasure,
    UnavailableError,
    measure_of,
)
from fairvec.papers.usefulness import DEFAULT_TASK, TaskRunner
from fairvec.papers.variants import DebiasedModels
from fairvec.results.records import Description
from fairvec.tasks.sentiment.classifiers import MeansNetwork, encode_reviews
from fairvec.tasks.sentiment.task import SentimentTask
from tests.papers.conftest import write_vectors
from tests.papers.toys import HEAD

# --- Benchmarks in a paper's tables: at hand or not, whole or cut, debiased or as they are ---


def table(wanted: str, column: str | None = None) -> Paper:
    """Kumar et al. with one of their tables, or one column of it."""
    chosen = load_paper("kumar2020")
    (whole,) = [one for one in chosen.tables if one.id == wanted]
    if column:
        place = list(whole.columns).index(column)
        rows = {
            name: row.model_copy(update={"cells": row.cells[place : place + 1]})
            for name, row in whole.rows.items()
        }
        columns = {column: whole.columns[column]}
        whole = whole.model_copy(update={"rows": rows, "columns": columns})
    return chosen.model_copy(update={"tables": (whole,)})


def line(found: Reproduction, row: str, column: str) -> CellLine:
    (chosen,) = [one for one in found.lines if (one.cell.row, one.cell.column) == (row, column)]
    return chosen


@pytest.fixture
def data(shared_data: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """The benchmarks alone, so that the shipped models play and not the larger ones beside them."""
    folder = tmp_path / "benchmarks"
    folder.mkdir()
    for each in shared_data.iterdir():
        if not each.name.startswith(("emb_", "enc_")):
            (folder / each.name).symlink_to(each.resolve())
    monkeypatch.setenv("FAIRVEC_DATA", str(folder))
    return shared_data


@pytest.mark.parametrize("wanted", ["table-2b", "table-3a", "table-3b"])
def test_what_is_not_available_is_reported_and_not_fetched(wanted: str) -> None:
    found = reproduce(table(wanted))
    assert {answer.grade for one in found.lines for answer in one.answers} == {"no data"}
    assert not found.outcomes
    name = found.lines[0].cell.settings.benchmark
    assert found.lines[0].notes == (
        f"The benchmark {name} is not at hand (run: fairvec benchmarks get {name}).",
    )


@pytest.mark.usefixtures("data")
def test_a_part_that_a_benchmark_does_not_have_has_no_figure() -> None:
    """Also of one that has no parts; it would get the figure of another part."""
    for wanted, column in (("table-2b", "Def"), ("table-3a", "MC")):
        chosen = table(wanted, column)
        (whole,) = chosen.tables
        renamed = whole.columns[column].model_copy(update={"part": "definitions"})
        whole = whole.model_copy(update={"columns": {column: renamed}})
        found = reproduce(chosen.model_copy(update={"tables": (whole,)}), claims=())
        assert {answer.grade for one in found.lines for answer in one.answers} == {"skipped"}
        assert any("named 'definitions'" in note for one in found.lines for note in one.notes)


def test_word_similarity_before_and_after_pgd(data: Path) -> None:
    found = reproduce(table("table-3a", "WordSim"))
    ball = fairvec.load("poincare-glove-en-small")
    gender = concept("en/gender:pairs")
    moved = {
        "as published": PGD(solver="riemannian-adam", means="riemannian-adam", specific="svm"),
        "default": PGD(),
    }
    models = {name: method.fit(ball, gender).transform(ball) for name, method in moved.items()}
    asked = cast(SimilaritySet, benchmark("ws353"))

    def rho(name: str) -> float:
        model = models.get(name, ball)
        (one,) = WordSimilarity(NEGATIVE_DISTANCE).measure(asked, model)
        return one.value

    (before,) = line(found, "P-GloVe", "WordSim").answers
    assert (before.ours, before.default) == pytest.approx((rho(""), rho("")))
    after = line(found, "PGD-GloVe", "WordSim")
    assert after.answers[0].ours == pytest.approx(rho("as published"))
    assert after.answers[0].default == pytest.approx(rho("default"))
    assert rho("as published") != rho("default")
    assert any("on ws353-similarity and " in note for note in after.notes)
    for setting in ("solver = riemannian-adam", "means = riemannian-adam", "specific = svm"):
        assert any(setting in note for note in after.notes)
    counted = [note for note in after.notes if f"{len(ball):,} words" in note]
    assert "learnt by a linear SVM" in counted[0]
    assert {answer.grade for answer in after.answers} == {"different model"}
    assert after.model == "poincare-glove-en-small, pgd en/gender:pairs"
    records = [one for one in found.outcomes if one.test.id == "ws353"]
    assert [one.similarity for one in records] == ["cosine"] + 3 * ["negative-distance"]


def test_sembias_by_translation_and_by_angle(data: Path) -> None:
    found = reproduce(table("table-2b"))
    ball = fairvec.load("poincare-glove-en-small")
    rows = cast(SemBiasSet, benchmark("sembias"))
    by_translation = SemBias("gyro-translation", NEGATIVE_DISTANCE).with_chosen_t(rows, ball)
    papers = by_translation.measure(rows, ball)
    default = SemBias().measure(rows, ball)
    ours = [line(found, "P-GloVe", column) for column in ("Def", "Ster", "None")]
    assert [one.answers[0].ours for one in ours] == pytest.approx(
        [100 * one.value for one in papers[:3]]
    )
    assert [one.answers[0].default for one in ours] == pytest.approx(
        [100 * one.value for one in default[:3]]
    )
    t = f"t = {by_translation.t:g}"
    assert any(note.startswith(f"{t} on {ball.name}") for note in ours[0].notes)
    assert {one.among for one in ours} == {len(ball)}
    said = [one.meaning for one in found.outcomes if isinstance(one, Description)]
    assert any(t in meaning for meaning in said)


def test_sembias_of_a_flat_model_is_asked_by_angle_also_as_published(data: Path) -> None:
    found = reproduce(table("table-2b"))
    rows = cast(SemBiasSet, benchmark("sembias"))
    twin = fairvec.load("glove-en-twin-small")
    by_angle = [100 * one.value for one in SemBias().measure(rows, twin)[:3]]
    by_translation = SemBias("gyro-translation", COSINE).measure(rows, twin)
    assert by_angle[0] != pytest.approx(100 * by_translation[0].value)
    flat = [line(found, "E-Glove", column) for column in ("Def", "Ster", "None")]
    for one, share in zip(flat, by_angle, strict=True):
        assert (one.answers[0].ours, one.answers[0].default) == pytest.approx((share, share))
        assert not any(note.startswith("t = ") for note in one.notes)
        assert "In flat space SemBias is asked by offset-angle, also as published." in one.notes
    curved = line(found, "P-GloVe", "Def")
    assert not any(note.startswith("In flat space") for note in curved.notes)


def test_the_default_of_an_analogy_is_one_in_every_table(data: Path, tmp_path: Path) -> None:
    """In the ball gyro-translation by -distance, in flat space 3CosAdd, as a benchmark has it."""
    words = ("man", "king", "woman", *(f"w{n}" for n in range(40)))
    points = np.random.default_rng(6).normal(size=(len(words), 3))
    points *= 0.9 / np.linalg.norm(points, axis=1).max()
    path = write_vectors(tmp_path / "own.txt", words, points)
    settings = 'question = ["man", "king", "woman"]\nsimilarity = "cosine"\nshows = ["word"]'
    usual = {"poincare": Analogies("gyro-translation"), "euclidean": Analogies()}
    for geometry, metric in usual.items():
        model = fairvec.load(path, geometry=geometry)
        expected, other = (
            complete_analogy(words[:3], model, one)[0]
            for one in (metric, *(each for each in usual.values() if each != metric))
        )
        assert expected != other
        text = own("queen", settings, len(words), geometry)
        (one,) = reproduce(parse_paper(text), {"role": [str(path)]}).lines
        assert one.answers[0].default == expected
        assert metric == metric_for(cast(AnalogySet, benchmark("google-analogies")), model.geometry)


def test_a_cut_answers_analogies_among_its_words(data: Path) -> None:
    found = reproduce(table("table-3b"), min_coverage=0.01)
    for one in found.lines:
        assert {answer.grade for answer in one.answers} == {"different model"}
        assert one.among == 10_714
    assert found.outcomes
    for outcome in found.outcomes:
        assert outcome.test.title.endswith(", among the 10,714 words of this cut")


def own(cells: str, settings: str, words: int, geometry: str = "poincare") -> str:
    """Return a paper of one cell, whose own model is known by its number of words."""
    return f"""{HEAD}[roles.role]
title = "The model"
geometry = "{geometry}"
words = "{words}"
[[tables]]
id = "table-1"
title = "A table"
role = "role"
{settings}
[tables.columns]
column = {{}}
[tables.rows]
row = {{ cells = ["{cells}"] }}
"""


def test_on_the_papers_own_model_another_convention_is_named(data: Path, tmp_path: Path) -> None:
    asked = cast(SimilaritySet, benchmark("mc30"))
    points = np.random.default_rng(0).normal(scale=0.1, size=(len(asked.texts), 6))
    path = write_vectors(tmp_path / "own.txt", asked.texts, points)
    model = fairvec.load(path, geometry="poincare")
    by_distance, by_cosine = (
        WordSimilarity(one).measure(asked, model)[0].value
        for one in (NEGATIVE_DISTANCE, fairvec.geometry.COSINE)
    )
    for printed, grade in ((by_distance, "matched"), (by_cosine, "differs by convention")):
        text = own(
            f"{printed:.4f}",
            'benchmark = "mc30"\nsimilarity = "negative-distance"\nshows = ["rho"]',
            len(asked.texts),
        )
        (one,) = reproduce(parse_paper(text), {"role": [str(path)]}).lines
        assert one.answers[0].grade == grade
    assert "rho is matched under: cosine." in one.notes


KINGS = {
    "man": [0.1, 0.0, 0.0],
    "woman": [0.1, 0.2, 0.0],
    "king": [0.3, 0.0, 0.1],
    "queen": [0.29, 0.2, 0.1],
    "prince": [0.3, 0.02, 0.12],
    "cup": [-0.2, 0.1, -0.3],
    "lid": [-0.1, -0.3, 0.2],
}


@pytest.mark.parametrize(("printed", "grade"), [("queen", "matched"), ("nurse", "in words")])
def test_a_question_is_answered_in_words(printed: str, grade: str, tmp_path: Path) -> None:
    path = write_vectors(tmp_path / "own.txt", KINGS, np.array([*KINGS.values()]))
    settings = 'question = ["man", "king", "woman"]\nsimilarity = "cosine"\nshows = ["word"]'
    (one,) = reproduce(parse_paper(own(printed, settings, len(KINGS))), {"role": [str(path)]}).lines
    (answer,) = one.answers
    assert (answer.ours, answer.default, answer.difference) == ("queen", "queen", None)
    assert answer.grade == grade
    assert one.notes[0].startswith("t = 0.3, as published: the pairs of SemBias")
    assert one.notes[1].startswith("The best answers of own: queen, ")
    assert one.among is None


def test_a_question_with_an_unknown_word_is_skipped(tmp_path: Path) -> None:
    path = write_vectors(tmp_path / "own.txt", KINGS, np.array([*KINGS.values()]))
    settings = 'question = ["man", "duke", "woman"]\nsimilarity = "cosine"\nshows = ["word"]'
    (one,) = reproduce(
        parse_paper(own("duchess", settings, len(KINGS))), {"role": [str(path)]}
    ).lines
    assert (one.answers[0].grade, one.answers[0].ours) == ("skipped", None)
    assert "own lacks duke" in one.notes[0]


def test_how_many_words_pgd_moves_is_reported() -> None:
    shown = line(reproduce(table("text")), "section 4.1: words that PGD debiases", "figure")
    model = fairvec.load("poincare-glove-en-small")
    gender = concept("en/gender:pairs")
    after = PGD().fit(model, gender).transform(model).vectors
    stays = (after == model.vectors).all(axis=1).sum()
    assert shown.answers[0].default == len(model) - stays
    learnt = PGD(specific="svm").fit(model, gender).unmoved
    assert shown.answers[0].ours == len(model) - len(set(learnt) & set(model.keys))
    assert shown.answers[0].grade == "different model"


def test_t_is_reported_as_it_was_chosen(data: Path, tmp_path: Path) -> None:
    sembias = cast(SemBiasSet, benchmark("sembias"))
    points = np.random.default_rng(3).normal(scale=0.2, size=(len(sembias.texts), 6))
    path = write_vectors(tmp_path / "own.txt", sembias.texts, points)
    settings = 'tells = "fitted-t"\nsimilarity = "negative-distance"\nshows = ["t"]'
    (one,) = reproduce(
        parse_paper(own("0.3", settings, len(sembias.texts))), {"role": [str(path)]}
    ).lines
    model = fairvec.load(path, geometry="poincare")
    t = SemBias("gyro-translation", NEGATIVE_DISTANCE).with_chosen_t(sembias, model).t
    assert (one.answers[0].ours, one.answers[0].default) == (t, t)
    assert t != 0.3
    assert one.answers[0].grade == "differs"


def test_t_is_not_told_as_published_where_it_cannot_be_chosen() -> None:
    shown = line(reproduce(table("text")), "section 4.2: t of gyro-translation", "figure")
    assert (shown.answers[0].ours, shown.answers[0].grade) == (None, "skipped")
    assert "are not at hand" in " ".join(shown.notes)


def test_of_a_debiased_model_that_is_given_nobody_knows_what_moved(data: Path) -> None:
    given = {"pgd-glove": ["poincare-glove-en-small"]}
    shown = line(
        reproduce(table("text"), None, given), "section 4.1: words that PGD debiases", "figure"
    )
    assert (shown.answers[0].ours, shown.answers[0].grade) == (None, "skipped")
    assert "which of its words moved is not known" in " ".join(shown.notes)


# --- Cells of a task are what the task itself says, of the labels and the column that are meant


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
    theirs = run_task(
        encode_reviews(released, model), SentimentTask(MeansNetwork(), passes=1)
    ).outcomes
    ours = run_task(encode_reviews(load_reviews(TASK.corrected), model), DEFAULT_TASK).outcomes
    for wanted, part in ((recall, "recall, positive"), (accuracy, "accuracy")):
        measure = measure_of(wanted)
        assert isinstance(measure, TaskMeasure)
        found, default = cells.paper_figure(measure), cells.default_figure(measure)
        assert (found.value, default.value) == (theirs[part].value, ours[part].value)
        assert any("one training" in note for note in cells.notes(measure))


def test_original_and_debiased_are_trained_together_and_once(
    shared_data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FAIRVEC_DATA", str(shared_data))
    monkeypatch.setenv("FAIRVEC_HOME", str(tmp_path))
    monkeypatch.setattr(task_cells, "LstmNetwork", lambda length: MeansNetwork())
    hard = Debiasing(method="hard", concept="hi/gender:definitional")
    measures = [
        TaskMeasure(TASK, score, debias) for debias in (None, hard) for score in ("accuracy", "f1")
    ]
    cells = TaskRunner(DebiasedModels(load("glove-hi-small"), ()))
    steps: list[tuple[int, int, str]] = []
    cells.train(measures, lambda *step: steps.append(step))
    assert [step[:2] for step in steps] == [(0, 2), (1, 2), (2, 2)]
    assert {step[2].partition(":")[0] for step in steps} == {"glove-hi-small"}
    assert len({outcome.model.sha256 for outcome in cells.outcomes}) == 2
    with patch.object(task_cells, "run_task", side_effect=AssertionError):
        for measure in measures[::2]:
            assert cells.paper_figure(measure) in cells.outcomes


def test_what_cannot_be_learnt_is_reported_in_words(
    shared_data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FAIRVEC_DATA", str(shared_data))
    monkeypatch.setenv("FAIRVEC_HOME", str(tmp_path))
    cells = TaskRunner(DebiasedModels(load("glove-en-small"), ()))
    measure = TaskMeasure(TASK, "accuracy")
    cells.train([measure])  # says nothing: each figure gives its reason
    for figure in (cells.default_figure, cells.paper_figure):
        with pytest.raises(UnavailableError, match="knows"):
            figure(measure)


def test_table_4_2_has_its_cells() -> None:
    cells = [cell for cell in load_paper("bharti2021").cells() if cell.settings.task]
    assert len(cells) == 14
    assert {cell.settings.of_class for cell in cells} == {"negative", "positive"}
    assert sum(cell.settings.debias is not None for cell in cells) == 7
