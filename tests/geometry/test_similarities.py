"""Similarities, lengths and distances at every size."""

import warnings
from collections.abc import Iterator
from decimal import Decimal, localcontext
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairvec.core.errors import GeometryError, UndefinedError, UnknownNameError
from fairvec.geometry import (
    COSINE,
    NEGATIVE_DISTANCE,
    NEGATIVE_SQUARED_DISTANCE,
    Euclidean,
    Poincare,
    default_similarity,
    similarity,
)
from fairvec.geometry.base import FloatArray
from fairvec.geometry.nearest import build_index, nearest
from fairvec.geometry.norms import (
    check_spread,
    euclidean_distances,
    norm,
    normalize,
    normalize_rows,
    norms,
    unit_or_zero,
)

# --- similarities ---


X = np.array([[0.3, 0.4], [0.1, -0.2]])
Y = np.array([[0.4, 0.3]])


def test_cosine_of_a_worked_example() -> None:
    assert COSINE.between(X, Y, Euclidean())[0, 0] == pytest.approx(0.96)


def test_cosine_does_not_see_the_curvature() -> None:
    np.testing.assert_array_equal(
        COSINE.between(X, Y, Euclidean()), COSINE.between(X, Y, Poincare())
    )


def test_distance_sees_the_curvature() -> None:
    flat = NEGATIVE_DISTANCE.between(X, Y, Euclidean())
    curved = NEGATIVE_DISTANCE.between(X, Y, Poincare())
    assert (curved < flat).all()
    np.testing.assert_allclose(
        NEGATIVE_SQUARED_DISTANCE.between(X, Y, Poincare()), -(curved**2), rtol=1e-15
    )


@given(st.lists(st.booleans(), min_size=1, max_size=5).filter(any))
def test_a_zero_vector_has_no_cosine_whatever_is_beside_it(zero: list[bool]) -> None:
    points = np.where(np.array(zero)[:, None], 0, [[0.4, 0.3]])
    for x, y in ((points, Y), (Y, points)):
        with pytest.raises(GeometryError, match=rf"^{sum(zero)} vector\(s\) have length zero"):
            COSINE.between(x, y, Euclidean())


def test_each_geometry_has_its_natural_similarity() -> None:
    assert default_similarity(Euclidean()) is COSINE
    assert default_similarity(Poincare()) is NEGATIVE_DISTANCE


def test_a_misspelt_name_gets_an_offer() -> None:
    with pytest.raises(UnknownNameError, match="did you mean cosine"):
        similarity("cosin")


# --- Lengths, directions and distances at every size that a float can have ---


powers = st.integers(-480, 480)
seeds = st.integers(0, 1000)


@pytest.fixture
def no_warning() -> Iterator[None]:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        yield


def rows(seed: int, count: int = 5, columns: int = 4) -> FloatArray:
    return np.random.default_rng(seed).normal(size=(count, columns))


def exact_length(vector: FloatArray) -> Decimal:
    with localcontext() as context:
        context.prec = 60
        return sum((Decimal(float(each)) ** 2 for each in vector), Decimal(0)).sqrt()


@pytest.mark.usefixtures("no_warning")
@given(seed=seeds, power=powers)
def test_a_power_of_two_is_exact(seed: int, power: int) -> None:
    some, scaled = rows(seed), np.ldexp(rows(seed), power)
    np.testing.assert_allclose(normalize_rows(scaled), normalize_rows(some), rtol=4e-16)
    np.testing.assert_allclose(norms(scaled), np.ldexp(norms(some), power), rtol=4e-16)
    np.testing.assert_allclose(
        COSINE.between(scaled, some, Euclidean()),
        COSINE.between(some, some, Euclidean()),
        atol=1e-15,
    )


@pytest.mark.usefixtures("no_warning")
@given(seed=seeds, each=st.lists(powers, min_size=5, max_size=5))
def test_lengths_are_those_of_sixty_digits(seed: int, each: list[int]) -> None:
    mixed = np.ldexp(rows(seed), np.array(each)[:, None])
    for vector, found in zip(mixed, norms(mixed), strict=True):
        exact = exact_length(vector)
        assert abs(Decimal(float(found)) - exact) <= exact * Decimal("4e-16")
    np.testing.assert_allclose(exact_lengths(normalize_rows(mixed)), 1, rtol=1e-15)


def exact_lengths(vectors: FloatArray) -> list[float]:
    return [float(exact_length(vector)) for vector in vectors]


@pytest.mark.usefixtures("no_warning")
@given(seed=seeds, each=st.lists(powers, min_size=5, max_size=5))
def test_flat_distances_are_those_of_sixty_digits(seed: int, each: list[int]) -> None:
    mixed = np.ldexp(rows(seed), np.array(each)[:, None])
    found = euclidean_distances(mixed, mixed)
    for i, j in np.ndindex(found.shape):
        exact = exact_length(mixed[i] - mixed[j])
        assert abs(Decimal(float(found[i, j])) - exact) <= exact * Decimal("1e-15")


@pytest.mark.usefixtures("no_warning")
def test_lengths_that_cannot_be_squared_have_no_direction() -> None:
    for length in (1e-150, 1e150):
        row = np.array([[0.6, 0.8]]) * length
        np.testing.assert_allclose(norms(row), [length], rtol=1e-15)
        np.testing.assert_allclose(normalize_rows(row), [[0.6, 0.8]], rtol=1e-15)
    for length, message in (
        (1e-160, "so small .* large number"),
        (1e300, "so large .* small number"),
    ):
        for row in (np.array([length, length]), np.array([0.0, length])):
            with pytest.raises(UndefinedError, match=message):
                normalize_rows(np.array([[1.0, 0.0], row]))
            with pytest.raises(UndefinedError, match=message):
                normalize(row)
    assert unit_or_zero(np.zeros((1, 2))).tolist() == [[0.0, 0.0]]
    with pytest.raises(UndefinedError, match="length zero"):
        normalize_rows(np.array([[1.0, 0.0], [0.0, 0.0]]))


