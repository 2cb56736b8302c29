"""Flat space and the ball, compared in one unit."""

from itertools import combinations
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from scipy.stats import norm, rankdata

from fairvec.core.errors import SettingError, UnknownNameError
from fairvec.embedding import Embedding
from fairvec.experiments.comparison.across_geometries import compare_across
from fairvec.experiments.comparison.compare import compare
from fairvec.experiments.comparison.table import comparison_rows
from fairvec.geometry import (
    COSINE,
    NEGATIVE_DISTANCE,
)
from fairvec.metrics.bias.direction import DirectBias
from fairvec.metrics.bias.weat import POPULATION, Weat
from fairvec.results import Outcome, Result, Skipped
from tests.experiments.toys import (
    MIRRORED,
    SUITE,
    WORDS,
    Drawn,
    ball_run,
    embedding,
    flat_run,
    outcomes_of,
    suite_of,
)

BOTH = ("ranks", "standardised")
quick = settings(deadline=None, max_examples=15)


def warped(outcomes: list[Outcome], function: Any) -> list[Outcome]:
    """The same records, a function put to every leaning; the effect is that of the new leanings."""
    found: list[Outcome] = []
    for one in outcomes:
        assert isinstance(one, Result)
        words = tuple(
            word.model_copy(update={"score": float(function(word.score))}) for word in one.words
        )
        x, y = (np.array([word.score for word in words if word.role == role]) for role in "xy")
        effect = float((x.mean() - y.mean()) / np.concatenate([x, y]).std(ddof=1))
        found.append(one.model_copy(update={"words": words, "effect": effect}))
    return found


def test_what_plain_compare_refuses_is_compared_and_says_so() -> None:
    with pytest.raises(SettingError, match=r"or compare them across geometries \(--across-geom"):
        compare(flat_run(), ball_run())
    found = compare_across(flat_run(), ball_run())
    assert (len(found.pairs), found.unpaired, found.across) == (3, 0, "ranks")
    for row in comparison_rows(found):
        assert row["across"] == "ranks"
        assert row["similarity"] == "cosine, then negative-distance"
        assert row["pairing"] == "paired"
    for pair in found.pairs:
        for one in (pair.before, pair.after):
            assert "across geometries, by ranks" in str(one)
            assert isinstance(one, Result)
            assert "across geometries, by ranks" in one.verdict.sentence
            assert one.convention.name == "ranks"
            assert one.described is not None
            assert one.described.settings["across_geometries"] == "ranks"
    assert {row["across"] for row in comparison_rows(compare(flat_run(), flat_run(1)))} == {None}


@pytest.mark.parametrize("by", BOTH)
def test_p_is_that_of_every_permutation_of_the_changes(by: str) -> None:
    before, after = flat_run(), ball_run(1)
    pair = compare_across(before, after, by=by).pairs[0]
    sides = []
    for one in (before[0], after[0]):
        assert isinstance(one, Result)
        raw = np.array([word.score for word in one.words])
        if by == "ranks":
            raw = norm.ppf(rankdata(raw) / (len(raw) + 1))
        sides.append((raw - raw.mean()) / raw.std(ddof=1))
    assert isinstance(before[0], Result)
    is_x = np.array([word.role == "x" for word in before[0].words])
    changes = sides[1] - sides[0]
    sums = np.array([changes[[*chosen]].sum() for chosen in combinations(range(len(is_x)), 5)])
    observed, half = changes[is_x].sum(), changes.sum() / 2
    assert is_x.sum() == 5
    assert len(is_x) == 10
    extreme = np.abs(sums - half) >= abs(observed - half) - 1e-9
    assert pair.paired is not None
    assert pair.paired.value == pytest.approx(extreme.mean())
    assert isinstance(pair.before, Result)
    assert isinstance(pair.after, Result)
    assert pair.after.effect - pair.before.effect == pytest.approx((observed - half) / 2.5)


@quick
@given(st.integers(0, 10**6), st.sampled_from(BOTH))
def test_swapping_the_models_flips_the_sign(seed: int, by: str) -> None:
    there = compare_across(flat_run(), ball_run(seed), by=by)
    back = compare_across(ball_run(seed), flat_run(), by=by)
    # The words that tell the similarities apart are told in the order of the runs.
    for one, other in zip(there.pairs, back.pairs, strict=True):
        assert other.change == MIRRORED.get(one.change, one.change)
        assert one.paired is not None
        assert other.paired is not None
        assert one.paired.value == pytest.approx(other.paired.value)
        assert (one.difference is None) == (other.difference is None)
        if one.difference and other.difference:
            assert one.difference.low == pytest.approx(-other.difference.high, abs=1e-6)
    for was, is_now in zip(there.categories, back.categories, strict=True):
        assert (was.effect_before, was.effect_after) == (is_now.effect_after, is_now.effect_before)


@pytest.mark.parametrize("by", BOTH)
@pytest.mark.parametrize("run", [flat_run, ball_run])
def test_a_model_beside_itself_is_exactly_unchanged(run: Any, by: str) -> None:
    found = compare_across(run(), run(), by=by)
    for row in comparison_rows(found):
        assert row["p_paired"] == 1.0
        assert row["change"] in ("unchanged", "not-shown")
        assert row["effect_before"] == row["effect_after"]


@quick
@given(st.sampled_from([np.exp, np.cbrt, np.sinh, np.arctan]), st.integers(0, 10**6))
@example(np.exp, 213564)  # turns the sign of an effect
def test_ranks_do_not_see_an_increasing_function_of_the_leanings(function: Any, seed: int) -> None:
    plain = compare_across(flat_run(), ball_run(seed))
    bent = compare_across(flat_run(), warped(ball_run(seed), function))
    assert comparison_rows(plain) == comparison_rows(bent)


