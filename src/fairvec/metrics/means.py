"""Means of the numbers behind a score, for one set of rows or for many resamples of them."""

from fairvec.geometry import FloatArray


def mean_of_rows(rows: FloatArray) -> FloatArray:
    """Return the mean of the one column of numbers, case by case."""
    means: FloatArray = rows[..., 0].mean(axis=-1)
    return means


def mean_of_cells(rows: FloatArray) -> FloatArray:
    """Return the mean over all columns of numbers, case by case."""
    means: FloatArray = rows.mean(axis=(-2, -1))
    return means
