"""Where words are drawn: on two axes, on their principal components, or on the Poincaré disc."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from fairvec.evaluation.seeing.axes import MapAxis
from fairvec.evaluation.seeing.shown_words import ShownWords
from fairvec.geometry import FloatArray, Poincare, ProductOfBalls
from fairvec.geometry.directions import SMALLEST, outside_span, unit
from fairvec.geometry.sizes import in_range, lengths
from fairvec.ground.errors import SettingError, UndefinedError


@dataclass(frozen=True, eq=False)
class WordMap:
    """A point of the plane for each word, and in words what the picture keeps.

    `shares` are those of the two axes in the sum of squares, None where they are no components.
    `in_plane` says of each word of a disc how much of its direction lies in the plane (0 to 1).
    """

    x: FloatArray
    y: FloatArray
    keeps: str
    shares: tuple[float, float] | None = None
    in_plane: FloatArray | None = None


class PrincipalPlane(NamedTuple):
    """Directions in which rows vary most, one a row, and the share of each in the whole."""

    axes: FloatArray
    shares: FloatArray


def on_axes(shown: ShownWords, x: MapAxis, y: MapAxis) -> WordMap:
    """Place each word by its leaning on two axes."""
    keeps = "Each coordinate is the word's own leaning; what lies between two axes is not drawn."
    return WordMap(x.leaning(shown.points), y.leaning(shown.points), keeps)


def on_components(shown: ShownWords) -> WordMap:
    """Place each word by the two directions in which the shown words differ most.

    Words are tangent vectors at the origin, at length one, less their mean.
    """
    units = unit(shown.embedding.geometry.log0(shown.points))
    common = units[: shown.common]
    centred = units - common.mean(axis=0)
    found = principal(centred[: shown.common], of=common)
    x, y = (centred @ found.axes.T).T
    first, second = found.shares.tolist()
    keeps = (
        f"The two components hold {first:.1%} and {second:.1%} of what the directions of the shown "
        "words differ in; their signs mean nothing, and words that seem near may not be."
    )
    return WordMap(x, y, keeps, (first, second))


def on_disc(shown: ShownWords, axes: Sequence[MapAxis] = (), ball: int | None = None) -> WordMap:
    """Place each word of a ball on a disc of radius one, as far from its centre as it is there.

    (x, y) = sqrt(c) |p| u, where u is the direction of the word's part in a plane: that of the two
    axes' directions, or else of the two in which the words' tangent vectors at the origin differ
    most, that is the principal components once the mean is taken off.
    The distance from the origin, 2/sqrt(c) artanh(sqrt(c) |p|), is the word's own; distances
    between words are only as true as the plane holds them. A ball of two dimensions is its own
    picture. Of a product of balls one is drawn.
    """
    geometry, points = _one_ball(shown, ball)
    if points.shape[1] < 2:
        raise SettingError("A disc needs a ball of two dimensions or more; use the layout axes.")
    if axes and points.shape[1] != shown.points.shape[1]:
        raise SettingError(
            "The directions of two axes are those of the whole product, not of one of its balls; "
            "leave the axes of the disc out."
        )
    if points.shape[1] == 2 and not axes:
        x, y = (np.sqrt(geometry.curvature) * points).T
        return WordMap(x, y, "The ball has two dimensions and is drawn as it is.", (1.0, 0.0))
    (tangents,), _ = in_range(geometry.log0(points))
    plane, shares = _plane(tangents[: shown.common], axes)
    part = tangents @ plane.T
    length = np.linalg.norm(part, axis=1)
    whole = np.linalg.norm(tangents, axis=1)
    # A word at a right angle to the plane has no angle in it: it is drawn to the right.
    towards = np.divide(part, length[:, None], where=length[:, None] > 0, out=np.zeros_like(part))
    towards[length == 0] = (1.0, 0.0)
    radius = np.sqrt(geometry.curvature) * lengths(points)
    x, y = (towards * radius[:, None]).T
    held = float((part**2).sum() / (tangents**2).sum()) if tangents.any() else 0.0
    keeps = (
        "A word's distance from the centre is its true distance from the origin; its angle is that "
        f"of its part in the plane, which holds {held:.1%} of the words' squared lengths, so that "
        "distances between words are not true."
    )
    in_plane = np.divide(length, whole, where=whole > 0, out=np.ones_like(whole))
    return WordMap(x, y, keeps, shares, in_plane)


def principal(rows: FloatArray, *, of: FloatArray) -> PrincipalPlane:
    """Return the first two principal components of rows, by their d x d second moments.

    The largest coordinate of each axis is positive. `of` holds the rows before centring.
    """
    squares, axes = np.linalg.eigh(rows.T @ rows)
    # Squaring halves the digits, so that less than this share of the rows is rounding.
    usable = int((squares > SMALLEST * (of**2).sum()).sum())
    if usable < 2:
        raise UndefinedError(
            f"The shown words ({len(rows)}) vary in {usable} direction(s) and a plane needs 2; "
            "show more words, or use the layout axes."
        )
    leading: FloatArray = axes[:, [-1, -2]].T
    turned = np.take_along_axis(leading, np.abs(leading).argmax(axis=1)[:, None], axis=1) < 0
    shares: FloatArray = squares[[-1, -2]] / squares.clip(0).sum()
    return PrincipalPlane(np.where(turned, -leading, leading), shares)


def _plane(
    tangents: FloatArray, axes: Sequence[MapAxis]
) -> tuple[FloatArray, tuple[float, float] | None]:
    """Return two orthonormal directions, and the components' shares if they are components."""
    if not axes:
        found = principal(tangents - tangents.mean(axis=0), of=tangents)
        return found.axes, (float(found.shares[0]), float(found.shares[1]))
    across, up = (axis.direction() for axis in axes)
    return np.array([across, outside_span(up, across[None])]), None


def _one_ball(shown: ShownWords, ball: int | None) -> tuple[Poincare, FloatArray]:
    """Return a ball and its points: the model's own, or the one chosen of a product."""
    geometry, name = shown.embedding.geometry, shown.embedding.name
    if isinstance(geometry, ProductOfBalls):
        count = geometry.balls
        if ball is None or not 1 <= ball <= count:
            said = "none was chosen" if ball is None else f"there is no ball {ball}"
            raise SettingError(
                f"{name} is a product of {count} balls and {said}; choose one, from 1 to {count}."
            )
        width = shown.points.shape[1] // count
        return geometry.ball, shown.points[:, (ball - 1) * width : ball * width]
    if not isinstance(geometry, Poincare):
        raise SettingError(
            f"{name} lies in {geometry.name} space and not in a ball, so there is no disc; use the "
            "layout axes or components."
        )
    return geometry, shown.points
