"""A task as a family of the frontier."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from fairvec.core.errors import SettingError
from fairvec.embedding import Embedding
from fairvec.experiments.frontier.frontier import frontier, shared_identity
from fairvec.experiments.sentiment.learning import ReviewTask
from fairvec.tasks.sentiment.classifiers import MeansNetwork
from fairvec.tasks.sentiment.task import SentimentTask
from tests import toys
from tests.evaluation.frontiers.test_frontier import PAIRS, concept
from tests.tasks.sentiment import toy_reviews

TASK = ReviewTask(toy_reviews.reviews(), SentimentTask(passes=2, folds=2))


def model() -> Embedding:
    """The words of the toy suite, of the concept and of the reviews."""
    biased, moods = toys.embedding(bias=1.0), toy_reviews.embedding()
    extra = [word for pair in PAIRS for word in pair]
    rows = np.random.default_rng(5).normal(size=(len(extra), 6)) * 0.02
    rows[:, 0] += [0.4, -0.4] * len(PAIRS)
    keys = [*biased.keys, *extra, *moods.keys]
    # What is good and bad lies where gender does: to take one out takes out the other.
    return Embedding(keys, np.vstack([biased.vectors, rows, moods.vectors]), name="toy")


def test_accuracy_is_one_family_and_falls_with_what_carries_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    suite = tmp_path / "toy.toml"
    suite.write_text(toys.suite_text(), encoding="utf-8")
    found = frontier(
        model(),
        concept(PAIRS),
        folder=tmp_path / "run",
        methods=["linear-projection"],
        strengths=[1.0],
        suites=[str(suite)],
        benchmarks=[],
        tasks=[TASK],
    )
    reference, point = found.points
    assert reference.kept["sentiment"] == 1
    (figure,) = (one for one in point.figures if one.family == "sentiment")
    assert figure.test == "toy/accuracy"
    assert figure.before > 0.95
    sides = [review.positive for review in TASK.reviews.reviews]
    guessing = max(sides.count(True), sides.count(False)) / len(sides)
    assert figure.chance == pytest.approx(guessing)
    above = (figure.after - guessing) / (figure.before - guessing)
    assert point.kept["sentiment"] == pytest.approx(max(0.0, above))
    assert point.kept["sentiment"] < 0.9


def test_another_task_is_another_point() -> None:
    embedding, about = model(), concept(PAIRS)

    def shared(*tasks: ReviewTask) -> dict[str, object]:
        return shared_identity(embedding, about, (), (), held_out=(), seed=0, tasks=tasks)

    others = [
        replace(TASK, reviews=toy_reviews.reviews(seed=1)),
        replace(TASK, task=SentimentTask(MeansNetwork(penalty=2), passes=2, folds=2)),
        replace(TASK, task=SentimentTask(passes=3, folds=2)),
        replace(TASK, task=SentimentTask(passes=2, folds=2, seed=1)),
    ]
    every = [shared(), shared(TASK), *map(shared, others)]
    assert all(one != other for at, one in enumerate(every) for other in every[:at])
    assert shared(TASK) == shared(TASK)
    # Points that were found before there were tasks are found again.
    assert "tasks" not in shared()


def test_reviews_of_another_script_are_refused_before_any_trial(tmp_path: Path) -> None:
    strange = Embedding([f"क{n}" for n in range(54)], toy_reviews.embedding().vectors, name="hi")
    suite = tmp_path / "toy.toml"
    suite.write_text(toys.suite_text(), encoding="utf-8")
    with pytest.raises(SettingError, match="written in LATIN letters and the model in DEVANAGARI"):
        frontier(
            strange,
            concept(PAIRS),
            folder=tmp_path / "run",
            suites=[str(suite)],
            benchmarks=[],
            tasks=[TASK],
        )
