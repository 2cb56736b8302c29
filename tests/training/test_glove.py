import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

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
from fairvec.training.counting.count import count_cooccurrences
from fairvec.training.counting.counts import Cooccurrences, Weighting
from fairvec.training.glove import engines
from fairvec.training.glove import glove as module
from fairvec.training.glove.engines import block_count, choose_engine
from fairvec.training.glove.glove import (
    EpochProgress,
    VectorTraining,
    restrict_counts,
    train,
    warm_start,
)
from fairvec.training.glove.kernels import like, step
from fairvec.training.glove.tiles import TiledPairs, tile_pairs
from fairvec.training.models import Arrays, Glove, GloveKind, PoincareGlove

# --- Training lowers the loss, ends the same way with any threads, and goes on where it stopped


WORDS = 30
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
    return count_cooccurrences(tokens, WORDS, Weighting(4), tmp_path_factory.mktemp("counts"))


@pytest.fixture(scope="module")
def pairs(counted: Cooccurrences, tmp_path_factory: pytest.TempPathFactory) -> TiledPairs:
    folder = tmp_path_factory.mktemp("pairs")
    return tile_pairs(counted, folder, blocks=5, largest=100, power=0.75, seed=3)


def test_every_pair_stands_in_its_tile_once(counted: Cooccurrences, pairs: TiledPairs) -> None:
    wanted = {
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
    assert found.keys() == wanted.keys()
    assert len(found) == pairs.pairs
    for place, pair in found.items():
        assert pairs.logs[pair] == pytest.approx(np.log(wanted[place]), abs=1e-6)
        assert pairs.weights[pair] == pytest.approx(min(1, (wanted[place] / 100) ** 0.75), rel=1e-6)


def test_the_tiles_of_a_round_share_no_block(pairs: TiledPairs) -> None:
    for one in range(pairs.blocks):
        others = [(own + one) % pairs.blocks for own in range(pairs.blocks)]
        assert sorted(others) == [*range(pairs.blocks)]


@BY_KIND
def test_the_loss_falls_and_points_stay_inside(pairs: TiledPairs, kind: GloveKind) -> None:
    arrays, losses = train(pairs, kind, WORDS)
    assert losses[-1] < losses[0]
    assert kind.geometry.contains(kind.vectors(arrays).astype(np.float64)).all()


@BY_KIND
def test_threads_do_not_change_a_number(pairs: TiledPairs, kind: GloveKind) -> None:
    alone, together = (train(pairs, kind, WORDS, seed=5, threads=n)[0] for n in (1, 3))
    for name, numbers in alone.items():
        assert np.array_equal(numbers, together[name])


@BY_KIND
def test_training_goes_on_where_it_stopped(
    pairs: TiledPairs, kind: GloveKind, tmp_path: Path
) -> None:
    whole, losses = train(pairs, kind, WORDS)
    place = tmp_path / "checkpoint.safetensors"

    class StoppedError(Exception):
        pass

    def stop(done: object) -> None:
        if getattr(done, "epoch", 0) == 2:
            raise StoppedError

    with pytest.raises(StoppedError):
        train(pairs, kind, WORDS, checkpoint=place, progress=stop)
    again, seen = train(pairs, kind, WORDS, checkpoint=place)
    assert seen == losses
    assert all(np.array_equal(whole[name], again[name]) for name in whole)
    with pytest.raises(FileFormatError, match="another training"):
        train(pairs, replace(kind, rate=0.01), WORDS, checkpoint=place)


@BY_KIND
@pytest.mark.parametrize("how", ["fewer rows", "wider", "one less", "other numbers", "more epochs"])
def test_a_checkpoint_whose_arrays_do_not_fit_is_damaged(
    pairs: TiledPairs, kind: GloveKind, how: str, tmp_path: Path
) -> None:
    place = tmp_path / "checkpoint.safetensors"
    arrays, losses = train(pairs, replace(kind, epochs=1), WORDS, checkpoint=place)
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
        train(pairs, replace(kind, epochs=1), WORDS, checkpoint=place)


@pytest.mark.parametrize("how", ["empty", "cut short", "not one", "no losses", "odd losses"])
def test_a_damaged_checkpoint_is_said_to_be_so(pairs: TiledPairs, how: str, tmp_path: Path) -> None:
    place, kind = tmp_path / "checkpoint.safetensors", Glove(dimensions=4, epochs=1)
    arrays, _ = train(pairs, kind, WORDS, checkpoint=place)
    whole, about = place.read_bytes(), open_tensors(place).metadata["about"]
    if "losses" in how:
        losses = {"losses": "[1, nonsense"} if how == "odd losses" else {}
        write_tensors(place, arrays, {"about": about} | losses)
    else:
        parts = {"empty": b"", "cut short": whole[:-9], "not one": b"something else" * 9}
        place.write_bytes(parts[how])
    with pytest.raises(FileFormatError) as caught:
        train(pairs, kind, WORDS, checkpoint=place)
    assert str(caught.value) == f"{place} is damaged; remove it to begin again."


def test_one_step_of_glove_is_that_of_a_few_lines(counted: Cooccurrences, tmp_path: Path) -> None:
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
    theirs, _ = train(pairs, kind, WORDS, start={name: n.copy() for name, n in start.items()})
    for name, numbers in mine.items():
        np.testing.assert_allclose(theirs[name], numbers, rtol=2e-4, atol=2e-5)


def test_what_diverges_stops_and_keeps_what_was_good(pairs: TiledPairs, tmp_path: Path) -> None:
    place = tmp_path / "checkpoint.safetensors"
    wild = Glove(dimensions=8, epochs=6, rate=1e18)
    with pytest.raises(TrainingError, match=r"diverged in epoch 1 .*lower the rate"):
        train(pairs, wild, WORDS, checkpoint=place)
    assert not place.exists()


@pytest.mark.parametrize("balls", [1, 4])
def test_a_word_may_lie_halfway_between_its_target_and_its_context(
    pairs: TiledPairs, balls: int
) -> None:
    kind = PoincareGlove(dimensions=8, epochs=6, balls=balls, point="halfway")
    arrays, _ = train(pairs, kind, WORDS)
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
def test_the_counts_of_the_first_words_are_those_of_all(
    tokens: list[int], first: int, at_a_time: int
) -> None:
    with TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "ENTRIES_AT_A_TIME", at_a_time)
        text = np.array(tokens, np.int32)
        counted = count_cooccurrences(
            text, WORDS_FIRST_WORDS, Weighting(3), Path(folder) / "all", threads=1
        )
        found = restrict_counts(counted, first, Path(folder) / "few")
        wanted = {pair: n for pair, n in as_dict(counted).items() if max(pair) < first}
        assert len(found) == first
        assert found.unit == counted.unit
        assert as_dict(found) == wanted


