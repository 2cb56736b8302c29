"""SemBias by gyro-translation on the real twins, beside a few independent lines of numpy."""

from pathlib import Path
from typing import cast

import numpy as np
import pytest

from fairvec.benchmarks import SemBiasSet, benchmark
from fairvec.embedding import Embedding
from fairvec.geometry import COSINE, NEGATIVE_DISTANCE, FloatArray, Similarity
from fairvec.metrics.utility import SemBias

pytestmark = pytest.mark.usefixtures("data")


def add(x: FloatArray, y: FloatArray) -> FloatArray:
    xy, xx, yy = x @ y, x @ x, y @ y
    return np.asarray(((1 + 2 * xy + yy) * x + (1 - xx) * y) / (1 + 2 * xy + xx * yy))


def gyr(a: FloatArray, b: FloatArray, v: FloatArray) -> FloatArray:
    return add(-add(a, b), add(a, add(b, v)))


def times(t: float, x: FloatArray) -> FloatArray:
    length = np.linalg.norm(x)
    return np.asarray(np.tanh(t * np.arctanh(length)) * x / length)


def chosen(model: Embedding, path: Path, t: float, *, cosine: bool) -> list[int]:
    """The column chosen in each known row, word by word after the paper's appendix 2.3."""

    def point(word: str) -> FloatArray:
        return np.asarray(model.vectors[model.positions[word]], np.float64)

    def likeness(c: FloatArray, d: FloatArray) -> float:
        a, b = point("he"), point("she")
        if model.geometry.curvature:
            one = add(c, gyr(c, -a, add(-a, b)))
            other = add(b, gyr(b, -a, add(-a, c)))
            predicted = add(one, times(t, add(-one, other)))
        else:
            predicted = c + b - a
        if cosine:
            return float(predicted @ d / np.linalg.norm(predicted) / np.linalg.norm(d))
        return -float(np.linalg.norm(add(-predicted, d)))

    columns = []
    for line in path.read_text(encoding="utf-8").splitlines():
        pairs = [pair.split(":") for pair in line.split("\t")]
        if all(word in model for pair in pairs for word in pair):
            columns.append(int(np.argmax([likeness(point(a), point(b)) for a, b in pairs])))
    return columns


@pytest.mark.parametrize(
    ("space", "similarity", "t", "counts"),
    [
        # The same rows by offset-angle: 139, 51 and 30 in the ball, 155, 42 and 23 in flat space.
        ("ball", COSINE, 0.3, (72, 11, 137)),
        ("ball", NEGATIVE_DISTANCE, 0.4, (99, 22, 99)),
        ("flat", COSINE, None, (86, 9, 125)),
    ],
)
def test_sembias(
    space: str,
    similarity: Similarity,
    t: float | None,
    counts: tuple[int, ...],
    data: Path,
    request: pytest.FixtureRequest,
) -> None:
    model = request.getfixturevalue(space)
    rows = cast(SemBiasSet, benchmark("sembias"))
    metric = SemBias("gyro-translation", similarity).with_chosen_t(rows, model)
    assert metric.t == t
    path = data / "sembias" / "SemBias.tsv"
    columns = chosen(model, path, t or 0, cosine=similarity is COSINE)
    kinds = ([0], [3], [1, 2])
    assert tuple(sum(column in kind for column in columns) for kind in kinds) == counts
    found = metric.measure(rows, model)[:3]
    assert [one.value for one in found] == pytest.approx(np.divide(counts, 220))
