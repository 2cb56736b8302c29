"""Figure 1 of Kumar et al. on the shipped twins, against the formulas of the paper."""

import numpy as np

import fairvec
from fairvec.geometry import FloatArray
from fairvec.lexicon import resolve, select
from fairvec.papers import paper, reproduce
from fairvec.papers.correlation import correlated

PROFESSIONS = "bolukbasi2016/professions"


def add(x: FloatArray, y: FloatArray) -> FloatArray:
    xy, xx, yy = x @ y, x @ x, y @ y
    return np.asarray(((1 + 2 * xy + yy) * x + (1 - xx) * y) / (1 + 2 * xy + xx * yy))


def unit(rows: FloatArray) -> FloatArray:
    return np.asarray(rows / np.linalg.norm(rows, axis=-1, keepdims=True))


def test_words_lean_alike_in_the_twins() -> None:
    curved, flat = (
        fairvec.load(f"{name}-small") for name in ("poincare-glove-en", "glove-en-twin")
    )
    test = select([PROFESSIONS])[0].test
    found = {model.name: resolve(test, model) for model in (curved, flat)}
    ball = found[curved.name]
    male, female = (curved.geometry.mean(ball[role].vectors).point for role in "ab")
    words = unit(ball["words"].vectors)
    gamma = (words @ unit(add(-male, female)) - words @ unit(add(-female, male))) / 2
    a, b = (unit(side.vectors) for side in found[flat.name].pairs())
    halves = np.concatenate([a - b, b - a]) / 2
    axis = np.linalg.svd(halves)[2][0]
    axis *= np.sign(axis @ (b - a).mean(axis=0))
    expected = np.corrcoef(gamma, unit(found[flat.name]["words"].vectors) @ axis)[0, 1]
    ours = correlated(curved, flat, PROFESSIONS)
    assert ours.by_pairs is not None
    assert abs(ours.by_pairs - expected) < 1e-6
    assert ours.by_pairs > 0.9
    assert {one.metric for one in ours.outcomes} == {"gyrocosine-bias", "signed-direct-bias"}


def test_without_the_other_model_there_is_no_correlation() -> None:
    chosen = paper("kumar2020")
    figure = tuple(one for one in chosen.tables if one.id == "figure-1")
    roles = chosen.roles | {"e-glove": chosen.roles["e-glove"].model_copy(update={"stand_ins": ()})}
    (line,) = reproduce(chosen.model_copy(update={"tables": figure, "roles": roles})).lines
    assert (line.answers[0].grade, line.answers[0].ours) == ("no model", None)
    assert "--model e-glove=e-glove.txt" in line.notes[0]
