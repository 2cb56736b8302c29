"""Bias and usefulness before and after a change."""

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from scipy.stats import spearmanr

from fairvec.benchmarks import Choice, RatedPair, SemBiasSet, SimilaritySet
from fairvec.embedding import Embedding, Step
from fairvec.experiments.audit.audit import audit
from fairvec.experiments.audit.plan import Statistics
from fairvec.experiments.comparison.before_after import (
    ChangeReport,
    _over_combinations,
    changes_of_use,
    evaluate_change,
    measure_model,
    paired_answers,
)
from fairvec.experiments.comparison.compare import compare
from fairvec.experiments.utility import UtilityAnswer, ask_benchmark
from fairvec.messages.changes import change_line, too_few_pairs
from fairvec.metrics.utility import SemBias
from fairvec.results import Skipped, read_results, write_results
from fairvec.results.records import CATEGORY, CategoryAnswer, Change, Description
from fairvec.stats import paired_test, spearman_contributions
from tests import toys
from tests.experiments.toys import count_work
from tests.loops import loop_over

WORDS = [word for entries in toys.WORDS.values() for word in entries]
PAIRS = list(zip(WORDS, WORDS[3:], strict=False))


def rated(scores: Iterable[float], name: str = "toy-pairs") -> SimilaritySet:
    """Fifteen pairs of the toy's words with these scores."""
    pairs = tuple(RatedPair(*pair, score) for pair, score in zip(PAIRS, scores, strict=True))
    return SimilaritySet(name, "Toy pairs", "en", "Toy (2026)", "None needed.", pairs)


def cosines(of: Embedding) -> list[float]:
    units = {k: v / np.linalg.norm(v) for k, v in zip(of.keys, of.vectors, strict=True)}
    return [float(units[one] @ units[other]) for one, other in PAIRS]


SIMILARITY = rated(float(i % 7) for i in range(len(PAIRS)))


@pytest.fixture
def suite(tmp_path: Path) -> str:
    path = tmp_path / "toy.toml"
    path.write_text(toys.suite_text(), encoding="utf-8")
    return str(path)


@pytest.fixture
def before() -> Embedding:
    return toys.embedding(bias=1.0, name="model")


@pytest.fixture
def after(before: Embedding) -> Embedding:
    """The same words without their first axis, as a method fitted on two of them would leave it."""
    flattened = before.vectors.copy()
    flattened[:, 0] *= 0.05
    step = Step("debias", {"fitted_on": ["man", "woman"]})
    return before.with_vectors(flattened, step).with_name("model, debiased")


FEW_RESAMPLES = Statistics(resamples=200, seed=3)


def judged(before: Embedding, after: Embedding, suite: str) -> ChangeReport:
    return evaluate_change(
        before, after, suites=suite, benchmarks=[SIMILARITY], statistics=FEW_RESAMPLES
    )


def test_bias_is_compared_as_compare_does(before: Embedding, after: Embedding, suite: str) -> None:
    change = judged(before, after, suite).changes[0]
    runs = [audit(one, suites=suite, statistics=FEW_RESAMPLES) for one in (before, after)]
    (pair,) = compare(*runs).pairs
    assert (change.test.id, change.kind, change.paired) == ("toy/one", pair.change, pair.paired)
    assert (change.p_before, change.p_after) == (pair.p_before, pair.p_after)
    assert (change.before, change.model) == (pair.before.model, pair.after.model)
    assert change.fitted_words == ("man", "woman")
    assert change.items == 10
    assert change.kind == "reduced"
    assert change.value_before is not None
    assert change.value_before > 1.5


def test_usefulness_is_paired_item_by_item(before: Embedding, after: Embedding, suite: str) -> None:
    change = judged(before, after, suite).changes[1]
    assert (change.test.id, change.metric) == ("toy-pairs", "word-similarity")
    scores = [pair.score for pair in SIMILARITY.pairs]
    rows = [np.column_stack([scores, cosines(one)]) for one in (before, after)]
    assert change.value_before == pytest.approx(spearmanr(*rows[0].T).statistic)
    assert change.value_after == pytest.approx(spearmanr(*rows[1].T).statistic)
    p = paired_test(*(spearman_contributions(one) for one in rows))
    assert change.paired is not None
    assert change.paired.value == pytest.approx(p.value, rel=1e-6)
    assert change.items == len(SIMILARITY.pairs)
    assert change.kind == "not-shown"  # so few pairs allow a change past the margin
    assert change.difference is not None
    assert change.difference.low < 0 < change.difference.high
    assert change.p_before is None


