"""Models of Poincaré GloVe, forged with the classes and attributes that its code pickles.

github.com/alex-tifrea/poincare_glove: glove_code/src/glove.py, gensim/models/keyedvectors.py.
"""

import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from fairvec import load
from fairvec.core.errors import FileFormatError, GeometryError, SettingError
from fairvec.embedding.formats import Vectors
from fairvec.geometry import Euclidean, Geometry, Poincare, ProductOfBalls
from tests.embedding.pickles import forged, made
from tests.geometry import balls

KEYS = ["the", "of", "woman", "man"]
COUNTS = np.array([9, 7, 3, 2], dtype=np.uint32)
POINTS = {
    "MixPoincareWordEmbeddingsKeyedVectors": balls.points(4 * 3, 2).reshape(4, 6),
    "PoincareWordEmbeddingsKeyedVectors": balls.points(4, 6),
    "VanillaWordEmbeddingsKeyedVectors": 3 * balls.points(4, 6),
}
SPACES: dict[str, Geometry] = {
    "MixPoincareWordEmbeddingsKeyedVectors": ProductOfBalls(3),
    "PoincareWordEmbeddingsKeyedVectors": Poincare(1.0),
    "VanillaWordEmbeddingsKeyedVectors": Euclidean(),
}


@pytest.fixture
def fork(monkeypatch: pytest.MonkeyPatch) -> dict[str, type]:
    return forged(
        monkeypatch,
        *(f"gensim.models.keyedvectors.{name}" for name in (*POINTS, "Vocab")),
        "glove_code.src.glove.Glove",
        "glove_code.src.glove.GloveTrainables",
        "glove_code.src.glove.InitializationConfig",
    )


def glove(fork: dict[str, type], kind: str, target: Any, context: Any, balls: int = 3) -> Any:
    """A model as Glove.__init__ and cleanup() leave it, with the optimiser's matrices."""
    mixed = {"num_embs": balls, "small_emb_size": 2} if kind.startswith("Mix") else {}
    kept = {"vector_size": 6, "vector_dtype": np.float32}
    trainables = made(
        fork["GloveTrainables"],
        **kept,
        syn1=context,
        syn1neg=context,
        b0=np.zeros(4, np.float32),
        gradsq_syn0=None,
        mom_syn0=np.zeros((4, 6), np.float32),
        betas_syn0=np.ones((4, 6), np.float32),
        nn_weights=None,
    )
    vectors = made(
        fork[kind],
        **kept,
        **mixed,
        vectors=target,
        vocab={key: made(fork["Vocab"], index=i, count=9) for i, key in enumerate(KEYS)},
        index2word=KEYS,
        index2freq=COUNTS,
        vectors_norm=None,
        use_poincare_distance=True,
        trainables=trainables,
        init_pretrained_config=made(fork["InitializationConfig"], init_vectors=target * 0),
    )
    return made(
        fork["Glove"],
        **kept,
        wv=vectors,
        trainables=trainables,
        callbacks=[],
        poincare=1,
        num_embs=balls,
        epoch_training_loss=np.float64(0.25),
    )


def written(folder: Path, model: Any) -> Path:
    """As the fork's Python 3.6 and numpy 1 wrote it, under a name without an ending."""
    file = folder / "glove_ep50_size6_lr0.05_vocab4_mix-poincare_bias"
    content = pickle.dumps(model, 2).replace(b"numpy._core.", b"numpy.core.")
    assert b"cglove_code.src.glove\nGlove\n" in content
    file.write_bytes(content)
    return file


def pair(kind: str) -> tuple[Vectors, Vectors]:
    target = POINTS[kind].astype(np.float32)
    return target, -target[::-1] / 2


@pytest.mark.parametrize("kind", POINTS)
def test_target_and_context_vectors(fork: dict[str, type], kind: str, tmp_path: Path) -> None:
    target, context = pair(kind)
    file = written(tmp_path, glove(fork, kind, target, context))
    own = load(file)
    assert own.geometry == SPACES[kind]
    assert list(own.keys) == KEYS
    assert own.name == file.name
    assert own.counts is not None
    np.testing.assert_array_equal(own.counts, COUNTS)
    np.testing.assert_array_equal(own.vectors, target)
    assert own.history[0].details == {"file": file.name, "format": "gensim"}
    other = load(file, ["man", "of"], vectors="context")
    assert other.geometry == SPACES[kind]
    assert list(other.keys) == ["of", "man"]
    np.testing.assert_array_equal(other.vectors, context[[1, 3]])
    assert other.history[0].details["vectors"] == "context"


