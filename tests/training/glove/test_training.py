"""Training lowers the loss, ends the same way with any threads, and goes on where it stopped."""

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from fairvec.core.errors import FileFormatError, TrainingError
from fairvec.core.io.safetensors import open_tensors, write_tensors
from fairvec.training.counting.count import count_cooccurrences
from fairvec.training.counting.counts import Cooccurrences, Weighting
from fairvec.training.glove.glove import train
from fairvec.training.glove.tiles import TiledPairs, tile_pairs
from fairvec.training.models import Glove, GloveKind, PoincareGlove

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
