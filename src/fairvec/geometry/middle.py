"""The point halfway between two, row by row."""

from fairvec.geometry.base import FloatArray, Geometry


def halfway(space: Geometry, x: FloatArray, y: FloatArray) -> FloatArray:
    """Return x (+) 1/2 (x) (-x (+) y): as far from x as from y, on the geodesic between them.

    In a ball it is the gyromidpoint of the two, in flat space their mean.
    """
    return space.add(x, space.scale(0.5, space.gyrovector(x, y)))