def test_aggregated_points_lie_halfway_in_the_ball(fork: dict[str, type], tmp_path: Path) -> None:
    kind = "PoincareWordEmbeddingsKeyedVectors"
    w, c = pair(kind)
    both = load(written(tmp_path, glove(fork, kind, w, c)), vectors="aggregated")
    # The code of the paper takes the gyromidpoint by gamma factors.
    w, c = w.astype(np.float64), c.astype(np.float64)
    gamma_w, gamma_c = (1 / (1 - (x**2).sum(axis=1, keepdims=True)) for x in (w, c))
    double = (gamma_w * w + gamma_c * c) / (gamma_w + gamma_c - 1)
    lengths = np.linalg.norm(double, axis=1, keepdims=True)
    expected = double * np.tanh(np.arctanh(lengths) / 2) / lengths
    np.testing.assert_allclose(both.vectors, expected, rtol=1e-9)
    assert both.history[0].details["vectors"] == "aggregated"


def test_aggregated_points_lie_halfway_in_every_ball(fork: dict[str, type], tmp_path: Path) -> None:
    kind = "MixPoincareWordEmbeddingsKeyedVectors"
    w, c = pair(kind)
    file = written(tmp_path, glove(fork, kind, w, c))
    both = load(file, vectors="aggregated").vectors
    here, there, halfway = (x.astype(np.float64).reshape(12, 2) for x in (w, c, both))
    distance = Poincare(1.0).distance
    np.testing.assert_allclose(2 * distance(here, halfway), distance(here, there), rtol=1e-7)
    np.testing.assert_allclose(2 * distance(there, halfway), distance(here, there), rtol=1e-7)


def test_aggregated_flat_vectors_are_sums(fork: dict[str, type], tmp_path: Path) -> None:
    kind = "VanillaWordEmbeddingsKeyedVectors"
    w, c = pair(kind)
    both = load(written(tmp_path, glove(fork, kind, w, c)), vectors="aggregated")
    np.testing.assert_array_equal(both.vectors, w + c)


def test_nothing_lies_halfway_to_a_point_outside(fork: dict[str, type], tmp_path: Path) -> None:
    kind = "MixPoincareWordEmbeddingsKeyedVectors"
    w, c = pair(kind)
    c[2, 4:] = [0.6, 0.8]
    file = written(tmp_path, glove(fork, kind, w, c))
    with pytest.raises(GeometryError, match="context point of 'woman' lies outside"):
        load(file, vectors="aggregated")
    with pytest.raises(GeometryError, match=r"1 of 4 points .*'woman' and the largest norm is 1;"):
        load(file, vectors="context")
    inside = load(file, vectors="context", outside="project")
    assert inside.history[-1].details == {"geometry": "poincare-x3", "moved": 1}
    np.testing.assert_array_equal(inside.vectors[2, :4], c[2, :4])


@pytest.mark.parametrize("count", [4, 0, -3, None, 2.0])
def test_balls_that_are_no_equal_parts(fork: dict[str, type], count: Any, tmp_path: Path) -> None:
    kind = "MixPoincareWordEmbeddingsKeyedVectors"
    file = written(tmp_path, glove(fork, kind, *pair(kind), balls=count))
    with pytest.raises(FileFormatError, match=f"6 columns among {count} balls"):
        load(file)


def test_what_has_one_vector_a_word(fork: dict[str, type], tmp_path: Path) -> None:
    kind = "PoincareWordEmbeddingsKeyedVectors"
    w, c = pair(kind)
    model = glove(fork, kind, w, c)
    with pytest.raises(FileFormatError, match=r"shape \(4, 6\) and context .* \(4, 5\)"):
        load(written(tmp_path, glove(fork, kind, w, c[:, :5])), vectors="aggregated")
    model.wv.trainables = model.trainables = None
    with pytest.raises(FileFormatError, match=r"holds no context vectors \(syn1neg\)"):
        load(written(tmp_path, model), vectors="context")
    text = tmp_path / "model.vec"
    text.write_text("1 2\na 0.1 0.2\n", encoding="utf-8")
    with pytest.raises(SettingError, match=r"model\.vec \(word2vec-text\) holds one vector a word"):
        load(text, vectors="context")
    with pytest.raises(SettingError, match="of Python holds one vector a word"):
        load({"a": [0.1, 0.2]}, vectors="aggregated")
    with pytest.raises(SettingError, match="'target', 'context' or 'aggregated', not 'both'"):
        load(text, vectors="both")  # type: ignore[arg-type]
