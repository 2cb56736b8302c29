"""Google's analogies on the twins of the shared data, whose figures were first had elsewhere."""

from pathlib import Path

import pytest

import fairvec
from fairvec.benchmarks import AnalogySet, read_benchmark
from fairvec.metrics.utility import Analogies


@pytest.fixture(scope="module")
def google(shared_data: Path) -> AnalogySet:
    found = read_benchmark(
        shared_data / "word_analogy_en" / "google_questions-words.txt", "analogy", "en"
    )
    assert isinstance(found, AnalogySet)
    return found


@pytest.mark.parametrize(
    ("file", "geometry", "value"),
    [
        ("glove_enwiki2_50k_100d.npz", "euclidean", 0.353),
        ("poincare_glove_enwiki2_50k_100d.npz", "poincare", 0.395),
    ],
)
def test_3cosadd_has_the_figures_of_the_source(
    shared_data: Path, google: AnalogySet, file: str, geometry: str, value: float
) -> None:
    folder = shared_data / "emb_glove_and_poincare_glove_en"
    model = fairvec.load(folder / file, geometry=geometry)
    found = Analogies().measure(google, model)[-1]
    assert (found.part, len(found.items), found.wanted) == ("", 15_655, 19_544)
    assert found.value == pytest.approx(value, abs=0.0005)


def test_in_the_ball_the_best_t_lies_near_that_of_the_paper(
    shared_data: Path, google: AnalogySet
) -> None:
    """Kumar et al. (2020) chose t = 0.3 on their model; both ends are worse."""
    folder = shared_data / "emb_glove_and_poincare_glove_en"
    model = fairvec.load(folder / "poincare_glove_enwiki2_50k_100d.npz", geometry="poincare")
    found = Analogies("gyro-translation").accuracy_by_t(google, model, (0.0, 0.3, 0.4, 1.0))
    start, low, high, end = (parts[-1].value for parts in found.values())
    assert start == pytest.approx(0.328, abs=0.0005)
    assert low == pytest.approx(0.371, abs=0.0005)
    assert high == pytest.approx(0.372, abs=0.0005)
    assert end == pytest.approx(0.136, abs=0.0005)
