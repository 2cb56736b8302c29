"""Layouts of a word map: two axes, principal components, or the Poincaré disc."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

import numpy as np

from fairvec.core.errors import SettingError, UndefinedError, UnknownNameError
from fairvec.embedding import Embedding
from fairvec.experiments.audit.languages import languages_of
from fairvec.experiments.projections.axes import MapAxis
from fairvec.geometry import FloatArray, Poincare, ProductOfBalls
from fairvec.geometry.directions import SMALLEST, residual_direction
from fairvec.geometry.norms import normalize_rows, norms
from fairvec.messages.remarks import DRAWN_AS_IT_IS, OWN_LEANINGS, components_note, disc_note


@dataclass(frozen=True, eq=False)
class ShownWords:
    """The keys that are shown, their points, and what became of the words asked for by name.

    The first `common` of them are there for their frequency and not because they were asked for: a
    picture's plane is theirs, so that it does not move when one more word is looked for. `reached`
    has the key of each word asked for, None of one that has no point. A vector of length zero lies
    in no direction: such keys are not shown, and `left_out` counts them.
    """

    embedding: Embedding
    keys: tuple[str, ...]
    points: FloatArray
    common: int
    reached: Mapping[str, str | None]
    left_out: int


def plotted_words(embedding: Embedding, first: int, words: Sequence[str] = ()) -> ShownWords:
    """Return the `first` keys of a model, as a rule its commonest, and those of more words."""
    language = next(iter(languages_of(embedding)), "") if words else ""
    lookup = embedding.lookup(language) if words else None
    matches = {word: lookup.find([word]) for word in words} if lookup else {}
    reached = {
        word: match.key if match and not match.parts else None for word, match in matches.items()
    }
    requested_keys = [key for key in reached.values() if key is not None]
    keys = tuple(dict.fromkeys([*embedding.keys[:first], *requested_keys]))
    points = embedding.rows(keys)
    nonzero = np.atleast_1d(points.any(axis=1))
    if not nonzero.any():
        raise UndefinedError(
            f"No word of {embedding.name} that was asked for has a vector; ask for others."
        )
    shown = {key for key, usable in zip(keys, nonzero, strict=True) if usable}
    return ShownWords(
        embedding,
        tuple(key for key in keys if key in shown),
        points[nonzero],
        int(nonzero[: min(first, len(embedding))].sum()) or int(nonzero.sum()),
        {word: key if key in shown else None for word, key in reached.items()},
        len(keys) - len(shown),
    )


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


def axis_layout(shown: ShownWords, x: MapAxis, y: MapAxis) -> WordMap:
    """Place each word by its leaning on two axes."""
    return WordMap(x.leaning(shown.points), y.leaning(shown.points), OWN_LEANINGS)


def on_components(shown: ShownWords) -> WordMap:
    """Place each word by the two directions in which the shown words differ most.

    Words are tangent vectors at the origin, at length one, less their mean.
    """
    units = normalize_rows(shown.embedding.geometry.log0(shown.points))
    common = units[: shown.common]
    centred = units - common.mean(axis=0)
    plane = principal(centred[: shown.common], of=common)
    x, y = (centred @ plane.axes.T).T
    first, second = plane.shares.tolist()
    return WordMap(x, y, components_note(first, second), (first, second))


def disc_layout(
    shown: ShownWords, axes: Sequence[MapAxis] = (), ball: int | None = None
) -> WordMap:
    """Place each word of a ball on a disc of radius one, as far from its centre as it is there.

    (x, y) = sqrt(c) |p| u, where u is the direction of the word's part in a plane: that of the two
    axes' directions, or else of the two in which the words' tangent vectors at the origin differ
    most, that is the principal components once the mean is taken off.
    The distance from the origin, 2/sqrt(c) artanh(sqrt(c) |p|), is the word's own; distances
    between words are only as true as the plane holds them. A ball of two dimensions is its own
    picture. Of a product of balls one is drawn.
    """
    geometry, points = _ball_points(shown, ball)
    if points.shape[1] < 2:
        raise SettingError("A disc needs a ball of two dimensions or more; use the layout axes.")
    if axes and points.shape[1] != shown.points.shape[1]:
        raise SettingError(
            "The directions of two axes are those of the whole product, not of one of its balls; "
            "leave the axes of the disc out."
        )
    if points.shape[1] == 2 and not axes:
        x, y = (np.sqrt(geometry.curvature) * points).T
        return WordMap(x, y, DRAWN_AS_IT_IS, (1.0, 0.0))
    tangents = geometry.log0(points)
    plane, shares = _choose_plane(tangents[: shown.common], axes)
    in_plane_part = tangents @ plane.T
    part_lengths = np.linalg.norm(in_plane_part, axis=1)
    lengths = np.linalg.norm(tangents, axis=1)
    # A word at a right angle to the plane has no angle in it: it is drawn to the right.
    directions = np.divide(
        in_plane_part,
        part_lengths[:, None],
        where=part_lengths[:, None] > 0,
        out=np.zeros_like(in_plane_part),
    )
    directions[part_lengths == 0] = (1.0, 0.0)
    radius = np.sqrt(geometry.curvature) * norms(points)
    x, y = (directions * radius[:, None]).T
    share_kept = float((in_plane_part**2).sum() / (tangents**2).sum()) if tangents.any() else 0.0
    in_plane = np.divide(part_lengths, lengths, where=lengths > 0, out=np.ones_like(lengths))
    return WordMap(x, y, disc_note(share_kept), shares, in_plane)


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


def _choose_plane(
    tangents: FloatArray, axes: Sequence[MapAxis]
) -> tuple[FloatArray, tuple[float, float] | None]:
    """Return two orthonormal directions, and the components' shares if they are components."""
    if not axes:
        principal_plane = principal(tangents - tangents.mean(axis=0), of=tangents)
        return principal_plane.axes, (
            float(principal_plane.shares[0]),
            float(principal_plane.shares[1]),
        )
    across, up = (axis.direction() for axis in axes)
    return np.array([across, residual_direction(up, across[None])]), None


