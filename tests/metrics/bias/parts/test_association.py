import numpy as np
import pytest

from fairvec.geometry import NEGATIVE_SQUARED_DISTANCE, Euclidean
from fairvec.ground.errors import UndefinedError
from fairvec.lexicon import resolve
from fairvec.metrics import Weat
from fairvec.metrics.bias.parts.association import Closeness
from tests import toys


def test_clusters_of_unequal_size_are_averaged() -> None:
    rows = np.arange(12.0).reshape(6, 2)
    near = Closeness(rows, 10 * rows).averaged([1, 3, 2])
    assert near.to_a.tolist() == [[0, 1], [4, 5], [9, 10]]
    assert near.to_b.tolist() == [[0, 10], [40, 50], [90, 100]]


def test_a_word_equally_close_to_all_has_no_effect_of_its_own() -> None:
    group = resolve(toys.suite().tests[0], toys.embedding())["x"]
    alike = np.full((5, 4), 0.1 + 0.2)
    alike[1, 0] = 0.5
    shares = Closeness(alike, alike[:, ::-1]).shares(group, ddof=1)
    assert [share.effect is None for share in shares] == [True, False, True, True, True]


@pytest.mark.filterwarnings("ignore:overflow:RuntimeWarning")
def test_an_infinite_distance_is_said_not_counted() -> None:
    huge = toys.embedding(0.3).vectors * 1e200
    points = toys.embedding(0.3).moved_to(huge, step=None)  # type: ignore[arg-type]
    groups = resolve(toys.suite().tests[0], points)
    with pytest.raises(UndefinedError, match="negative-squared-distance is infinite"):
        Weat(NEGATIVE_SQUARED_DISTANCE).measure(groups, Euclidean())
