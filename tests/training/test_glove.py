"""Training GloVe follows its formulas, and goes on from a checkpoint."""

import json
import sys
from collections.abc import Callable
from dataclasses import replace
from importlib import import_module
from inspect import signature
from pathlib import Path
from tempfile import TemporaryDirectory
from types import ModuleType
from typing import Any
from unittest.mock import MagicMock

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairvec.core.errors import (
    FileFormatError,
    MissingExtraError,
    SettingError,
    TrainingError,
    UnknownNameError,
)
from fairvec.core.io.safetensors import open_tensors, write_tensors
from fairvec.encoders.transformer.loading import has_gpu
from fairvec.geometry import FloatArray, Poincare
from fairvec.training import engines
from fairvec.training.counting.count import count_cooccurrences
from fairvec.training.counting.counts import Cooccurrences, Weighting
from fairvec.training.engines import CpuEngine, GpuEngine, engine_for
from fairvec.training.glove import glove as module
from fairvec.training.glove import kernels
from fairvec.training.glove.glove import (
    learn_vectors,
    restrict_counts,
    train,
    warm_start,
)
from fairvec.training.glove.kernels import likeness, step
from fairvec.training.glove.tiles import TiledPairs, tile_pairs
from fairvec.training.models import Arrays, Glove, GloveKind, PoincareGlove
from fairvec.training.progress import EpochProgress

# --- Training lowers the loss, ends the same way with any threads, and goes on where it stopped


WORDS = 30
CPU, GPU = CpuEngine(2), GpuEngine(2)
KINDS: tuple[GloveKind, ...] = (
    Glove(dimensions=8, epochs=6),
    PoincareGlove(dimensions=8, epochs=6),
    PoincareGlove(dimensions=8, epochs=6, balls=4),
    PoincareGlove(dimensions=8, epochs=6, likeness="squared"),
)
BY_KIND = pytest.mark.parametrize(
    "kind", KINDS, ids=["glove", "ball", "four-balls", "squared-distance"]
)


@pytest.fixture(scope="module")
def counted(tmp_path_factory: pytest.TempPathFactory) -> Cooccurrences:
    generator = np.random.default_rng(0)
    tokens = np.minimum(generator.zipf(1.5, 4000) - 1, WORDS - 1).astype(np.int32)
    tokens[::17] = -1
    return count_cooccurrences(
        tokens, WORDS, Weighting(4), tmp_path_factory.mktemp("counts"), engine=CPU
    )


@pytest.fixture(scope="module")
def pairs(counted: Cooccurrences, tmp_path_factory: pytest.TempPathFactory) -> TiledPairs:
    folder = tmp_path_factory.mktemp("pairs")
    return tile_pairs(counted, folder, blocks=5, largest=100, power=0.75, seed=3)


