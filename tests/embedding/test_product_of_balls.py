"""Products of balls in files: their name, poincare-x50, and c say the whole space."""

from pathlib import Path

import numpy as np
import pytest

from fairvec import load
from fairvec.core.errors import GeometryError, UnknownNameError
from fairvec.embedding import Embedding, save
from fairvec.geometry import ProductOfBalls
from tests.geometry import balls


def test_a_native_file_keeps_the_product(tmp_path: Path) -> None:
    space = ProductOfBalls(3, 0.5)
    points = balls.points(4 * 3, 2, c=0.5).reshape(4, 6)
    save(Embedding(list("abcd"), points, space, "product"), tmp_path / "product.fairvec")
    again = load(tmp_path / "product.fairvec")
    assert again.geometry == space
    np.testing.assert_array_equal(again.vectors, points)


def test_a_text_file_can_be_declared_a_product(tmp_path: Path) -> None:
    path = tmp_path / "points.txt"
    path.write_text("2 4\na 0.8 0.1 0.1 0.9\nb 0.1 0.2 0.0 0.95\n", encoding="utf-8")
    product = load(path, geometry="poincare-x2")
    assert product.geometry == ProductOfBalls(2)
    with pytest.raises(GeometryError, match="1 of 2 points lies outside the poincare ball"):
        load(path, geometry="poincare")
    with pytest.raises(GeometryError, match="4 dimensions cannot be shared equally among 3 balls"):
        load(path, geometry="poincare-x3")
    with pytest.raises(UnknownNameError, match="poincare-x50"):
        load(path, geometry="poincare-50")