@given(st.integers(2, 8), st.integers(8, 12), st.integers(0, 9), st.sampled_from([1, 2, 4]))
def test_each_first_word_goes_on_from_its_own_point(
    first: int, words: int, seed: int, balls: int
) -> None:
    generator = np.random.default_rng(seed)
    kind = PoincareGlove(dimensions=4, balls=balls)
    slots, all_slots = generator.permutation(first), generator.permutation(words)
    learnt = {n: a + 0.1 for n, a in kind.start(first, generator).items()}
    begun = warm_start(learnt, slots, kind, all_slots, seed)
    fresh = kind.start(words, np.random.default_rng([seed, 1]))
    for name, numbers in begun.items():
        for word in range(words):
            known = learnt[name][slots[word]] if word < first else fresh[name][all_slots[word]]
            assert np.array_equal(numbers[all_slots[word]], known)


@pytest.fixture(scope="module")
def counted_first_words(tmp_path_factory: pytest.TempPathFactory) -> Cooccurrences:
    tokens = np.minimum(np.random.default_rng(0).zipf(1.4, 5000) - 1, 39).astype(np.int32)
    return count_cooccurrences(
        tokens, 40, Weighting(4), tmp_path_factory.mktemp("counts"), threads=1
    )


def learning(
    first: int | None, work: Path, told: Callable[[EpochProgress], None], kept: Path | None = None
) -> VectorTraining:
    kind = PoincareGlove(dimensions=6, epochs=8, init_words=first)
    return VectorTraining(kind, 0, 1, "cpu", work, kept, "", told)


