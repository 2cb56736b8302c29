"""Models compared by the reviews that are learnt from them."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from fairvec.core.errors import SettingError
from fairvec.embedding import Embedding
from fairvec.experiments.sentiment.reviews import SentimentFound, sentiment_task
from fairvec.experiments.utility import select_benchmarks
from fairvec.lexicon import parse_concepts
from fairvec.mitigation import debiaser
from fairvec.report.page import render
from fairvec.results import Change, read_results, write_results
from fairvec.tasks.sentiment.classifiers import LstmNetwork, MeansNetwork
from fairvec.tasks.sentiment.task import SentimentTask
from tests.tasks.sentiment.toy_reviews import BAD, GOOD, embedding, reviews

MEANS = SentimentTask(MeansNetwork(), passes=5, folds=3)
SMALL = LstmNetwork(units=6, dense=6, epochs=6, batch=16, rate=0.02)
PARTS = {
    "accuracy",
    *(
        f"{name}, {side}"
        for name in ("precision", "recall", "f1")
        for side in ("negative", "positive")
    ),
}

CONCEPT = """
version = "1"
language = "en"
[concepts.mood]
title = "Mood"
source = "Toy (2026)"
licence = "None needed."
default = "pairs"
[concepts.mood.variants.pairs]
pairs = [{pairs}]
"""


def asked(*models: Embedding, task: SentimentTask = MEANS, count: int = 90) -> SentimentFound:
    return sentiment_task(models, reviews(count, unknown=1), [task])


def accuracy(found: SentimentFound) -> Change:
    (one,) = (each for each in found.changes if each.test.id == "toy/accuracy")
    return one


def test_what_a_model_lost_is_lost_and_what_it_gained_gained() -> None:
    good, bad = embedding(name="good"), embedding(0.0, name="bad")
    lost, gained = accuracy(asked(good, bad)), accuracy(asked(bad, good))
    assert (lost.kind, gained.kind) == ("lost", "gained")
    assert lost.paired
    assert lost.paired.method == "two-way"
    assert lost.over_items
    assert lost.over_items.method in ("exact", "sampled")
    assert lost.difference
    assert lost.difference.high < 0
    assert lost.items == 90


def test_a_model_beside_itself_is_kept() -> None:
    one = embedding(name="one")
    found = asked(one, one.named("same"))
    assert {change.kind for change in found.changes} == {"kept"}
    assert all(change.paired and change.paired.value == 1 for change in found.changes)
    assert {change.test.id for change in found.changes} == {
        f"toy/{part.replace(', ', '-')}" for part in PARTS
    }


@pytest.mark.parametrize(("passes", "said"), [(1, "is not in"), (4, "is only roughly in")])
def test_few_passes_decide_nothing_where_another_could_differ(passes: int, said: str) -> None:
    good, bad = embedding(name="good"), embedding(0.0, name="bad")
    one = SentimentTask(MeansNetwork(), passes=passes, folds=3)
    found = asked(good, bad, task=one)
    assert accuracy(found).kind == "unclear"
    assert any(f"luck of training {said} intervals" in remark for remark in found.remarks)
    split = sentiment_task([good, bad], reviews(120, split=True), [one])
    assert accuracy(split).kind == "lost"  # a regression on one split has no luck
    assert not any("luck" in remark for remark in split.remarks)


def test_a_figure_is_the_mean_of_its_passes_within_its_interval() -> None:
    found = asked(embedding(0.08))
    (learnt,) = found.learnt
    figure = learnt.outcomes["accuracy"]
    assert figure.value == pytest.approx(learnt.found.correct.mean())
    assert figure.interval
    assert 0 <= figure.interval.low < figure.value < figure.interval.high <= 1
    settings = figure.described and figure.described.settings
    assert settings
    assert {"network": "means", "penalty": 1.0, "passes": 5, "folds": 3}.items() <= settings.items()
    items, tokens = figure.coverage
    assert (items.found, items.wanted) == (90, 90)
    assert (tokens.found, tokens.wanted) == (90 * 6, 90 * 7)
    assert tokens.missing == {"zzz": "unknown, dropped 90 times"}
    assert any("knows 540 of 630 tokens (85.7%)" in said for said in found.remarks)


def test_a_figure_in_which_nothing_varies_has_no_interval() -> None:
    (learnt,) = asked(embedding()).learnt
    assert {one.value for one in learnt.outcomes.values()} == {1.0}
    assert {one.interval for one in learnt.outcomes.values()} == {None}


def test_a_twin_is_compared_with_its_original_and_others_with_the_first(tmp_path: Path) -> None:
    pytest.importorskip("torch", reason="torch is not installed")
    pairs = ", ".join(f'["{one}", "{other}"]' for one, other in zip(GOOD, BAD, strict=True))
    (concept,) = parse_concepts(CONCEPT.format(pairs=pairs))
    models = [embedding(name="first"), embedding(seed=4, name="second")]
    tasks = [MEANS, SentimentTask(SMALL, passes=2, folds=2)]
    found = sentiment_task(
        models,
        reviews(),
        tasks,
        concept=concept,
        methods=[debiaser("linear-projection")],
        folder=tmp_path / "trainings",
    )
    pairs_of = {(one.before.name, one.model.name) for one in found.changes}
    twins = [name for name in {one.model.name for one in found.changes} if "," in name]
    assert len(twins) == 2
    assert pairs_of == {("first", "second"), *((name.partition(",")[0], name) for name in twins)}
    assert len(found.changes) == 3 * 2 * len(PARTS)
    assert len([*(tmp_path / "trainings").iterdir()]) == 4 * (5 * 3 + 2 * 2)
    # What is written is read again, and the page has the figures under their heading.
    write_results(found.outcomes, tmp_path)
    assert read_results(tmp_path) == found.outcomes
    page = render(found.outcomes)
    assert "Sentiment of reviews" in page
    assert "toy/accuracy by sentiment-lstm" in page
    assert "added to that over trainings" in page
    for name in ("linear-projection", "first"):
        assert name in page


def test_what_cannot_be_asked_is_refused_before_any_training() -> None:
    one = embedding(name="one")
    hindi = Embedding([f"क{n}" for n in range(54)], one.vectors, one.geometry, "hindi")
    with pytest.raises(SettingError, match="written in LATIN letters and the model in DEVANAGARI"):
        asked(hindi)
    latin = Embedding([f"q{n}" for n in range(54)], one.vectors, one.geometry, "latin")
    with pytest.raises(SettingError, match="both are written in LATIN letters"):
        asked(one, latin)
    with pytest.raises(SettingError, match="Two models are named 'one'"):
        asked(one, one)
    with pytest.raises(SettingError, match="name both or neither"):
        sentiment_task([one], reviews(), [MEANS], methods=[debiaser("hard")])
    with pytest.raises(SettingError, match="at least one model"):
        sentiment_task([], reviews(), [MEANS])
    with pytest.raises(SettingError, match="fairvec frontier --task toy"):
        select_benchmarks(one, [reviews()])


def test_other_lengths_are_told_where_a_network_notices_them() -> None:
    pytest.importorskip("torch", reason="torch is not installed")
    plain = embedding(name="plain")
    long = plain.moved_to(4 * np.asarray(plain.vectors), plain.history[-1]).named("long")
    task = SentimentTask(replace(SMALL, epochs=1), passes=1, folds=2)
    for tasks, told in (([task], True), ([MEANS], False)):
        found = sentiment_task([plain, long], reviews(), tasks)
        said = [one for one in found.remarks if "4.00 times as long as those of plain" in one]
        assert bool(said) == told


def test_a_rotated_copy_is_not_told_apart() -> None:
    """The null: nothing is lost by turning all vectors, though the LSTM trains otherwise."""
    pytest.importorskip("torch", reason="torch is not installed")
    plain = embedding(0.15, name="plain")
    turn, _ = np.linalg.qr(np.random.default_rng(8).normal(size=(6, 6)))
    turned = plain.moved_to(np.asarray(plain.vectors) @ turn, plain.history[-1]).named("turned")
    task = SentimentTask(replace(SMALL, epochs=20), passes=5, folds=2)
    found = asked(plain, turned, task=task, count=60)
    assert {one.kind for one in found.changes} <= {"kept", "unclear"}
    assert any(one.paired and one.paired.changed for one in found.changes)