@pytest.mark.parametrize("by", BOTH)
def test_rotation_and_scale_of_the_flat_model_change_nothing(by: str) -> None:
    turn, _ = np.linalg.qr(np.random.default_rng(5).normal(size=(5, 5)))
    turned = Embedding(WORDS, 7 * embedding().vectors @ turn, name="flat")
    plain = comparison_rows(compare_across(flat_run(), ball_run(2), by=by))
    other = comparison_rows(compare_across(outcomes_of(SUITE, of=turned), ball_run(2), by=by))
    for one, two in zip(plain, other, strict=True):
        for name in ("effect_before", "effect_after", "p_paired"):
            assert one[name] == pytest.approx(two[name], abs=1e-9)


def test_only_words_of_both_models_are_ranked() -> None:
    first = flat_run()[0]
    assert isinstance(first, Result)
    gone = first.words[0].word
    after = ball_run(without=[gone])
    pair = compare_across(flat_run(), after).pairs[0]
    assert isinstance(pair.before, Result)
    assert isinstance(pair.after, Result)
    assert gone not in {word.word for word in pair.before.words}
    assert [word.word for word in pair.before.words] == [word.word for word in pair.after.words]
    assert not pair.same_words


def test_too_few_common_words_are_no_answer_and_say_which() -> None:
    before = flat_run()[0]
    assert isinstance(before, Result)
    x = [word.word for word in before.words if word.role == "x"]
    # Three of five are in either model, and one of five in both.
    fewer = (
        flat_run(without=x[:2], min_coverage=0.5),
        ball_run(without=x[3:], min_coverage=0.5),
    )
    assert [one.status for run in fewer for one in run[:1]] == ["measured", "measured"]
    pair = compare_across(*fewer).pairs[0]
    assert pair.change == "no-answer"
    for one in (pair.before, pair.after):
        assert isinstance(one, Skipped)
        assert one.reason.startswith("Only 1 of 5 x are in both models, less than 50%; use models")


def test_models_that_share_no_word_of_a_list_have_no_answer() -> None:
    before = flat_run()[0]
    assert isinstance(before, Result)
    y = [word.word for word in before.words if word.role == "y"]
    pair = compare_across(flat_run(without=y[:3]), ball_run(without=y[3:])).pairs[0]
    assert (pair.change, pair.paired) == ("no-answer", None)
    assert isinstance(pair.after, Skipped)
    assert pair.after.reason.startswith("No word of Y is in both models; use")


def test_one_similarity_works_as_well() -> None:
    found = compare_across(flat_run(), flat_run(1))
    assert {row["similarity"] for row in comparison_rows(found)} == {"cosine"}


def test_other_settings_than_the_similarity_are_still_refused() -> None:
    with pytest.raises(SettingError, match="effect size caliskan, then population"):
        compare_across(flat_run(), ball_run(metric=Weat(NEGATIVE_DISTANCE, POPULATION)))


def test_a_run_of_two_similarities_is_refused() -> None:
    two = ball_run() + ball_run(metric=Weat(similarity=COSINE))
    with pytest.raises(SettingError, match=r"by negative-distance and by cosine.*--similarity"):
        compare_across(flat_run(), two)


def test_runs_without_a_common_test_are_refused() -> None:
    other = outcomes_of(suite_of(Drawn(seed=1), id="other"), of=embedding())
    with pytest.raises(SettingError, match="share no test"):
        compare_across(other, ball_run())


def test_an_unknown_unit_is_refused() -> None:
    with pytest.raises(UnknownNameError, match=r"rank.*ranks"):
        compare_across(flat_run(), ball_run(), by="rank")
    with pytest.raises(UnknownNameError, match="named 'True'"):
        compare_across(flat_run(), ball_run(), by=True)  # type: ignore[arg-type]


def test_figures_without_a_p_value_are_left_out_and_named() -> None:
    described = [
        one.model_copy(update={"metric": "other"})
        for one in outcomes_of(SUITE, of=embedding(), metric=DirectBias())
    ]
    found = compare_across(flat_run() + described, ball_run())
    names = {one.test.id for one in described if one.status == "described"}
    assert set(found.left_out) == names
    assert len(found.pairs) == 3


def test_a_test_of_one_run_is_vanished_or_new_in_the_same_unit() -> None:
    found = compare_across(flat_run()[:2], ball_run()[1:])
    assert [one.test.id for one in found.vanished] == ["s/t0"]
    assert [one.test.id for one in found.new] == ["s/t2"]
    for one in (*found.vanished, *found.new):
        assert isinstance(one, Result)
        assert one.convention.name == "ranks"


@quick
@given(
    st.permutations(range(3)), st.lists(st.sampled_from([0.05, 1e-3, 1e-9]), min_size=3, max_size=3)
)
def test_verdicts_do_not_depend_on_the_order_of_records_of_other_levels(
    order: list[int], levels: list[float]
) -> None:
    runs = []
    for run in (flat_run(), ball_run()):
        records = [one for one in run if isinstance(one, Result)]
        runs.append(
            [
                one.model_copy(update={"verdict": one.verdict.model_copy(update={"alpha": level})})
                for one, level in zip(records, levels, strict=True)
            ]
        )
    pairs = compare_across(*runs, by="ranks").pairs
    again = compare_across(*([run[place] for place in order] for run in runs), by="ranks").pairs
    assert {pair.before.test.id: pair for pair in pairs} == {
        pair.before.test.id: pair for pair in again
    }
