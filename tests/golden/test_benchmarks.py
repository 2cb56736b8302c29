"""UtilityScore of real models, by the library and by a few independent lines of numpy."""

from collections.abc import Callable
from pathlib import Path
from typing import cast

import numpy as np
import pytest
from scipy.stats import spearmanr

from fairvec import catalogue
from fairvec.benchmarks import SemBiasSet, SimilaritySet, benchmark
from fairvec.embedding import Embedding
from fairvec.geometry import FloatArray
from fairvec.metrics.utility import SemBias, WordSimilarity

# Found with code written apart from the library: the SOURCE.txt of the two twins.
BALL = {"ws353": 0.436, "simlex999": 0.203, "rw": 0.356, "mc30": 0.583, "rg65": 0.415}
FLAT = {"ws353": 0.447, "simlex999": 0.207, "rw": 0.339, "mc30": 0.654, "rg65": 0.460}
pytestmark = pytest.mark.usefixtures("data")


def vectors(model: Embedding, words: list[str]) -> FloatArray:
    return np.array([model.vectors[model.positions[word]] for word in words], np.float64)


def correlation(name: str, model: Embedding) -> tuple[float, int]:
    """Spearman's rho of a lower-cased model from the raw file, in scipy's words."""
    lines = catalogue.dataset_path(name).read_text(encoding="utf-8").lower().splitlines()
    rows = [line.split() for line in lines]
    rows = [row for row in rows if row[0] in model and row[1] in model]
    u, v = (vectors(model, [row[column] for row in rows]) for column in (0, 1))
    if model.geometry.curvature:
        apart = ((u - v) ** 2).sum(1) / ((1 - (u**2).sum(1)) * (1 - (v**2).sum(1)))
        alike = -np.arccosh(1 + 2 * apart)
    else:
        alike = (u * v).sum(1) / np.sqrt((u**2).sum(1) * (v**2).sum(1))
    return float(spearmanr([float(row[2]) for row in rows], alike).statistic), len(rows)


@pytest.mark.parametrize("name", [*BALL, "ws353-similarity", "ws353-relatedness", "simverb3500"])
@pytest.mark.parametrize("space", ["ball", "flat"])
def test_similarity(name: str, space: str, request: pytest.FixtureRequest) -> None:
    model = request.getfixturevalue(space)
    (found,) = WordSimilarity().measure(cast(SimilaritySet, benchmark(name)), model)
    assert (found.value, len(found.items)) == pytest.approx(correlation(name, model), abs=1e-9)
    published = (BALL if space == "ball" else FLAT).get(name, found.value)
    assert found.value == pytest.approx(published, abs=6e-4)


def chosen(model: Embedding, path: Path) -> list[int]:
    """The column chosen in each row of SemBias that is known, by the textbook Moebius addition."""

    def way(pair: str) -> FloatArray:
        a, b = vectors(model, pair.split(":"))
        if not model.geometry.curvature:
            return np.asarray(a - b)
        ab, aa, bb = -a @ b, a @ a, b @ b
        return np.asarray(((1 + 2 * ab + bb) * -a + (1 - aa) * b) / (1 + 2 * ab + aa * bb))

    towards, columns = way("he:she"), []
    for line in path.read_text(encoding="utf-8").splitlines():
        pairs = line.split("\t")
        if all(word in model for pair in pairs for word in pair.split(":")):
            ways = [way(pair) for pair in pairs]
            columns.append(int(np.argmax([w @ towards / np.linalg.norm(w) for w in ways])))
    return columns


@pytest.mark.parametrize(("space", "counts"), [("ball", (139, 51, 30)), ("flat", (155, 42, 23))])
def test_sembias(
    space: str, counts: tuple[int, ...], data: Path, request: pytest.FixtureRequest
) -> None:
    model = request.getfixturevalue(space)
    found = SemBias().measure(cast(SemBiasSet, benchmark("sembias")), model)
    columns = chosen(model, data / "sembias" / "SemBias.tsv")
    assert [len(columns)] * 3 == [len(one.items) for one in found[:3]] == [220] * 3
    assert tuple(sum(column in kind for column in columns) for kind in ([0], [3], [1, 2])) == counts
    assert [one.value for one in found[:3]] == pytest.approx(np.divide(counts, 220))


@pytest.mark.packages
def test_sembias_of_glove_6b(data: Path, packaged: Callable[[str], Embedding]) -> None:
    model = packaged("glove-6b-100d")
    found = SemBias().measure(cast(SemBiasSet, benchmark("sembias")), model)
    columns = np.array(chosen(model, data / "sembias" / "SemBias.tsv"))
    for one, rows in zip(found, [columns] * 3 + [columns[-40:]] * 3, strict=True):
        kind = {"definition": [0], "stereotype": [3], "none": [1, 2]}[one.part.split(",")[0]]
        assert one.value == pytest.approx(np.isin(rows, kind).mean())
    assert [round(one.value, 3) for one in found] == [0.759, 0.191, 0.05, 0.8, 0.15, 0.05]
