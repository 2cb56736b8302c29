import numpy as np
import pytest

from fairvec.geometry import FloatArray
from fairvec.mitigation.specific_words import (
    LearntWords,
    Sides,
    learn_specific_words,
    precise_threshold,
    wilson_low,
)
from fairvec.stats.proportions import wilson

LISTED, HIDDEN, OTHERS, COLUMNS = 100, 15, 900, 20


def planted(signal: float, seed: int = 0) -> tuple[list[str], FloatArray, Sides]:
    """Words of which the first have a direction in common, and names that tell nothing."""
    draw = np.random.default_rng(seed)
    rows = draw.normal(size=(LISTED + HIDDEN + OTHERS, COLUMNS))
    rows[: LISTED + HIDDEN, 0] += signal
    units = rows / np.linalg.norm(rows, axis=1, keepdims=True)
    letters = draw.choice([*"abcdefghij"], size=(len(rows), 6))
    keys = ["".join(word) for word in letters]
    return keys, units, np.arange(len(rows)) < LISTED


def test_hidden_words_are_found_with_the_precision_that_is_said() -> None:
    wrong = marked = 0
    for seed in range(5):
        found = learn_specific_words(*planted(12.0, seed))
        places = np.flatnonzero(found.marked)
        assert (places >= LISTED).all(), "a listed word is not learnt"
        wrong += (places >= LISTED + HIDDEN).sum()
        marked += len(places)
        assert found.precision >= found.target
    assert marked >= 4 * HIDDEN
    assert wrong / marked <= 0.1


@pytest.mark.parametrize("seed", range(6))
def test_a_list_that_tells_nothing_teaches_nothing(seed: int) -> None:
    found = learn_specific_words(*planted(0.0, seed))
    assert not found.marked.any()
    assert found.found == 0
    assert "0 words learnt" in found.summary
    assert (
        f"at no threshold can a precision of 0.9 be expected (at best {found.precision:.2f})"
        in (found.summary)
    )


def test_spelling_teaches_where_vectors_do_not() -> None:
    keys, units, sides = planted(0.0)
    spelt = [f"{key}woman" if at < LISTED + HIDDEN else key for at, key in enumerate(keys)]
    assert {*np.flatnonzero(learn_specific_words(spelt, units, sides).marked)} <= {
        *range(LISTED, LISTED + HIDDEN)
    }
    assert learn_specific_words(spelt, units, sides).marked.sum() >= HIDDEN - 3


def test_a_threshold_does_not_part_words_of_one_score() -> None:
    sides = np.arange(60) < 40
    scores = np.where(sides, 2.0, 0.0)
    scores[40:44] = 1.0
    ask = {"target": 0.5, "unlisted": 0.1}
    marked, found, precision = precise_threshold(scores, sides, **ask)
    assert np.flatnonzero(marked).tolist() == [40, 41, 42, 43]
    assert found == 40
    assert precision == pytest.approx(0.1 * 40 * wilson(40, 40)[0] / 4)
    # Among sixteen of one score the first seven alone would do, and nothing tells which these are.
    scores[40:56] = 1.0
    assert not precise_threshold(scores, sides, **ask)[0].any()


def test_the_lowest_good_threshold_is_taken() -> None:
    sides = np.array([True] * 10 + [False] + [True] * 10 + [False] * 9)
    marked, found, _ = precise_threshold(-np.arange(30.0), sides, target=0.5, unlisted=0.2)
    low = wilson(20, 20)[0]
    kept = int(0.2 * 20 * low / 0.5)
    assert (marked.sum(), found) == (kept, 20)


def test_more_is_learnt_where_more_is_taken_to_be_unlisted_or_less_is_asked() -> None:
    given = planted(2.5)
    few, more = (learn_specific_words(*given, unlisted=share) for share in (0.15, 0.6))
    loose = learn_specific_words(*given, target=0.3)
    assert few.marked.sum() < more.marked.sum()
    assert few.marked.sum() < loose.marked.sum()
    assert not (few.marked & ~more.marked).any()


def test_the_precision_is_the_formula() -> None:
    found = learn_specific_words(*planted(2.5), target=0.3)
    low = wilson(found.found, LISTED)[0]
    assert found.precision == pytest.approx(min(1, 0.15 * LISTED * low / found.marked.sum()))


def test_a_seed_decides_the_folds_and_nothing_else_does() -> None:
    one, again = (learn_specific_words(*planted(2.5), target=0.3, seed=3) for _ in range(2))
    assert one.marked.tolist() == again.marked.tolist()
    assert one.precision == again.precision


def test_lower_ends_are_those_of_one_share() -> None:
    counts = np.array([0, 1, 17, 50])
    assert wilson_low(counts, 50) == pytest.approx([wilson(int(each), 50)[0] for each in counts])


def test_what_was_learnt_is_said() -> None:
    found = learn_specific_words(*planted(12.0))
    assert isinstance(found, LearntWords)
    assert found.summary.startswith(f"{found.marked.sum()} words learnt by a logistic regression")
    assert f"it recognises {found.found} of the listed ones unseen" in found.summary
    assert "from 100 listed and 915 other words" in found.summary
