"""Lists that repeat words, against the formula of the authors' notebook in plain loops."""

from itertools import combinations
from pathlib import Path
from statistics import fmean, pstdev, stdev

import numpy as np
import pytest

from fairvec.embedding import load
from fairvec.experiments.audit.inference import PValueCache
from fairvec.geometry import FloatArray
from fairvec.lexicon import select_tests
from fairvec.papers import Reproduction, load_paper, reproduce
from fairvec.papers.measure import _run
from fairvec.papers.variants import DebiasedColumn, FigureConvention
from fairvec.results import Result
from tests.papers.conftest import Make, known_by_size

TEST = "malik2022-translated/science-arts"
PLEASANT = "malik2022-translated/caste-adjectives"


def leaning(word: str, points: dict[str, FloatArray], lists: dict[str, list[str]]) -> float:
    def cosine(u: FloatArray, v: FloatArray) -> float:
        return float(u @ v / np.linalg.norm(u) / np.linalg.norm(v))

    return fmean(cosine(points[word], points[a]) for a in lists["a"]) - fmean(
        cosine(points[word], points[b]) for b in lists["b"]
    )


def read(path: Path, test: str) -> tuple[dict[str, FloatArray], dict[str, list[str]]]:
    lines = (line.split() for line in path.read_text(encoding="utf-8").splitlines()[1:])
    points = {word: np.array(row, np.float32).astype(float) for word, *row in lines}
    chosen = select_tests([test])[0].test
    return points, {role: [word.word for word in chosen.sets[role].words] for role in "xyab"}


def measure_model(path: Path, test: str, metric: str = "weat", **choices: str) -> Result:
    chosen = FigureConvention(sides="greater", ties=">", **choices)  # type: ignore[arg-type]
    model = load(str(path))
    (outcome,) = _run(DebiasedColumn(model, model), [test], metric, chosen, PValueCache())
    assert isinstance(outcome, Result)
    return outcome


@pytest.mark.parametrize(
    ("test", "size", "deviation"),
    [(TEST, "population", pstdev), (TEST, "caliskan", stdev), (PLEASANT, "population", pstdev)],
)
def test_means_keep_repeats_and_the_deviation_is_over_the_set(
    make_model: Make, test: str, size: str, deviation: object
) -> None:
    path = make_model([test], dimensions=6)
    points, lists = read(path, test)
    assert any(len(set(words)) < len(words) for words in lists.values())
    x, y = ([leaning(w, points, lists) for w in lists[role]] for role in "xy")
    spread = [leaning(w, points, lists) for w in {*lists["x"], *lists["y"]}]
    assert callable(deviation)
    d = (fmean(x) - fmean(y)) / deviation(spread)
    kept = measure_model(path, test, effect_size=size, repeats="kept")
    assert kept.effect == pytest.approx(d)
    assert "repeated words count each time" in kept.convention.denominator
    assert measure_model(path, test, effect_size=size).effect != pytest.approx(d)


def test_p_splits_the_lists_with_their_repeats(make_model: Make) -> None:
    path = make_model([TEST], dimensions=6)
    points, lists = read(path, TEST)
    pooled = [leaning(w, points, lists) for w in (*lists["x"], *lists["y"])]
    seen = sum(pooled[:8])
    sums = [sum(chosen) for chosen in combinations(pooled, 8)]
    p = fmean(one > seen + 1e-12 for one in sums)
    assert measure_model(path, TEST, repeats="kept").p.value == pytest.approx(p)


@pytest.mark.parametrize("metric", ["weat", "seat"])
def test_without_repeats_nothing_changes(make_model: Make, metric: str) -> None:
    path = make_model(["malik2022/maths-arts"], dimensions=6)
    how = {"permute": "sentences", "attribute_templates": "targets"}
    once, kept = (
        measure_model(path, "malik2022/maths-arts", metric, repeats=repeats, **how)
        for repeats in ("once", "kept")
    )
    assert kept.effect == pytest.approx(once.effect)
    assert kept.p.value == once.p.value


def test_sentences_of_a_repeated_word_count_again(make_model: Make) -> None:
    """In the means and, other than in WEAT, in the deviation too.

    The model knows no other word of a sentence, so that every sentence is its word.
    """
    path = make_model([PLEASANT], dimensions=6)
    points, lists = read(path, PLEASANT)
    x, y = ([leaning(w, points, lists) for w in lists[role]] for role in "xy")
    how = {"effect_size": "population", "permute": "sentences", "attribute_templates": "targets"}
    kept = measure_model(path, PLEASANT, "seat", repeats="kept", **how)
    once = measure_model(path, PLEASANT, "seat", **how)
    assert kept.effect == pytest.approx((fmean(x) - fmean(y)) / pstdev([*x, *y]))
    assert kept.convention.denominator.endswith("repeated words count each time")
    assert kept.effect != pytest.approx(once.effect)
    assert kept.p.log10_partitions > once.p.log10_partitions


def test_repeats_are_a_named_convention(make_model: Make) -> None:
    """A figure that counts repeats once is explained by that, in a paper that keeps them."""
    path = make_model([TEST], dimensions=300)
    ours = measure_model(path, TEST, effect_size="population").effect
    chosen = known_by_size(load_paper("malik2022"), "glove", path)
    (table,) = [table for table in chosen.tables if table.id == "table-1"]
    name = "science, arts vs male, female"
    row = table.rows[name].model_copy(update={"cells": (f"{ours:.4f} -", "", "", "")})
    small = table.model_copy(update={"rows": {name: row}, "remarks": ()})
    found: Reproduction = reproduce(
        chosen.model_copy(update={"tables": (small,)}), {"glove": [str(path)]}
    )
    (line,) = found.lines
    assert "d is matched under: repeated words counted once." in line.notes