def _ball_points(shown: ShownWords, ball: int | None) -> tuple[Poincare, FloatArray]:
    """Return a ball and its points: the model's own, or the one chosen of a product."""
    geometry, name = shown.embedding.geometry, shown.embedding.name
    if isinstance(geometry, ProductOfBalls):
        count = geometry.balls
        if ball is None or not 1 <= ball <= count:
            problem = "none was chosen" if ball is None else f"there is no ball {ball}"
            raise SettingError(
                f"{name} is a product of {count} balls and {problem}; choose one, from 1 to "
                f"{count}."
            )
        width = shown.points.shape[1] // count
        return geometry.ball, shown.points[:, (ball - 1) * width : ball * width]
    if not isinstance(geometry, Poincare):
        raise SettingError(
            f"{name} lies in {geometry.name} space and not in a ball, so there is no disc; use the "
            "layout axes or components."
        )
    return geometry, shown.points


Scale = Literal["z", "rank", "raw"]

SCALES: dict[Scale, str] = {
    "z": "leaning less the mean of the shown words, over their standard deviation (ddof 1)",
    "rank": "share of the shown words that lean less, those that lean alike counting half: 0 to 1",
    "raw": "leaning as it is",
}
"""What a score is, by the name of its scale."""


def concept_scores(
    shown: ShownWords, axes: Sequence[MapAxis], scale: Scale = "z"
) -> list[FloatArray]:
    """Return for each axis the score of every shown word, put on a scale.

    Positive z: leans more to the first end than the shown words do on average, in deviations. On an
    axis on which all lean alike z is 0 and the rank 0.5.
    """
    if scale not in SCALES:
        raise UnknownNameError("scale", scale, SCALES)
    return [_scale(axis.leaning(shown.points), scale) for axis in axes]


def _scale(leanings: FloatArray, scale: Scale) -> FloatArray:
    if scale == "raw":
        return leanings
    if scale == "rank":
        ordered = np.sort(leanings)
        below, up_to = (np.searchsorted(ordered, leanings, side) for side in ("left", "right"))
        ranks: FloatArray = (below + up_to) / 2 / len(leanings)
        return ranks
    spread = leanings.std(ddof=1) if len(leanings) > 1 else 0.0
    if spread <= 16 * np.finfo(np.float64).eps * np.abs(leanings).max():
        return np.zeros_like(leanings)
    scores: FloatArray = (leanings - leanings.mean()) / spread
    return scores