def test_a_certain_change_is_lost_or_gained(before: Embedding, suite: str) -> None:
    known_before = rated(cosines(before))
    other = before.with_vectors(before.vectors[::-1], Step("shuffle")).with_name("other")
    for old, new, kind in ((before, other, "lost"), (other, before, "gained")):
        judgement = evaluate_change(
            old, new, suites=suite, benchmarks=[known_before], statistics=FEW_RESAMPLES
        )
        kinds = {change.test.kind: change.kind for change in judgement.changes}
        assert kinds["similarity"] == kind


def test_a_figure_is_compared_over_the_items_of_both(before: Embedding, suite: str) -> None:
    """What one model was asked alone is no change, however good its figure is for that."""
    fewer = len(PAIRS) - 4
    scores = [one - 9 * (place >= fewer) for place, one in enumerate(cosines(before))]
    (whole,) = measure_model(before, suites=suite, benchmarks=[rated(scores)]).answers
    assert whole.figure is not None
    rows = whole.figure.samples.rows[:fewer]
    part = replace(
        whole.figure,
        samples=replace(whole.figure.samples, rows=rows),
        items=whole.figure.items[:fewer],
    )
    found = paired_answers(whole, UtilityAnswer(whole.outcome, part))
    assert found is not None
    expected = spearmanr(*rows.T).statistic
    assert (found.before, found.after) == pytest.approx((expected, expected))
    assert found.before != pytest.approx(whole.figure.value, abs=0.1)
    assert found.items == fewer


@pytest.mark.parametrize("figures", [1, 2, 5])
def test_figures_of_usefulness_are_corrected_by_holm(
    before: Embedding, suite: str, figures: int
) -> None:
    """Among m figures alike the p of each counts m times, and the level is reached or it is not."""
    other = before.with_vectors(before.vectors[::-1], Step("shuffle")).with_name("other")
    sets = [rated(cosines(before), f"toy-{number}") for number in range(figures)]

    def kinds(alpha: float) -> list[str]:
        few = Statistics(resamples=100, alpha=alpha)
        found = evaluate_change(before, other, suites=suite, benchmarks=sets, statistics=few)
        changes = [change for change in found.changes if change.metric == "word-similarity"]
        assert len(changes) == figures
        p.update(change.paired.value for change in changes if change.paired)
        return [change.kind for change in changes]

    p: set[float] = set()
    kinds(0.05)
    (alone,) = p
    assert kinds(1.001 * figures * alone) == ["lost"] * figures
    assert "lost" not in kinds(0.999 * figures * alone)


def test_a_benchmark_without_an_answer_is_no_change(
    before: Embedding, after: Embedding, suite: str
) -> None:
    pairs = (RatedPair("ox", "yak", 1.0),) * 4
    unknown = SimilaritySet("unknown", "Unknown", "en", "Toy", "None needed.", pairs)
    judgement = evaluate_change(before, after, suites=suite, benchmarks=[unknown])
    assert [change.test.id for change in judgement.changes] == ["toy/one", "category/gender"]
    gaps = [one for one in judgement.outcomes if isinstance(one, Skipped)]
    assert [(gap.test.id, gap.model.name) for gap in gaps] == [
        ("unknown", "model"),
        ("unknown", "model, debiased"),
    ]


def test_what_moved_is_described(before: Embedding, after: Embedding, suite: str) -> None:
    moved = [one for one in judged(before, after, suite).outcomes if one.test.kind == "movement"]
    figures = {one.metric: one for one in moved if isinstance(one, Description)}
    was, is_now = (
        each.vectors / np.linalg.norm(each.vectors, axis=1, keepdims=True)
        for each in (before, after)
    )
    far = np.linalg.norm(is_now - was, axis=1)
    assert figures["displacement"].value == pytest.approx(far.mean())
    assert figures["median-displacement"].value == pytest.approx(np.median(far))
    most = figures["displacement"].words
    assert (most[0].word, len(most)) == (before.keys[int(far.argmax())], 10)
    assert most[0].score == pytest.approx(far.max())
    churn = figures["neighbourhood-churn"]
    assert 0 < churn.value < 1
    assert churn.interval is not None
    assert churn.interval.low <= churn.value <= churn.interval.high
    assert {one.model.name for one in moved} == {"model, debiased"}


def test_the_neighbours_of_a_cut_are_counted_among_its_words_and_say_so(
    before: Embedding, suite: str
) -> None:
    cut = before.with_vectors(before.vectors, Step("subset", {"of": "the whole"}))
    figures = [
        one
        for one in evaluate_change(cut, cut, suites=suite, benchmarks=[]).outcomes
        if one.metric == "neighbourhood-churn"
    ]
    assert figures
    assert not any(isinstance(one, Skipped) for one in figures)
    note = f"among the {len(cut):,} words of this cut"
    assert all(note in one.test.title for one in figures)