def test_every_pair_stands_in_its_tile_once(counted: Cooccurrences, pairs: TiledPairs) -> None:
    expected = {
        (word, int(counted.columns[entry])): counted.counts[entry] / counted.unit
        for word in range(WORDS)
        for entry in range(counted.starts[word], counted.starts[word + 1])
    }
    words = np.argsort(pairs.slots)
    found, first = {}, 0
    for tile, end in enumerate(pairs.ends):
        own = tile % pairs.blocks
        other = (own + tile // pairs.blocks) % pairs.blocks
        for pair in range(first, end):
            row = words[pairs.borders[own] + pairs.rows[pair]]
            column = words[pairs.borders[other] + pairs.columns[pair]]
            found[row, column] = pair
        first = end
    assert found.keys() == expected.keys()
    assert len(found) == pairs.pairs
    for place, pair in found.items():
        assert pairs.logs[pair] == pytest.approx(np.log(expected[place]), abs=1e-6)
        assert pairs.weights[pair] == pytest.approx(
            min(1, (expected[place] / 100) ** 0.75), rel=1e-6
        )


def test_the_tiles_of_a_round_share_no_block(pairs: TiledPairs) -> None:
    for one in range(pairs.blocks):
        others = [(own + one) % pairs.blocks for own in range(pairs.blocks)]
        assert sorted(others) == [*range(pairs.blocks)]


@BY_KIND
def test_the_loss_falls_and_points_stay_inside(pairs: TiledPairs, kind: GloveKind) -> None:
    arrays, losses = train(pairs, kind, WORDS, engine=CPU)
    assert losses[-1] < losses[0]
    assert kind.geometry.contains(kind.vectors(arrays).astype(np.float64)).all()


@BY_KIND
def test_threads_do_not_change_a_number(pairs: TiledPairs, kind: GloveKind) -> None:
    alone, together = (train(pairs, kind, WORDS, seed=5, engine=CpuEngine(n))[0] for n in (1, 3))
    for name, numbers in alone.items():
        assert np.array_equal(numbers, together[name])


@BY_KIND
def test_training_resumes_from_its_checkpoint(
    pairs: TiledPairs, kind: GloveKind, tmp_path: Path
) -> None:
    whole, losses = train(pairs, kind, WORDS, engine=CPU)
    place = tmp_path / "checkpoint.safetensors"

    class StoppedError(Exception):
        pass

    def stop(progress: EpochProgress) -> None:
        if progress.done == 2:
            raise StoppedError

    with pytest.raises(StoppedError):
        train(pairs, kind, WORDS, engine=CPU, checkpoint=place, progress=stop)
    again, seen = train(pairs, kind, WORDS, engine=CPU, checkpoint=place)
    assert seen == losses
    assert all(np.array_equal(whole[name], again[name]) for name in whole)
    with pytest.raises(FileFormatError, match="another training"):
        train(pairs, replace(kind, rate=0.01), WORDS, engine=CPU, checkpoint=place)


@BY_KIND
@pytest.mark.parametrize("how", ["fewer rows", "wider", "one less", "other numbers", "more epochs"])
def test_a_checkpoint_whose_arrays_do_not_fit_is_damaged(
    pairs: TiledPairs, kind: GloveKind, how: str, tmp_path: Path
) -> None:
    place = tmp_path / "checkpoint.safetensors"
    arrays, losses = train(pairs, replace(kind, epochs=1), WORDS, engine=CPU, checkpoint=place)
    about = open_tensors(place).metadata["about"]
    arrays = {name: np.array(one) for name, one in arrays.items()}
    if how == "fewer rows":
        arrays["targets"] = arrays["targets"][:1]
    elif how == "wider":
        arrays["contexts"] = np.hstack([arrays["contexts"]] * 2)
    elif how == "one less":
        del arrays["targets_squares"]
    elif how == "other numbers":
        arrays["targets"] = arrays["targets"].astype(np.float16)
    seen = losses * (2 if how == "more epochs" else 0)
    write_tensors(place, arrays, {"about": about, "losses": json.dumps(seen)})
    with pytest.raises(FileFormatError, match="is damaged; remove it to begin again"):
        train(pairs, replace(kind, epochs=1), WORDS, engine=CPU, checkpoint=place)


@pytest.mark.parametrize("how", ["empty", "cut short", "not one", "no losses", "odd losses"])
def test_a_damaged_checkpoint_is_reported(pairs: TiledPairs, how: str, tmp_path: Path) -> None:
    place, kind = tmp_path / "checkpoint.safetensors", Glove(dimensions=4, epochs=1)
    arrays, _ = train(pairs, kind, WORDS, engine=CPU, checkpoint=place)
    whole, about = place.read_bytes(), open_tensors(place).metadata["about"]
    if "losses" in how:
        losses = {"losses": "[1, nonsense"} if how == "odd losses" else {}
        write_tensors(place, arrays, {"about": about} | losses)
    else:
        parts = {"empty": b"", "cut short": whole[:-9], "not one": b"something else" * 9}
        place.write_bytes(parts[how])
    with pytest.raises(FileFormatError) as caught:
        train(pairs, kind, WORDS, engine=CPU, checkpoint=place)
    assert str(caught.value) == f"{place} is damaged; remove it to begin again."


def test_an_epoch_of_glove_equals_a_few_lines_of_numpy(
    counted: Cooccurrences, tmp_path: Path
) -> None:
    """One tile, so that the pairs come in the order of the arrays."""
    pairs = tile_pairs(counted, tmp_path, blocks=1, largest=100, power=0.75, seed=0)
    kind = Glove(dimensions=5, epochs=1)
    start = kind.start(WORDS, np.random.default_rng(1))
    mine = {name: numbers.astype(np.float64) for name, numbers in start.items()}
    for pair in range(pairs.pairs):
        i, j = pairs.rows[pair], pairs.columns[pair]
        w, c = mine["targets"][i].copy(), mine["contexts"][j].copy()
        error = w[:-1] @ c[:-1] + w[-1] + c[-1] - pairs.logs[pair]
        down = 0.05 * pairs.weights[pair] * error * np.append(c[:-1], 1)
        across = 0.05 * pairs.weights[pair] * error * np.append(w[:-1], 1)
        mine["targets"][i] -= down / np.sqrt(mine["targets_squares"][i])
        mine["contexts"][j] -= across / np.sqrt(mine["contexts_squares"][j])
        mine["targets_squares"][i] += down**2
        mine["contexts_squares"][j] += across**2
    theirs, _ = train(
        pairs, kind, WORDS, engine=CPU, start={name: n.copy() for name, n in start.items()}
    )
    for name, numbers in mine.items():
        np.testing.assert_allclose(theirs[name], numbers, rtol=2e-4, atol=2e-5)


def test_divergence_in_the_first_epoch_leaves_no_checkpoint(
    pairs: TiledPairs, tmp_path: Path
) -> None:
    place = tmp_path / "checkpoint.safetensors"
    wild = Glove(dimensions=8, epochs=6, rate=1e18)
    with pytest.raises(TrainingError, match=r"diverged in epoch 1 .*lower the rate"):
        train(pairs, wild, WORDS, engine=CPU, checkpoint=place)
    assert not place.exists()


@pytest.mark.parametrize("balls", [1, 4])
def test_a_word_may_lie_halfway_between_its_target_and_its_context(
    pairs: TiledPairs, balls: int
) -> None:
    kind = PoincareGlove(dimensions=8, epochs=6, balls=balls, point="halfway")
    arrays, _ = train(pairs, kind, WORDS, engine=CPU)
    space, found = kind.geometry, kind.vectors(arrays)
    for word, middle in enumerate(found):
        both = np.array([arrays["targets"][word], arrays["contexts"][word]])
        np.testing.assert_allclose(middle, space.midpoint(both), atol=1e-12)
    assert np.array_equal(replace(kind, point="target").vectors(arrays), arrays["targets"])


# --- A training may start from the points of its most frequent words ---


WORDS_FIRST_WORDS = 12


def as_dict(counted: Cooccurrences) -> dict[tuple[int, int], int]:
    return {
        (word, int(counted.columns[entry])): int(counted.counts[entry])
        for word in range(len(counted))
        for entry in range(counted.starts[word], counted.starts[word + 1])
    }


@given(
    st.lists(st.integers(-1, WORDS_FIRST_WORDS - 1), min_size=1, max_size=60),
    st.integers(1, WORDS_FIRST_WORDS),
    st.integers(1, 30),
)
def test_restricted_counts_equal_those_of_the_whole_matrix(
    tokens: list[int], first: int, at_a_time: int
) -> None:
    with TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "ENTRIES_AT_A_TIME", at_a_time)
        text = np.array(tokens, np.int32)
        counted = count_cooccurrences(
            text, WORDS_FIRST_WORDS, Weighting(3), Path(folder) / "all", engine=CPU
        )
        found = restrict_counts(counted, first, Path(folder) / "few")
        expected = {pair: n for pair, n in as_dict(counted).items() if max(pair) < first}
        assert len(found) == first
        assert found.unit == counted.unit
        assert as_dict(found) == expected


