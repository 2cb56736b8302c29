"""The answers for the categories of the shipped models, d in Caliskan's convention (ddof 1)."""

from itertools import combinations

import numpy as np
import pytest

import fairvec
from fairvec.lexicon import select_tests
from fairvec.results import CategoryAnswer

ANSWERS = {
    "glove-en-small": {
        "race": ("biased", 1.05, 0.75, 1.27, 3),
        "gender": ("biased", 1.11, 0.87, 1.30, 10),
        "health": ("biased", 1.29, 0.33, 1.64, 1),
        "age": ("biased", 1.07, 0.18, 1.51, 1),
    },
    "glove-hi-small": {
        "gender": ("no-evidence", 0.14, -0.17, 0.43, 11),
        "caste": ("no-evidence", 0.25, -0.23, 0.68, 3),
        "religion": ("biased", 0.88, 0.53, 1.15, 4),
        "occupation": ("inconclusive", 0.57, 0.05, 0.98, 2),
    },
    "navec-ru-small": {"gender": ("no-evidence", 0.37, -0.03, 0.72, 7)},
    "poincare-glove-en-small": {
        "race": ("no-evidence", 0.03, -0.53, 0.59, 1),
        "gender": ("biased", 0.54, 0.21, 0.83, 10),
        "health": ("no-evidence", 1.04, -0.19, 1.54, 1),
        "age": ("no-evidence", 0.44, -0.64, 1.22, 1),
    },
}


def answers_of(model: str) -> dict[str, CategoryAnswer]:
    outcomes = fairvec.audit(fairvec.load(model))
    return {one.test.category: one for one in outcomes if isinstance(one, CategoryAnswer)}


@pytest.mark.parametrize("model", ANSWERS)
def test_the_answers_of_shipped_models(model: str) -> None:
    found = answers_of(model)
    assert [*found] == [*ANSWERS[model]]
    for category, (kind, effect, low, high, tests) in ANSWERS[model].items():
        one = found[category]
        assert (one.verdict.kind, len(one.tests)) == (kind, tests)
        assert one.effect == pytest.approx(effect, abs=0.006)
        assert one.interval is not None
        # Ends of a sampled interval move by the luck of the draw.
        assert one.interval.low == pytest.approx(low, abs=0.02)
        assert one.interval.high == pytest.approx(high, abs=0.02)


def leanings(test: str) -> dict[str, dict[str, float]]:
    """Return s(w, A, B) of the words of X and Y in a few lines of numpy."""
    model, (asked,) = fairvec.load("glove-en-small"), select_tests([test])
    vectors = model.vectors.astype(np.float64)
    units = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    places = {key: at for at, key in enumerate(model.keys)}
    rows = {
        role: {
            word.word: units[places[word.word.lower()]]
            for word in asked.test.sets[role].words
            if word.word.lower() in places
        }
        for role in "xyab"
    }
    to = {role: np.array([*some.values()]) for role, some in rows.items()}
    return {
        role: {
            word: float((to["a"] @ row).mean() - (to["b"] @ row).mean())
            for word, row in some.items()
        }
        for role, some in rows.items()
        if role in "xy"
    }


def d_of(lists: dict[str, dict[str, float]]) -> float:
    x, y = (np.array([*lists[role].values()]) for role in "xy")
    return float((x.mean() - y.mean()) / np.concatenate([x, y]).std(ddof=1))


def test_d_and_the_p_of_one_test_by_hand() -> None:
    found = answers_of("glove-en-small")
    for one in found["gender"].tests:
        assert one.effect == pytest.approx(d_of(leanings(one.test)), abs=1e-9)
    lists = leanings("caliskan2017/weat-9")
    scores = np.array([*lists["x"].values(), *lists["y"].values()])
    sums = [scores[list(some)].sum() for some in combinations(range(len(scores)), len(lists["x"]))]
    means = np.array(sums) * (1 / len(lists["x"]) + 1 / len(lists["y"])) - scores.sum() / len(
        lists["y"]
    )
    p = float((np.abs(means) >= abs(means[0]) - 1e-9).mean())
    assert found["health"].p.value == pytest.approx(p)