def test_training_starts_nearer_the_end_and_says_of_how_many_words_it_speaks(
    counted_first_words: Cooccurrences, tmp_path: Path
) -> None:
    seen: dict[int | None, list[EpochProgress]] = {None: [], 20: []}
    for first, told in seen.items():
        learning(first, tmp_path / f"{first}", told.append).learn(counted_first_words)
    assert [done.words for done in seen[20]] == [20] * 8 + [40] * 8
    whole = [done.loss for done in seen[20] if done.words == 40]
    assert whole[0] < 0.8 * seen[None][0].loss
    assert whole[-1] < whole[0]


def test_both_parts_go_on_where_they_stopped(
    counted_first_words: Cooccurrences, tmp_path: Path
) -> None:
    class StoppedError(Exception):
        pass

    stops = {(20, 3), (40, 2)}

    def stop(done: EpochProgress) -> None:
        if (done.words, done.epoch) in stops:
            stops.remove((done.words, done.epoch))
            raise StoppedError

    heard: list[EpochProgress] = []
    whole = learning(20, tmp_path / "a", heard.append).learn(counted_first_words)
    for number in range(2):
        with pytest.raises(StoppedError):
            learning(20, tmp_path / f"b{number}", stop, tmp_path).learn(counted_first_words)
    heard.clear()
    again = learning(20, tmp_path / "c", heard.append, tmp_path).learn(counted_first_words)
    assert np.array_equal(whole, again)
    assert [(done.words, done.epoch) for done in heard] == [(40, n) for n in range(3, 9)]


# --- One loss, two engines: which one is taken, and that they end alike where there are two ---


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
def counted_engines(tmp_path_factory: pytest.TempPathFactory) -> Cooccurrences:
    tokens = np.minimum(np.random.default_rng(1).zipf(1.5, 4000) - 1, WORDS - 1).astype(np.int32)
    return count_cooccurrences(
        tokens, WORDS, Weighting(4), tmp_path_factory.mktemp("counts"), threads=1
    )


def pairs_in(blocks: int, counted: Cooccurrences, folder: Path) -> TiledPairs:
    return tile_pairs(counted, folder, blocks=blocks, largest=100, power=0.75, seed=3)


def test_a_checkpoint_of_another_arrangement_is_refused(
    counted_engines: Cooccurrences, tmp_path: Path
) -> None:
    kind, place = Glove(dimensions=4, epochs=2), tmp_path / "checkpoint.safetensors"
    train(pairs_in(4, counted_engines, tmp_path / "a"), kind, WORDS, checkpoint=place)
    with pytest.raises(FileFormatError, match=r"another training .*engine or text"):
        train(pairs_in(5, counted_engines, tmp_path / "b"), kind, WORDS, checkpoint=place)


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
    counted_engines: Cooccurrences, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
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
    pairs = pairs_in(4, counted_engines, tmp_path / "a")
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
    counted_engines: Cooccurrences, kind: GloveKind, tmp_path: Path
) -> None:
    """On one arrangement, because both take the pairs of a tile in their order."""
    blocks = block_count("gpu", WORDS, counted_engines.pairs, kind)
    pairs = pairs_in(blocks, counted_engines, tmp_path / "a")
    place = tmp_path / "checkpoint.safetensors"
    here, losses = train(pairs, kind, WORDS, seed=5)
    there, seen = train(pairs, kind, WORDS, seed=5, engine="gpu", checkpoint=place)
    np.testing.assert_allclose(seen, losses, rtol=1e-4)
    for name, numbers in here.items():
        np.testing.assert_allclose(there[name], numbers, rtol=1e-3, atol=1e-4)
    again, _ = train(pairs, kind, WORDS, seed=5, engine="gpu", checkpoint=place)
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
def test_likeness_and_its_slope(squares: bool, distance: float) -> None:
    coshes = float(np.cosh(distance))
    wanted = distance**2 if squares else coshes**2
    slope = 2 * distance / np.sinh(distance) if squares else 2 * coshes
    found = like(squares, coshes)
    # cosh d - 1 has lost most of its digits where d is tiny.
    assert found[0] == pytest.approx(wanted, rel=1e-6, abs=1e-11)
    assert found[1] == pytest.approx(slope, rel=1e-5)


def test_points_that_are_one_stay_where_they_are() -> None:
    assert step(0.75, 0.75, 0.0, 1.0, 0.1, 0.0)[:2] == (1.0, 0.0)