@given(st.integers(2, 8), st.integers(8, 12), st.integers(0, 9), st.sampled_from([1, 2, 4]))
def test_a_warm_start_keeps_the_points_of_the_first_words(
    first: int, words: int, seed: int, balls: int
) -> None:
    generator = np.random.default_rng(seed)
    kind = PoincareGlove(dimensions=4, balls=balls)
    slots, all_slots = generator.permutation(first), generator.permutation(words)
    learnt = {n: a + 0.1 for n, a in kind.start(first, generator).items()}
    arrays = warm_start(learnt, slots, kind, all_slots, seed)
    fresh = kind.start(words, np.random.default_rng([seed, 1]))
    for name, numbers in arrays.items():
        for word in range(words):
            known = learnt[name][slots[word]] if word < first else fresh[name][all_slots[word]]
            assert np.array_equal(numbers[all_slots[word]], known)


@pytest.fixture(scope="module")
def counted_first_words(tmp_path_factory: pytest.TempPathFactory) -> Cooccurrences:
    tokens = np.minimum(np.random.default_rng(0).zipf(1.4, 5000) - 1, 39).astype(np.int32)
    return count_cooccurrences(
        tokens, 40, Weighting(4), tmp_path_factory.mktemp("counts"), engine=CPU
    )


def learn(
    counted: Cooccurrences,
    first: int | None,
    work: Path,
    progress: Callable[[EpochProgress], None],
    checkpoints: Path | None = None,
) -> FloatArray:
    model = PoincareGlove(dimensions=6, epochs=8, init_words=first)
    vectors: FloatArray = learn_vectors(
        counted,
        model,
        engine=CPU,
        seed=0,
        work=work,
        checkpoints=checkpoints,
        progress=progress,
    )
    return vectors


