from typing import Any

import numpy as np
import pytest

from fairvec.core.errors import SettingError
from fairvec.embedding import Reading, from_arrays, load, read


@pytest.mark.parametrize(
    ("setting", "said"),
    [
        ("outside", "outside must be 'refuse' or 'project', not 'x'"),
        ("vectors", "vectors must be 'target', 'context' or 'aggregated', not 'x'"),
        ("invalid_utf8", "invalid_utf8 must be 'refuse' or 'replace', not 'x'"),
    ],
)
def test_a_choice_that_does_not_exist_is_refused_before_any_reading(
    setting: str, said: str
) -> None:
    wrong: dict[str, Any] = {setting: "x"}
    for opening in (Reading, lambda **each: load("nowhere.vec", **each)):
        with pytest.raises(SettingError, match=said):
            opening(**wrong)


def test_points_held_in_python_are_checked_alike() -> None:
    with pytest.raises(SettingError, match="outside must be"):
        from_arrays(["a"], np.ones((1, 2)), outside="x")  # type: ignore[arg-type]


def test_reading_by_the_object_is_loading_by_its_parts() -> None:
    points = {"a": [0.1, 0.2], "b": [2.0, 0.0]}
    settings: dict[str, Any] = {"geometry": "poincare", "curvature": 2.0, "outside": "project"}
    one, other = read(points, Reading(**settings)), load(points, **settings)
    assert one.geometry == other.geometry
    np.testing.assert_array_equal(one.vectors, other.vectors)
