"""Saving a model in every format that is written."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from safetensors.numpy import load_file

import fairvec
from fairvec.core.errors import FileFormatError, GeometryError, SettingError, UnknownNameError
from fairvec.embedding import Embedding, Step, lost_by_saving
from fairvec.embedding.formats import writable_formats
from fairvec.embedding.formats.rows import BLOCK_VALUES
from fairvec.geometry import Geometry, Poincare, ProductOfBalls
from tests import toys
from tests.loops import loop_over

ENDINGS = [writer.suffixes[0] for writer in writable_formats()]


def saved(tmp_path: Path, ending: str, keys: list[str], vectors: NDArray[Any]) -> Path:
    return fairvec.save(Embedding(keys, vectors), tmp_path / f"toy{ending}", force=True)


@pytest.mark.parametrize("ending", [".fairvec", ".safetensors"])
@pytest.mark.parametrize("space", [Poincare(0.5), ProductOfBalls(1, 0.1), ProductOfBalls(2, 1 / 3)])
def test_what_is_saved_is_loaded(ending: str, space: Geometry, tmp_path: Path) -> None:
    ball = toys.embedding(0.3, space=space)
    again = fairvec.load(fairvec.save(ball, tmp_path / f"ball{ending}"))
    assert again.content_hash == ball.content_hash
    assert again.geometry == space


def test_other_tools_can_open_it(tmp_path: Path) -> None:
    for ending in (".fairvec", ".safetensors"):
        tensors = load_file(fairvec.save(toys.embedding(), tmp_path / f"toy{ending}"))
        np.testing.assert_array_equal(tensors["vectors"], toys.embedding().vectors)
        assert tensors["keys"].tobytes().decode().split("\n") == list(toys.embedding().keys)


@pytest.mark.parametrize("ending", [".fairvec", ".npz"])
def test_counts_are_kept(ending: str, tmp_path: Path) -> None:
    counted = replace(toys.embedding(), counts=np.arange(len(toys.embedding())))
    path = fairvec.save(counted, tmp_path / f"toy{ending}")
    again = fairvec.load(path)
    assert again.counts is not None
    np.testing.assert_array_equal(again.counts, counted.counts)
    some = fairvec.load(path, words=["boss", "office"])
    assert some.counts is not None
    assert some.counts.tolist() == [0, 4]


def test_word2vec_text_and_glove_differ_by_the_first_line(tmp_path: Path) -> None:
    vectors = np.array([[0.1, -0.0, 1e-7], [2, 1e20, 123.25]], dtype=np.float32)
    lines = "a 0.1 -0.0 1e-07\nб 2.0 1e+20 123.25\n"
    assert saved(tmp_path, ".vec", ["a", "б"], vectors).read_text("utf-8") == f"2 3\n{lines}"
    assert saved(tmp_path, ".txt", ["a", "б"], vectors).read_text("utf-8") == lines


def test_word2vec_binary_is_key_space_floats(tmp_path: Path) -> None:
    vectors = np.array([[0.5], [-2]], dtype=np.float32)
    content = saved(tmp_path, ".bin", ["a", "б"], vectors).read_bytes()
    assert content == b"2 1\na " + vectors[0].tobytes() + "б ".encode() + vectors[1].tobytes()


@loop_over("ending", ENDINGS)
@loop_over("layout", ["float16", "float64", ">f4", "fortran", "strided"])
def test_any_layout_in_memory_gives_the_same_numbers(
    ending: str, layout: str, tmp_path: Path
) -> None:
    plain = np.random.default_rng(1).normal(size=(7, 4)).astype(np.float16).astype(np.float32)
    vectors: NDArray[Any]
    if layout == "fortran":
        vectors = np.asfortranarray(plain)
    elif layout == "strided":
        vectors = np.repeat(plain, 2, axis=0)[::2]
    else:
        vectors = plain.astype(layout)
    again = fairvec.load(saved(tmp_path, ending, list("abcdefg"), vectors))
    np.testing.assert_array_equal(again.vectors.astype(np.float64), plain.astype(np.float64))


def test_float64_text_keeps_every_digit(tmp_path: Path) -> None:
    path = saved(tmp_path, ".vec", ["a"], np.array([[0.1, 1 / 3, 5e-324]]))
    assert path.read_text() == "1 3\na 0.1 0.3333333333333333 5e-324\n"


@pytest.mark.parametrize("ending", ENDINGS)
def test_a_file_is_written_over_only_by_force(ending: str, tmp_path: Path) -> None:
    path, model = tmp_path / f"toy{ending}", Embedding(["a", "b"], np.eye(2, dtype=np.float32))
    path.write_bytes(b"precious")
    with pytest.raises(SettingError, match=r"exists already.*force=True"):
        fairvec.save(model, path)
    assert path.read_bytes() == b"precious"
    fairvec.save(model, path, force=True)
    np.testing.assert_array_equal(fairvec.load(path).vectors, model.vectors)
    assert [each.name for each in tmp_path.iterdir()] == [path.name]


@pytest.mark.parametrize("ending", [".vec", ".vec.xz", ".bin"])
def test_many_blocks_stay_in_order(ending: str, tmp_path: Path) -> None:
    rows = 5 * (BLOCK_VALUES // 100) + 3
    vectors = np.random.default_rng(2).normal(size=(rows, 100)).astype(np.float32)
    rows = rows if ending != ".vec.xz" else 300
    keys = [f"w{row}" for row in range(rows)]
    steps: list[tuple[int, int]] = []
    path = fairvec.save(
        Embedding(keys, vectors[:rows]),
        tmp_path / f"big{ending}",
        progress=lambda *step: steps.append(step),
    )
    again = fairvec.load(path)
    assert again.keys == keys
    np.testing.assert_array_equal(again.vectors, vectors[:rows])
    assert steps == sorted(steps)
    assert steps[-1] == (rows, rows)


def test_a_mapped_file_may_be_written_over_itself(tmp_path: Path) -> None:
    path = fairvec.save(toys.embedding(), tmp_path / "toy.fairvec")
    fairvec.save(fairvec.load(path), path, force=True)
    assert fairvec.load(path).content_hash == toys.embedding().content_hash


@pytest.mark.parametrize("name", ["toy.kv", "toy.model", "toy.tar", "toy", "toy.gz", "toy.xlsx.xz"])
def test_another_ending_is_refused_with_the_choices(name: str, tmp_path: Path) -> None:
    with pytest.raises(SettingError) as refusal:
        fairvec.save(toys.embedding(), tmp_path / name)
    for known in writable_formats():
        assert f"{' or '.join(known.suffixes)} ({known.name})" in str(refusal.value)
    assert not list(tmp_path.iterdir())


def test_a_named_format_wins_over_the_ending(tmp_path: Path) -> None:
    path = fairvec.save(toys.embedding(), tmp_path / "toy.txt", format="word2vec-text")
    assert path.read_text().startswith("18 6\n")
    assert fairvec.load(path).history[-1].details["format"] == "word2vec-text"
    with pytest.raises(UnknownNameError, match="did you mean word2vec-text"):
        fairvec.save(toys.embedding(), path, format="word2vec-txt")


@pytest.mark.parametrize("name", ["toy.fairvec.gz", "toy.npz.xz", "toy.safetensors.bz2"])
def test_a_mapped_format_is_not_compressed(name: str, tmp_path: Path) -> None:
    with pytest.raises(SettingError, match=r"leave out \."):
        fairvec.save(toys.embedding(), tmp_path / name)


@pytest.mark.parametrize(
    ("ending", "key", "message"),
    [
        (".vec", "New York", r"without spaces.*not 'New York'; choose \.fairvec .*\.bin|\.txt"),
        (".bin", "New York", r"without spaces.*not 'New York'; choose \.fairvec"),
        (".txt", "a\nb", r"'a\\nb'; choose \.npz \(npz\)\.$"),
        (".txt", "catch 22", r"not before a number, not 'catch 22'"),
        (".fairvec", "a\nb", r"without line breaks, not 'a\\nb'; choose \.npz"),
        (".npz", "a\0", r"zero character, not 'a\\x00'; choose \.fairvec"),
        (".npz", "\ud800", "rename it"),
        (".vec", "", r"at least one character.*not ''; choose \.fairvec"),
    ],
)
def test_a_key_that_cannot_be_held_is_named(
    ending: str, key: str, message: str, tmp_path: Path
) -> None:
    with pytest.raises(FileFormatError, match=message):
        saved(tmp_path, ending, ["fine", key, "al so"], np.eye(3))
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("ending", ENDINGS)
def test_nan_and_nothing_are_refused_and_leave_what_was_there(ending: str, tmp_path: Path) -> None:
    old = saved(tmp_path, ending, ["a", "b"], np.eye(2))
    before = old.read_bytes()
    with pytest.raises(FileFormatError, match=r"row 2 .'b'.*NaN"):
        saved(tmp_path, ending, ["a", "b"], np.array([[0.0, 1.0], [np.nan, 1.0]]))
    with pytest.raises(FileFormatError, match="holds no vectors"):
        saved(tmp_path, ending, [], np.empty((0, 2)))
    with pytest.raises(SettingError, match="not int64"):
        saved(tmp_path, ending, ["a", "b"], np.eye(2, dtype=np.int64))
    assert old.read_bytes() == before
    assert list(tmp_path.iterdir()) == [old]


def test_one_number_per_key_is_no_glove_file(tmp_path: Path) -> None:
    with pytest.raises(FileFormatError, match="list of counts"):
        saved(tmp_path, ".txt", ["a"], np.ones((1, 1)))


def test_what_would_be_taken_for_another_format_is_refused(tmp_path: Path) -> None:
    digits = np.frombuffer(b"1234", dtype=np.float32).reshape(1, 1)
    with pytest.raises(FileFormatError, match="would be taken for word2vec-text"):
        saved(tmp_path, ".bin", ["a"], digits)


def test_narrowing_must_not_move_a_point_out_of_its_space(tmp_path: Path) -> None:
    border = Embedding(["a"], np.array([[1 - 1e-12, 0]]), Poincare())
    with pytest.raises(GeometryError, match=r"moves 'a' out of the poincare space"):
        fairvec.save(border, tmp_path / "ball.bin")
    with pytest.raises(GeometryError, match="moves 'a' out of the euclidean space"):
        fairvec.save(Embedding(["a"], np.array([[1e300, 0]])), tmp_path / "large.bin")


def test_what_is_lost_is_reported() -> None:
    full = replace(
        toys.embedding(space=Poincare(0.5)), history=(Step("read"),), counts=np.arange(18)
    )
    lost = ("geometry poincare", "curvature 0.5", "history", "counts")
    assert lost_by_saving(full, "a.fairvec", licence="MIT") == ()
    assert lost_by_saving(full, "a.vec.gz") == lost
    assert lost_by_saving(full, "a.bin", licence="MIT") == (*lost, "licence", "float64 precision")
    assert lost_by_saving(full, "a.npz") == ("history",)
    assert lost_by_saving(full, "a.safetensors") == ("history", "counts")
    assert lost_by_saving(full, "a.bin", format="native") == ()
    with pytest.raises(SettingError):
        lost_by_saving(full, "a.kv")