def test_a_warm_start_lowers_the_first_loss_and_reports_the_words(
    counted_first_words: Cooccurrences, tmp_path: Path
) -> None:
    seen: dict[int | None, list[EpochProgress]] = {None: [], 20: []}
    for first, epochs in seen.items():
        learn(counted_first_words, first, tmp_path / f"{first}", epochs.append)
    assert [done.words for done in seen[20]] == [20] * 8 + [40] * 8
    whole = [done.loss for done in seen[20] if done.words == 40]
    assert whole[0] < 0.8 * seen[None][0].loss
    assert whole[-1] < whole[0]


def test_both_parts_resume_from_their_checkpoints(
    counted_first_words: Cooccurrences, tmp_path: Path
) -> None:
    class StoppedError(Exception):
        pass

    stops = {(20, 3), (40, 2)}

    def stop(progress: EpochProgress) -> None:
        if (progress.words, progress.done) in stops:
            stops.remove((progress.words, progress.done))
            raise StoppedError

    epochs: list[EpochProgress] = []
    whole = learn(counted_first_words, 20, tmp_path / "a", epochs.append)
    for number in range(2):
        with pytest.raises(StoppedError):
            learn(counted_first_words, 20, tmp_path / f"b{number}", stop, tmp_path)
    epochs.clear()
    again = learn(counted_first_words, 20, tmp_path / "c", epochs.append, tmp_path)
    assert np.array_equal(whole, again)
    assert [(done.words, done.done) for done in epochs] == [(40, n) for n in range(3, 9)]


# --- One loss, two engines: which one is taken, and that they end alike where there are two ---


ON_A_GPU = pytest.mark.skipif(
    not has_gpu(), reason="torch finds no GPU with CUDA on this machine, and triton needs one"
)


def installed(*names: str, gpu: bool, patch: pytest.MonkeyPatch) -> None:
    patch.setattr(engines, "find_spec", lambda name: name if name in names else None)
    patch.setattr(engines, "has_gpu", lambda: gpu)