def test_words_that_are_not_the_same_do_not_move(before: Embedding, suite: str) -> None:
    fewer = Embedding(before.keys[1:], before.vectors[1:], name="fewer")
    judgement = evaluate_change(before, fewer, suites=suite, benchmarks=[])
    assert [change.test.kind for change in judgement.changes] == ["bias", "category"]
    gaps = [one.metric for one in judgement.outcomes if isinstance(one, Skipped)]
    assert gaps == ["displacement", "median-displacement", "neighbourhood-churn"]


def test_no_change_changes_nothing(before: Embedding, suite: str) -> None:
    judgement = evaluate_change(before, before, suites=suite, benchmarks=[SIMILARITY])
    assert [change.kind for change in judgement.changes] == ["unchanged", "kept", "unchanged"]
    assert [change.paired.value for change in judgement.changes if change.paired] == [1.0] * 3
    assert judgement.changes[0].model.name == "model, after"
    moved = [one for one in judgement.outcomes if one.test.kind == "movement"]
    assert [one.value for one in moved if isinstance(one, Description)] == [0, 0, 0]


def test_a_judgement_can_be_written_and_read(
    before: Embedding, after: Embedding, suite: str, tmp_path: Path
) -> None:
    judgement = judged(before, after, suite)
    write_results(judgement.all, tmp_path)
    again = read_results(tmp_path)
    assert again == judgement.all
    assert [one for one in again if isinstance(one, Change)] == [*judgement.changes]


@pytest.mark.parametrize("categories", [True, False])
def test_answers_for_categories_may_be_left_out(
    before: Embedding, after: Embedding, suite: str, *, categories: bool
) -> None:
    report = evaluate_change(before, after, suites=suite, benchmarks=[], categories=categories)
    answered = [one for one in report.outcomes if isinstance(one, CategoryAnswer)]
    assert bool(answered) == categories
    changes = evaluate_change(before, after, suites=suite, benchmarks=[]).changes
    assert any(one.test.kind == CATEGORY for one in changes)
    assert report.changes == tuple(
        one for one in changes if categories or one.test.kind != CATEGORY
    )


def test_a_report_compares_once_and_pools_each_run_once(
    before: Embedding, after: Embedding, suite: str
) -> None:
    with count_work() as counts:
        report = evaluate_change(before, after, suites=suite, benchmarks=[])
        assert report.all == report.all
        assert len(report.comparison.categories) == len(report.comparison.pairs) == 1
    assert counts == {"compared": 1, "pooled": 2}


@loop_over("others", [1, 2, 3, 20])
@loop_over("things", [1, 2, 3, 4])
def test_a_change_is_tested_where_items_combine_three_things_of_each_kind(
    things: int, others: int
) -> None:
    """And no share changes by more than 1, whatever the models answer."""
    names = [(f"a{one}", f"b{other}") for one in range(things) for other in range(others)]
    draw = np.random.default_rng(things + others)
    for _ in range(50):
        answers = draw.random((2, len(names))) < draw.random((2, 1))
        before, after = answers / len(names)
        p, difference = _over_combinations(before, after, names, 0.95)
        tested = min(things, others) >= 3 or bool((before == after).all())
        assert (p is not None, difference is not None) == (tested, tested)
        assert difference is None or -1 <= difference.low <= difference.high <= 1
        p, difference = _over_combinations(before, before, names, 0.95)
        assert p
        assert difference
        assert (p.value, p.changed, difference.low, difference.high) == (1, 0, 0, 0)


def test_a_figure_over_two_pairs_is_compared_without_a_test(before: Embedding) -> None:
    """All rows combine three pairs of each kind, those held out two with three."""
    pairs = list(zip(WORDS[::2], WORDS[1::2], strict=False))
    gender, jobs = pairs[:3], pairs[3:6]
    rows = tuple(Choice(one, (pairs[6], pairs[7]), job) for one in gender for job in jobs)
    benchmark = SemBiasSet("choices", "Choices", "en", "Toy (2026)", "none", rows, 6)
    other = replace(before, vectors=np.random.default_rng(1).normal(size=before.vectors.shape))
    measured = [
        ask_benchmark(SemBias(reference=pairs[0]), benchmark, model, Statistics(resamples=100))
        for model in (before, other)
    ]
    changes = changes_of_use([*zip(*measured, strict=True)], 0.05)
    assert len(changes) == 6
    for change in changes:
        held_out = "held-out" in change.test.id
        assert (change.paired is None) == (change.difference is None)
        assert held_out or change.paired
        assert not held_out or change.paired is None or change.value_before == change.value_after
        assert too_few_pairs(change) == (change.paired is None)
        assert change.paired or change.kind == "not-shown"
        assert ("fewer than three word pairs" in change_line(change)) == (change.paired is None)
    assert any(change.paired is None for change in changes)
