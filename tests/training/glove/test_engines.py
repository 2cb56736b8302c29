"""One loss, two engines: which one is taken, and that they end alike where there are two."""

from pathlib import Path

import numpy as np
import pytest

from fairvec.core.errors import (
    FileFormatError,
    MissingExtraError,
    SettingError,
    TrainingError,
    UnknownNameError,
)
from fairvec.encoders.transformer.loading import has_gpu
from fairvec.training.counting.count import count_cooccurrences
from fairvec.training.counting.counts import Cooccurrences, Weighting
from fairvec.training.glove import engines
from fairvec.training.glove.engines import block_count, choose_engine
from fairvec.training.glove.glove import train
from fairvec.training.glove.tiles import TiledPairs, tile_pairs
from fairvec.training.models import Arrays, Glove, GloveKind, PoincareGlove

WORDS = 30
ON_A_GPU = pytest.mark.skipif(
    not has_gpu(), reason="torch finds no GPU with CUDA on this machine, and triton needs one"
)


def installed(*names: str, gpu: bool, patch: pytest.MonkeyPatch) -> None:
    patch.setattr(engines, "find_spec", lambda name: name if name in names else None)
    patch.setattr(engines, "has_gpu", lambda: gpu)


def test_auto_is_the_gpu_only_where_all_of_it_is_there(monkeypatch: pytest.MonkeyPatch) -> None:
    for names, gpu, wanted in (
        (("torch", "triton"), True, "gpu"),
        (("torch", "triton"), False, "cpu"),
        (("torch",), True, "cpu"),
        ((), False, "cpu"),
    ):
        installed(*names, gpu=gpu, patch=monkeypatch)
        assert choose_engine("auto") == wanted
        assert choose_engine("cpu") == "cpu"


def test_a_gpu_that_is_not_there_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    installed("torch", "triton", gpu=False, patch=monkeypatch)
    with pytest.raises(SettingError, match=r"finds no GPU with CUDA.*--engine cpu"):
        choose_engine("gpu")
    installed("torch", gpu=True, patch=monkeypatch)
    with pytest.raises(MissingExtraError, match=r"fairvec\[train\]"):
        choose_engine("gpu")
    with pytest.raises(UnknownNameError, match="gpu"):
        choose_engine("gpus")


@pytest.fixture(scope="module")
def counted(tmp_path_factory: pytest.TempPathFactory) -> Cooccurrences:
    tokens = np.minimum(np.random.default_rng(1).zipf(1.5, 4000) - 1, WORDS - 1).astype(np.int32)
    return count_cooccurrences(
        tokens, WORDS, Weighting(4), tmp_path_factory.mktemp("counts"), threads=1
    )


def pairs_in(blocks: int, counted: Cooccurrences, folder: Path) -> TiledPairs:
    return tile_pairs(counted, folder, blocks=blocks, largest=100, power=0.75, seed=3)


def test_a_checkpoint_of_another_arrangement_is_refused(
    counted: Cooccurrences, tmp_path: Path
) -> None:
    kind, place = Glove(dimensions=4, epochs=2), tmp_path / "checkpoint.safetensors"
    train(pairs_in(4, counted, tmp_path / "a"), kind, WORDS, checkpoint=place)
    with pytest.raises(FileFormatError, match=r"another training .*engine or text"):
        train(pairs_in(5, counted, tmp_path / "b"), kind, WORDS, checkpoint=place)


class Runaway:
    """An engine whose third epoch has no finite loss."""

    def __init__(self, arrays: Arrays) -> None:
        self._arrays, self._losses = arrays, [2.0, 1.0, float("nan")]
        self.closed = False

    def epoch(self, generator: np.random.Generator) -> float:
        for numbers in self._arrays.values():
            numbers += 1
        return self._losses.pop(0)

    def arrays(self) -> Arrays:
        return {name: numbers.copy() for name, numbers in self._arrays.items()}

    def close(self) -> None:
        self.closed = True


def test_every_engine_is_held_to_one_rule_of_divergence_and_is_closed(
    counted: Cooccurrences, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from fairvec.core.io.safetensors import open_tensors
    from fairvec.training.glove import glove as training

    made: list[Runaway] = []

    def rounds(engine: str, pairs: object, model: object, arrays: Arrays, threads: int) -> Runaway:
        assert engine == "gpu"
        made.append(Runaway(arrays))
        return made[0]

    monkeypatch.setattr(training, "make_trainer", rounds)
    kind, place = PoincareGlove(dimensions=4, epochs=5), tmp_path / "checkpoint.safetensors"
    begun = kind.start(WORDS, np.random.default_rng(0))
    start = {name: numbers.copy() for name, numbers in begun.items()}
    pairs = pairs_in(4, counted, tmp_path / "a")
    with pytest.raises(TrainingError, match=r"diverged in epoch 3 .* up to epoch 2 is in"):
        train(pairs, kind, WORDS, engine="gpu", start=start, checkpoint=place)
    assert made[0].closed
    kept = open_tensors(place)
    assert all(np.allclose(kept.tensor(name), begun[name] + 2, atol=1e-9) for name in begun)


@ON_A_GPU
@pytest.mark.parametrize(
    "kind",
    [
        Glove(dimensions=8, epochs=4),
        PoincareGlove(dimensions=8, epochs=4),
        PoincareGlove(dimensions=8, epochs=4, balls=4),
        PoincareGlove(dimensions=8, epochs=4, likeness="squared"),
    ],
    ids=["glove", "ball", "four-balls", "squared-distance"],
)
def test_the_gpu_ends_where_the_processor_does(
    counted: Cooccurrences, kind: GloveKind, tmp_path: Path
) -> None:
    """On one arrangement, because both take the pairs of a tile in their order."""
    blocks = block_count("gpu", WORDS, counted.pairs, kind)
    pairs = pairs_in(blocks, counted, tmp_path / "a")
    place = tmp_path / "checkpoint.safetensors"
    here, losses = train(pairs, kind, WORDS, seed=5)
    there, seen = train(pairs, kind, WORDS, seed=5, engine="gpu", checkpoint=place)
    np.testing.assert_allclose(seen, losses, rtol=1e-4)
    for name, numbers in here.items():
        np.testing.assert_allclose(there[name], numbers, rtol=1e-3, atol=1e-4)
    again, _ = train(pairs, kind, WORDS, seed=5, engine="gpu", checkpoint=place)
    assert all(np.array_equal(again[name], there[name]) for name in there)