def test_auto_takes_the_gpu_only_with_torch_triton_and_cuda(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for names, gpu, expected in (
        (("torch", "triton"), True, "gpu"),
        (("torch", "triton"), False, "cpu"),
        (("torch",), True, "cpu"),
        ((), False, "cpu"),
    ):
        installed(*names, gpu=gpu, patch=monkeypatch)
        assert engine_for("auto", threads=3).name == expected
        assert engine_for("cpu", threads=3) == CpuEngine(3)


def test_a_missing_gpu_or_package_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    installed("torch", "triton", gpu=False, patch=monkeypatch)
    with pytest.raises(SettingError, match=r"finds no GPU with CUDA.*--engine cpu"):
        engine_for("gpu")
    installed("torch", gpu=True, patch=monkeypatch)
    with pytest.raises(MissingExtraError, match=r"fairvec\[train\]"):
        engine_for("gpu")
    with pytest.raises(UnknownNameError, match="gpu"):
        engine_for("gpus")


@pytest.fixture(scope="module")
def counted_engines(tmp_path_factory: pytest.TempPathFactory) -> Cooccurrences:
    tokens = np.minimum(np.random.default_rng(1).zipf(1.5, 4000) - 1, WORDS - 1).astype(np.int32)
    return count_cooccurrences(
        tokens, WORDS, Weighting(4), tmp_path_factory.mktemp("counts"), engine=CPU
    )


def pairs_in(blocks: int, counted: Cooccurrences, folder: Path) -> TiledPairs:
    return tile_pairs(counted, folder, blocks=blocks, largest=100, power=0.75, seed=3)


def test_a_checkpoint_of_another_tiling_is_refused(
    counted_engines: Cooccurrences, tmp_path: Path
) -> None:
    kind, place = Glove(dimensions=4, epochs=2), tmp_path / "checkpoint.safetensors"
    train(pairs_in(4, counted_engines, tmp_path / "a"), kind, WORDS, engine=CPU, checkpoint=place)
    with pytest.raises(FileFormatError, match=r"another training .*engine or text"):
        train(
            pairs_in(5, counted_engines, tmp_path / "b"), kind, WORDS, engine=CPU, checkpoint=place
        )


class Runaway:
    """A trainer whose third epoch has no finite loss."""

    def __init__(self, arrays: Arrays) -> None:
        self._arrays, self._losses = arrays, [2.0, 1.0, float("nan")]
        self.closed = False

    def epoch(self, generator: np.random.Generator) -> float:
        for numbers in self._arrays.values():
            numbers += 1
        return self._losses.pop(0)

    def state(self) -> Arrays:
        return {name: numbers.copy() for name, numbers in self._arrays.items()}

    def close(self) -> None:
        self.closed = True


def test_divergence_on_any_engine_stops_training_and_closes_it(
    counted_engines: Cooccurrences, tmp_path: Path
) -> None:
    made: list[Runaway] = []

    class RunawayEngine(CpuEngine):
        def trainer(self, pairs: TiledPairs, model: GloveKind, arrays: Arrays) -> Runaway:
            made.append(Runaway(arrays))
            return made[0]

    kind, place = PoincareGlove(dimensions=4, epochs=5), tmp_path / "checkpoint.safetensors"
    initial = kind.start(WORDS, np.random.default_rng(0))
    start = {name: numbers.copy() for name, numbers in initial.items()}
    pairs = pairs_in(4, counted_engines, tmp_path / "a")
    with pytest.raises(TrainingError, match=r"diverged in epoch 3 .* up to epoch 2 is in"):
        train(pairs, kind, WORDS, engine=RunawayEngine(1), start=start, checkpoint=place)
    assert made[0].closed
    kept = open_tensors(place)
    assert all(np.allclose(kept.tensor(name), initial[name] + 2, atol=1e-9) for name in initial)


GPU_KINDS: tuple[GloveKind, ...] = (
    Glove(dimensions=8, epochs=4),
    PoincareGlove(dimensions=8, epochs=4),
    PoincareGlove(dimensions=8, epochs=4, balls=4),
    PoincareGlove(dimensions=8, epochs=4, likeness="squared"),
)
BY_GPU_KIND = pytest.mark.parametrize(
    "kind", GPU_KINDS, ids=["glove", "ball", "four-balls", "squared-distance"]
)


class KernelStub:
    """What `triton.jit` makes of a kernel here: a launch binds its arguments as Triton does.

    The round is then trained by the processor's kernel of the same name, argument by argument.
    """

    def __init__(self, kernel: Callable[..., None]) -> None:
        self.parameters, self.name = signature(kernel), kernel.__name__
        self.launches: list[dict[str, Any]] = []

    def __getitem__(self, grid: tuple[int]) -> Callable[..., None]:
        def launch(*args: Any, num_warps: int, **settings: Any) -> None:
            given = self.parameters.bind(*args, **settings).arguments
            self.launches.append(given)
            first, blocks = given["first_tile"], given["blocks"]
            assert (blocks, num_warps) == (*grid, 1)
            on_cpu = getattr(kernels, self.name.replace("round", "tiles"))
            names = [*signature(on_cpu.py_func).parameters][1:]
            values = [given[name] for name in names]
            arrays = [v.numpy() if hasattr(v, "numpy") else v for v in values]  # of torch
            on_cpu(first + np.arange(blocks), *arrays)

        return launch


@pytest.fixture
def triton_stub(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """Return the kernels of the GPU as stubs, for a torch whose GPU is this machine's memory."""
    torch = pytest.importorskip("torch", reason="torch is not installed")
    for name in ("triton", "triton.language", "triton.language.extra"):
        monkeypatch.setitem(sys.modules, name, MagicMock(jit=KernelStub))
    monkeypatch.setattr(torch.Tensor, "cuda", lambda self: self)
    name = "fairvec.training.glove.triton_kernels"
    monkeypatch.delitem(sys.modules, name, raising=False)
    module = import_module(name)
    monkeypatch.setitem(sys.modules, name, module)  # and it is gone after the test
    return module


@BY_GPU_KIND
def test_a_gpu_is_given_each_argument_of_its_kernel_by_name(
    counted_engines: Cooccurrences, kind: GloveKind, tmp_path: Path, triton_stub: ModuleType
) -> None:
    pairs = pairs_in(GPU.blocks(WORDS, 900, kind), counted_engines, tmp_path)
    here, losses = train(pairs, kind, WORDS, engine=CPU, seed=5)
    there, seen = train(pairs, kind, WORDS, engine=GPU, seed=5)
    assert seen == pytest.approx(losses, rel=1e-12)
    assert here.keys() == there.keys() == set(kind.state)
    assert all(np.array_equal(numbers, there[name]) for name, numbers in here.items())
    used, unused = triton_stub.train_flat_round, triton_stub.train_ball_round
    widths = {"size": 9, "width": 16}
    if isinstance(kind, PoincareGlove):
        used, unused, size = unused, used, 8 // kind.balls
        widths = {"size": size, "width": size, "balls": kind.balls, "ball_width": kind.balls}
    assert len(used.launches) == pairs.blocks * kind.epochs
    assert not unused.launches
    assert widths.items() <= used.launches[-1].items()


@ON_A_GPU
@BY_GPU_KIND
def test_the_gpu_ends_where_the_processor_does(
    counted_engines: Cooccurrences, kind: GloveKind, tmp_path: Path
) -> None:
    """On one arrangement, because both take the pairs of a tile in their order."""
    blocks = GPU.blocks(WORDS, counted_engines.pairs, kind)
    pairs = pairs_in(blocks, counted_engines, tmp_path / "a")
    place = tmp_path / "checkpoint.safetensors"
    here, losses = train(pairs, kind, WORDS, engine=CPU, seed=5)
    there, seen = train(pairs, kind, WORDS, engine=GPU, seed=5, checkpoint=place)
    np.testing.assert_allclose(seen, losses, rtol=1e-4)
    for name, numbers in here.items():
        np.testing.assert_allclose(there[name], numbers, rtol=1e-3, atol=1e-4)
    again, _ = train(pairs, kind, WORDS, engine=GPU, seed=5, checkpoint=place)
    assert all(np.array_equal(again[name], there[name]) for name in there)


# --- One step in the ball is the exponential map of the Riemannian gradient, whatever the plane


BALL = Poincare(1.0)


def point(generator: np.random.Generator, length: float, dimensions: int) -> FloatArray:
    drawn = generator.normal(size=dimensions)
    return np.asarray(drawn / np.linalg.norm(drawn) * length)


def cosh_of_distance(x: FloatArray, y: FloatArray) -> float:
    return float(1 + 2 * ((x - y) @ (x - y)) / ((1 - x @ x) * (1 - y @ y)))


@given(
    st.integers(0, 2**32 - 1),
    st.integers(2, 6),
    st.floats(0.001, 0.95),
    st.floats(0.001, 0.95),
    st.floats(-3, 3).filter(lambda slope: abs(slope) > 1e-3),
    st.floats(0, 5),
)
def test_a_step_follows_the_geodesic_against_the_gradient(
    seed: int, dimensions: int, near: float, far: float, slope: float, squares: float
) -> None:
    generator = np.random.default_rng(seed)
    x, y = point(generator, near, dimensions), point(generator, far, dimensions)
    rate, tiny = 0.1, 1e-6
    steps = tiny * (1 - near) * np.eye(dimensions)
    plain = np.array([cosh_of_distance(x + e, y) - cosh_of_distance(x - e, y) for e in steps])
    plain *= slope / (2 * tiny * (1 - near))
    shrunk = (1 - x @ x) / 2
    total = squares + (shrunk * np.linalg.norm(plain)) ** 2
    expected = BALL.exp(x[None], (-rate / np.sqrt(total) * shrunk**2 * plain)[None])[0]
    sums = float(1 - x @ x), float(1 - y @ y), float((x - y) @ (x - y))
    p, q, new = step(*sums, slope, rate, squares)
    assert new == pytest.approx(total, rel=1e-5)
    np.testing.assert_allclose(p * x + q * y, expected, atol=1e-6)


@pytest.mark.parametrize("squares", [False, True])
@pytest.mark.parametrize("distance", [1e-6, 1e-3, 0.5, 2.0, 5.0])
def test_likeness_and_its_derivative(squares: bool, distance: float) -> None:
    coshes = float(np.cosh(distance))
    expected = distance**2 if squares else coshes**2
    slope = 2 * distance / np.sinh(distance) if squares else 2 * coshes
    found = likeness(squares, coshes)
    # cosh d - 1 has lost most of its digits where d is tiny.
    assert found[0] == pytest.approx(expected, rel=1e-6, abs=1e-11)
    assert found[1] == pytest.approx(slope, rel=1e-5)


def test_equal_points_do_not_move() -> None:
    assert step(0.75, 0.75, 0.0, 1.0, 0.1, 0.0)[:2] == (1.0, 0.0)