@pytest.mark.usefixtures("no_warning")
@pytest.mark.parametrize("power", [-400, 400])
@pytest.mark.parametrize(
    "how", [COSINE, NEGATIVE_DISTANCE, NEGATIVE_SQUARED_DISTANCE], ids=lambda how: how.name
)
def test_neighbours_do_not_depend_on_the_unit(power: int, how: object) -> None:
    some = rows(3, 400, 8)
    scaled = np.ldexp(some, power)
    if how is NEGATIVE_SQUARED_DISTANCE:
        power = power // 4
        scaled = np.ldexp(some, power)
    found = nearest(some[:9], some, 5, Euclidean(), how)  # type: ignore[arg-type]
    again = nearest(scaled[:9], scaled, 5, Euclidean(), how)  # type: ignore[arg-type]
    np.testing.assert_array_equal(found.rows, again.rows)
    ranked = build_index(scaled, Euclidean(), how)  # type: ignore[arg-type]
    near = nearest(some[7:8], some, 6, Euclidean(), how)  # type: ignore[arg-type]
    np.testing.assert_array_equal(ranked.near(7, 5).rows[0], near.rows[0, 1:])


@pytest.mark.usefixtures("no_warning")
def test_points_beside_much_smaller_ones_keep_their_neighbours() -> None:
    some = rows(4, 60, 3)
    some[:30] *= 1e-30
    near = nearest(some[:30], some, 2, Euclidean(), NEGATIVE_DISTANCE)
    np.testing.assert_array_equal(near.rows[:, 0], np.arange(30))
    alone = nearest(some[:30] * 1e30, some[:30] * 1e30, 2, Euclidean(), NEGATIVE_DISTANCE)
    np.testing.assert_array_equal(near.rows, alone.rows)


@pytest.mark.usefixtures("no_warning")
def test_what_cannot_be_squared_is_refused_with_the_remedy() -> None:
    for size, message in (
        (1e-200, "so small .* large number"),
        (1e200, "so large .* small number"),
    ):
        with pytest.raises(UndefinedError, match=message):
            check_spread(np.array([size, 0.0]), "distances")
        vectors = np.sqrt(size) * np.eye(2)
        with pytest.raises(UndefinedError, match=message):
            NEGATIVE_SQUARED_DISTANCE.measured(vectors, 3 * vectors, Euclidean())
    np.testing.assert_array_equal(check_spread(np.zeros(3), "distances"), np.zeros(3))
    np.testing.assert_array_equal(
        NEGATIVE_SQUARED_DISTANCE.measured(np.eye(2)[:1], np.eye(2)[:1], Euclidean()), [[0]]
    )


@pytest.mark.usefixtures("no_warning")
@pytest.mark.parametrize("power", [-480, 480])
def test_a_mean_of_any_size(power: int) -> None:
    some = rows(5)
    mean = Euclidean().mean(np.ldexp(some, power)).point
    np.testing.assert_allclose(np.ldexp(mean, -power), some.mean(axis=0), rtol=1e-12)


@pytest.mark.usefixtures("no_warning")
@pytest.mark.parametrize("power", [-498, 498])
def test_the_remedy_in_a_ball_is_one(power: int) -> None:
    points = rows(5, 6, 3) / 10
    ball = Poincare(4.0**power)
    with pytest.raises(UndefinedError, match=r"number .in a ball also divide c by its square., or"):
        NEGATIVE_DISTANCE.measured(np.ldexp(points, -power), np.ldexp(points, -power), ball)
    mended = Poincare(ball.curvature / (2.0**power) ** 2)
    found = NEGATIVE_DISTANCE.measured(points, points, mended)
    np.testing.assert_array_equal(found, -Poincare().distances(points, points))


@pytest.mark.usefixtures("no_warning")
@given(seeds, st.integers(-400, 400))
def test_usual_vectors_have_the_digits_of_plain_norms(seed: int, power: int) -> None:
    some = np.ldexp(rows(seed, 7, 50), power)
    plain = np.linalg.norm(some, axis=1)
    np.testing.assert_array_equal(norms(some), plain)
    np.testing.assert_array_equal(normalize_rows(some), some / plain[:, None])
    for one in some:
        assert norm(one) == np.linalg.norm(one)
        np.testing.assert_array_equal(normalize(one), one / np.linalg.norm(one))
        np.testing.assert_allclose(normalize(np.ldexp(one, -power + 480)), normalize(one))


@pytest.mark.usefixtures("no_warning")
@pytest.mark.parametrize("power", [-100, -73, -50, 0, 50, 100, 120])
def test_single_precision_has_sizes_of_its_own(power: int) -> None:
    narrow: Any = np.ldexp(rows(3).astype(np.float32), power)
    wide = narrow.astype(np.float64)
    np.testing.assert_allclose(norms(narrow), norms(wide), rtol=1e-6)
    np.testing.assert_allclose(normalize_rows(narrow), normalize_rows(wide), rtol=1e-6)
    assert norm(narrow[0]) == pytest.approx(norm(wide[0]), rel=1e-6)
    np.testing.assert_allclose(normalize(narrow[0]), normalize(wide[0]), rtol=1e-6)


@pytest.mark.usefixtures("no_warning")
def test_half_precision_can_be_squared_too() -> None:
    narrow: Any = np.array([[30000.0, 40000.0], [3e-6, 4e-6]], np.float16)
    np.testing.assert_allclose(norms(narrow), norms(narrow.astype(np.float64)), rtol=1e-6)
