"""The test of a change: the changes of words permuted between the two lists."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fairvec.core.format import is_significant
from fairvec.experiments.comparison.paired import change_test
from fairvec.results import Result
from fairvec.stats import permutation_test
from tests.experiments.toys import scored
from tests.results.toys import skipped

quick = settings(deadline=None, max_examples=20)


def changes_of(before: Result, after: Result) -> dict[tuple[str, str], float]:
    """Each word's change in the unit of d, by hand."""
    (s, t) = (np.array([word.score for word in one.words]) for one in (before, after))
    changes = t / t.std(ddof=1) - s / s.std(ddof=1)
    return {
        (w.role, w.word): change for w, change in zip(after.words, changes.tolist(), strict=True)
    }


@quick
@given(st.integers(0, 10**6), st.integers(2, 4), st.integers(3, 5))
def test_a_change_is_tested_by_permuting_the_changes_of_words(seed: int, nx: int, ny: int) -> None:
    generator = np.random.default_rng(seed)
    before, after = (scored(generator.normal(size=nx), generator.normal(size=ny)) for _ in "ba")
    changes = np.array([*changes_of(before, after).values()])
    differences = np.array(
        [
            changes[[*chosen]].mean() - np.delete(changes, chosen).mean()
            for chosen in combinations(range(nx + ny), nx)
        ]
    )
    assert differences[0] == pytest.approx(after.effect - before.effect)
    extreme = np.abs(differences) >= abs(differences[0]) - 1e-9
    tested = change_test(before, after)
    assert tested is not None
    assert tested[0].value == pytest.approx(extreme.mean())
    assert (tested[0].method, tested[0].changed) == ("exact", nx + ny)


@quick
@given(st.integers(0, 10**6), st.floats(-100, 100))
def test_what_all_words_share_is_no_change(seed: int, offset: float) -> None:
    """The scores of all words are larger by as much: neither p nor interval see it."""
    generator = np.random.default_rng(seed)
    lists = [generator.normal(1, size=6), generator.normal(size=7)]
    later = [generator.normal(size=6), generator.normal(size=7)]
    before, after = scored(*lists), scored(*later)
    tested = change_test(before, after)
    moved = change_test(before, scored(*(side + offset for side in later)))
    assert tested
    assert moved
    assert moved[0].value == pytest.approx(tested[0].value)
    assert tested[1]
    assert moved[1]
    assert (moved[1].low, moved[1].high) == pytest.approx((tested[1].low, tested[1].high))
    alone = change_test(before, scored(*(side + offset for side in lists)))
    assert alone
    assert alone[1]
    assert (alone[0].value, alone[0].changed) == (1.0, 0)
    assert (alone[1].low, alone[1].high) == (0.0, 0.0)


@quick
@given(st.integers(0, 10**6), st.floats(0, 3), st.integers(4, 8), st.integers(4, 8))
def test_the_test_of_a_change_turns_round_and_agrees_with_its_interval(
    seed: int, effect: float, nx: int, ny: int
) -> None:
    generator = np.random.default_rng(seed)
    before = scored(generator.normal(effect, size=nx), generator.normal(size=ny))
    after = scored(generator.normal(size=nx), generator.normal(size=ny))
    there, back = change_test(before, after), change_test(after, before)
    assert there
    assert back
    assert there[1]
    assert back[1]
    assert there[0] == back[0]
    assert (there[1].low, there[1].high) == pytest.approx((-back[1].high, -back[1].low))
    assert there[1].low <= after.effect - before.effect <= there[1].high
    assert (there[1].low <= 0 <= there[1].high) is not is_significant(there[0].value, 0.05)


@quick
@given(st.integers(0, 10**6), st.integers(2, 4))
def test_a_run_without_an_effect_is_scaled_by_the_deviation_of_its_scores(
    seed: int, size: int
) -> None:
    """No effect says by what it was divided: d = 0 whatever the spread."""
    generator = np.random.default_rng(seed)
    half = generator.normal(size=size)
    lists = np.concatenate([half, -half]), np.concatenate([-half, half])
    before = scored(*lists)
    after = scored(generator.normal(size=2 * size), generator.normal(size=2 * size))
    assert before.effect == pytest.approx(0, abs=1e-12)
    tested = change_test(before, after)
    assert tested
    changes = np.array([*changes_of(before, after).values()])
    expected = permutation_test(changes[: 2 * size], changes[2 * size :])
    assert tested[0].value == pytest.approx(expected.value)


def test_long_lists_are_certified_or_sampled_by_the_draws_of_the_run() -> None:
    generator = np.random.default_rng(3)
    before, after = (scored(generator.normal(size=40), generator.normal(size=40)) for _ in "ba")
    sampled = after.p.model_copy(update={"method": "sampled", "samples": 499})
    tested = change_test(before, after.model_copy(update={"p": sampled}))
    assert tested
    assert tested[1]
    assert tested[0].method in ("certified", "sampled")
    assert tested[0].samples in (None, 499)
    assert tested[1].kind == "inverted"
    assert tested[1].method.startswith("inverted permutation test of changes, ")


def test_words_that_all_lean_alike_have_no_score() -> None:
    """Their effect is gone for certain: the change is the effect that the other run had."""
    generator = np.random.default_rng(1)
    before = scored(generator.normal(2, size=6), generator.normal(size=6))
    alike = skipped(test="toy/one").model_copy(update={"cause": "no-spread"})
    x, y = (
        np.array([word.score for word in before.words if word.role == role]) for role in ("x", "y")
    )
    for runs in ((before, alike), (alike, before)):
        tested = change_test(*runs)
        assert tested
        assert tested[0].value == permutation_test(x, y).value
    assert change_test(alike, alike) is None
