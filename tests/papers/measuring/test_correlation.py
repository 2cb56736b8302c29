"""Figure 1 of Kumar et al. on the shipped twins, against the formulas of the paper."""

import numpy as np

import fairvec
from fairvec.embedding import Embedding
from fairvec.geometry import FloatArray
from fairvec.lexicon import resolve, select_tests
from fairvec.papers import load_paper, reproduce
from fairvec.papers.readings import bias_correlation

PROFESSIONS = "bolukbasi2016/professions"


def add(x: FloatArray, y: FloatArray) -> FloatArray:
    xy, xx, yy = x @ y, x @ x, y @ y
    return np.asarray(((1 + 2 * xy + yy) * x + (1 - xx) * y) / (1 + 2 * xy + xx * yy))


def unit(rows: FloatArray) -> FloatArray:
    return np.asarray(rows / np.linalg.norm(rows, axis=-1, keepdims=True))


def by_hand(curved: Embedding, flat: Embedding, leaving_out: int | None = None) -> float:
    """Figure 1's r by the formulas, without one of the pairs."""
    test = select_tests([PROFESSIONS])[0].test
    found = {model.name: resolve(test, model) for model in (curved, flat)}
    ball = found[curved.name]
    kept = [n for n in range(len(test.sets["a"].words)) if n != leaving_out]
    sides = ([test.sets[role].words[n] for n in kept] for role in "ab")
    places = ([ball[role].rows[w] for w in side] for role, side in zip("ab", sides, strict=True))
    male, female = (
        curved.geometry.mean(ball[role].vectors[rows]).point
        for role, rows in zip("ab", places, strict=True)
    )
    words = unit(ball["words"].vectors)
    gamma = (words @ unit(add(-male, female)) - words @ unit(add(-female, male))) / 2
    a, b = (unit(side.vectors[kept]) for side in found[flat.name].pairs())
    halves = np.concatenate([a - b, b - a]) / 2
    axis = np.linalg.svd(halves)[2][0]
    axis *= np.sign(axis @ (b - a).mean(axis=0))
    rows = unit(found[flat.name]["words"].vectors) @ axis
    return float(np.corrcoef(gamma, rows)[0, 1])


def test_words_lean_alike_in_the_twins_and_that_hangs_on_a_pair() -> None:
    curved, flat = (
        fairvec.load(f"{name}-small") for name in ("poincare-glove-en", "glove-en-twin")
    )
    ours = bias_correlation(curved, flat, PROFESSIONS)
    assert ours.by_pairs is not None
    assert abs(ours.by_pairs - by_hand(curved, flat)) < 1e-6
    assert ours.by_pairs > 0.9
    assert {one.metric for one in ours.outcomes} == {"gyrocosine-bias", "signed-direct-bias"}
    test = select_tests([PROFESSIONS])[0].test
    sides = (test.sets[role].words for role in "ab")
    pairs = [f"{one.word}-{two.word}" for one, two in zip(*sides, strict=True)]
    without = {pair: by_hand(curved, flat, number) for number, pair in enumerate(pairs)}
    low, high = min(without, key=without.__getitem__), max(without, key=without.__getitem__)
    assert low == "John-Mary"
    assert ours.notes[-1] == (
        f"With one of the 10 pairs left out, from {without[low]:.3f} (without {low}) to "
        f"{without[high]:.3f} (without {high})."
    )


def test_without_the_other_model_there_is_no_correlation() -> None:
    chosen = load_paper("kumar2020")
    figure = tuple(one for one in chosen.tables if one.id == "figure-1")
    roles = chosen.roles | {"e-glove": chosen.roles["e-glove"].model_copy(update={"stand_ins": ()})}
    (line,) = reproduce(chosen.model_copy(update={"tables": figure, "roles": roles})).lines
    assert (line.answers[0].grade, line.answers[0].ours) == ("no model", None)
    assert "--model e-glove=e-glove.txt" in line.notes[0]
