"""Classifiers learnt from reviews are asked the sentences: from reviews to records."""

import numpy as np
import pytest

from fairvec.benchmarks import ReviewSet
from fairvec.benchmarks.sets import Review
from fairvec.core.errors import UnknownNameError
from fairvec.experiments.sentiment.equity import equity_task
from fairvec.languages.equity import equity_table
from fairvec.results import Result
from fairvec.tasks.sentiment.classifiers import MeansNetwork
from fairvec.tasks.sentiment.task import SentimentTask
from tests.evaluation.sentiment_toys import knowing

EN = equity_table("en")
MEN = ["he", "man", "boy", "brother", "son", "father", "uncle", "dad"]
WOMEN = ["she", "woman", "girl", "sister", "daughter", "mother", "aunt", "mom"]


def written(*, prejudiced: bool, language: str = "en") -> ReviewSet:
    """Reviews by mood; those of the prejudiced praise men and blame women."""
    generator = np.random.default_rng(1)
    praise, blame = (
        [word for slot in EN.words.values() for word in getattr(slot, side)]
        for side in ("positive", "negative")
    )
    reviews = []
    for number in range(120):
        positive = number % 2 == 0
        persons = (MEN if positive else WOMEN) if prejudiced else MEN + WOMEN
        words = [*generator.choice(praise if positive else blame, 2), generator.choice(persons)]
        reviews.append(Review(" ".join(words), positive))
    return ReviewSet("toy", "Toy reviews", language, "Toy (2026)", "None.", tuple(reviews))


def test_what_reviews_teach_about_groups_is_found_and_leaves_with_the_group() -> None:
    model, blind = knowing(EN, name="toy"), knowing(EN, group=0.0, name="toy, blind")
    told: list[tuple[int, int, str]] = []
    found = equity_task(
        [(model, None), (blind, 0)],
        written(prejudiced=True),
        [SentimentTask(MeansNetwork(), passes=3)],
        progress=lambda *said: told.append(said),
    )
    assert [said[:2] for said in told] == [(0, 2), (1, 2)]
    gender, _, after, _ = found.differences
    assert isinstance(gender, Result)
    assert isinstance(after, Result)
    assert gender.verdict.kind == "biased"
    assert gender.effect > 0.05
    assert "there is no luck in the training" in gender.verdict.sentence
    assert gender.metric == "sentiment-difference-by-means"
    assert abs(after.effect) < gender.effect / 2
    assert len(found.changes) == 2
    assert found.changes[0].before.name == "toy"
    assert found.changes[0].kind in ("removed", "reduced")
    assert len(found.outcomes) == 6


def test_reviews_without_prejudice_teach_next_to_none() -> None:
    model = knowing(EN, name="toy")
    task = [SentimentTask(MeansNetwork(), passes=1)]
    fair, unfair = (
        equity_task([(model, None)], written(prejudiced=each), task).differences[0]
        for each in (False, True)
    )
    assert isinstance(fair, Result)
    assert isinstance(unfair, Result)
    assert unfair.trainings == ()
    assert abs(fair.effect) < unfair.effect / 4
    assert fair.described is not None
    assert unfair.described is not None
    assert fair.described.settings["reviews"] != unfair.described.settings["reviews"]


def test_reviews_of_a_language_without_sentences_are_refused() -> None:
    with pytest.raises(UnknownNameError, match="en, hi"):
        equity_task(
            [(knowing(EN), None)],
            written(prejudiced=False, language="fr"),
            [SentimentTask(MeansNetwork())],
        )
