"""Debiasing from file to file within bounded memory."""

import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from fairvec.core.errors import GeometryError, SettingError
from fairvec.embedding import Embedding, load, save
from fairvec.embedding.formats import writable_formats
from fairvec.embedding.neighbours import neighbours_of
from fairvec.geometry import Geometry, Poincare
from fairvec.mitigation import Transform, save_transform, transform
from fairvec.mitigation import out_of_core as moved_vectors
from fairvec.mitigation.methods.hard import HardDebiasing
from fairvec.mitigation.methods.projection import LinearProjection
from fairvec.mitigation.methods.ran import RAN
from fairvec.mitigation.out_of_core import (
    LINES_BYTES,
    check_file_fits,
    debias_file,
    lazy_transform,
    transform_within_memory,
)
from tests.mitigation.toys import concept, embedding

# --- Debiasing from file to file: the same result, the input untouched, the memory bounded ---


PLENTY = 10**10
ENDINGS = [writer.suffixes[0] for writer in writable_formats()]


@pytest.mark.parametrize("ending", [*ENDINGS, ".vec.gz"])
@pytest.mark.parametrize("kept_in", [".fairvec", ".safetensors"])
def test_it_writes_what_saving_the_transformed_embedding_writes(
    tmp_path: Path, ending: str, kept_in: str
) -> None:
    source = save(embedding(dtype="float32"), tmp_path / f"model{kept_in}")
    bytes_before = source.read_bytes()
    model = load(source)
    change = HardDebiasing().fit(model, concept())
    done: list[tuple[int, int]] = []
    target = debias_file(
        change,
        source,
        tmp_path / f"lazy{ending}",
        max_memory=PLENTY,
        progress=lambda *so_far: done.append(so_far),
    )
    whole = save(change.transform(model), tmp_path / f"whole{ending}")
    assert target == tmp_path / f"lazy{ending}"
    if ending not in (".npz", ".vec.gz"):  # these hold a date or their own name
        assert target.read_bytes() == whole.read_bytes()
    assert ending == ".npz" or done[-1][0] == done[-1][1]
    np.testing.assert_array_equal(load(target).vectors, load(whole).vectors)
    assert source.read_bytes() == bytes_before
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted(
        [source.name, target.name, whole.name]
    )


def test_a_file_can_be_debiased_over_itself(tmp_path: Path) -> None:
    path = save(embedding(dtype="float32"), tmp_path / "model.fairvec")
    model = load(path)
    change = HardDebiasing().fit(model, concept())
    expected = np.array(change.transform(model).vectors)
    debias_file(change, path, path, max_memory=PLENTY)
    np.testing.assert_array_equal(load(path).vectors, expected)


def test_too_little_memory_is_reported_before_anything_is_written(tmp_path: Path) -> None:
    source = save(embedding(), tmp_path / "model.fairvec")
    change = LinearProjection().fit(load(source), concept())
    target = tmp_path / "after.fairvec"
    target.write_text("what was there")
    with pytest.raises(SettingError, match=r"into after.fairvec takes about 42 MB and 1 MB are"):
        debias_file(change, source, target, max_memory=10**6)
    assert target.read_text() == "what was there"


def test_what_is_held_or_written_whole_counts_whole(tmp_path: Path) -> None:
    rows = np.random.default_rng(0).normal(size=(20_000, 500))  # 80 MB
    keys = ["he", "she", *(f"word{number}" for number in range(2, len(rows)))]
    held = Embedding(keys, rows, name="held")
    change = LinearProjection().fit(held, concept("one-pair"))
    needed: list[int] = []
    for ending in (".fairvec", ".npz", ".vec", ".csv", ".tsv"):
        with pytest.raises(SettingError, match=f"Debiasing held into after{ending}") as refusal:
            debias_file(change, held, tmp_path / f"after{ending}", max_memory=10**8)
        needed += map(int, re.findall(r"takes about (\d+) MB", str(refusal.value)))
    native, npz, *texts = needed
    assert npz == native + 80 > 160
    assert {*texts} == {native + round(LINES_BYTES / 10**6)}


def test_files_that_must_be_read_whole_are_refused_by_their_size(tmp_path: Path) -> None:
    model = embedding()
    change = LinearProjection().fit(model, concept())
    for ending in ENDINGS:
        path = save(model, tmp_path / f"model{ending}")
        size = path.stat().st_size
        check_file_fits(path, size)
        if ending in (".fairvec", ".safetensors"):
            check_file_fits(path, size - 1)
            continue
        with pytest.raises(SettingError, match=f"model{ending} has to be read whole"):
            check_file_fits(path, size - 1)
        with pytest.raises(SettingError, match="convert it, or allow more"):
            debias_file(change, path, tmp_path / "after.fairvec", max_memory=size - 1)
    check_file_fits(tmp_path / "a-name-of-the-catalogue", 1)
    assert not (tmp_path / "after.fairvec").exists()


PROGRAM = """
import sys
from pathlib import Path
from fairvec.mitigation import transform as settings
from fairvec.mitigation import (load_transform)
from fairvec.mitigation.out_of_core import debias_file

def memory(field):
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) * 1024 for line in lines if line.startswith(field))

settings.WORTH_COMPILING = 0  # so that the small file brings numba, which is not counted
transform, small, large, target, allowed = *map(Path, sys.argv[1:5]), int(sys.argv[5])
transform = load_transform(transform)
debias_file(transform, small, target, max_memory=allowed)
Path("/proc/self/clear_refs").write_text("5")
before = memory("VmRSS")
debias_file(transform, large, target, max_memory=allowed)
print(memory("VmHWM") - before)
"""


@pytest.mark.skipif(
    not Path("/proc/self/clear_refs").exists(), reason="memory is measured as Linux tells it"
)
def test_a_file_larger_than_the_memory_allowed(tmp_path: Path) -> None:
    small = embedding(dtype="float32", columns=500)
    change = HardDebiasing().fit(small, concept())
    save_transform(change, tmp_path / "gender.safetensors")
    save(small, tmp_path / "small.fairvec")
    noise = np.random.default_rng(0).normal(size=(1000, 500)).astype(np.float32)
    rows = np.vstack([small.vectors, np.resize(noise, (160_000, 500))])
    keys = [*small.keys, *(f"word{number}" for number in range(160_000))]
    large = save(Embedding(keys, rows), tmp_path / "large.fairvec")
    target, allowed = tmp_path / "after.fairvec", 105_000_000
    assert large.stat().st_size > 3 * allowed
    paths = [tmp_path / "gender.safetensors", tmp_path / "small.fairvec", large, target]
    command = [sys.executable, "-c", PROGRAM, *map(str, paths), str(allowed)]
    answer = subprocess.run(command, capture_output=True, text=True, check=True)
    assert 0 < int(answer.stdout) < allowed
    after = load(target)
    assert after.keys == keys
    for some in (slice(0, 60), slice(-60, None)):
        expected = change.apply(rows[some], keys[some])
        np.testing.assert_allclose(after.vectors[some], expected, atol=1e-6)
    for path in (large, target):  # pytest keeps the folders of three runs
        path.unlink()


# --- vectors ---


@pytest.mark.parametrize("space", [None, Poincare()], ids=repr)
@pytest.mark.parametrize("dtype", ["float16", "float32", "float64"])
def test_lazily_is_what_transforming_gives(space: Geometry | None, dtype: str) -> None:
    model = embedding(space, dtype=dtype)
    change = HardDebiasing().fit(model, concept())
    lazy, whole = lazy_transform(change, model), change.transform(model)
    assert lazy.vectors.dtype == whole.vectors.dtype
    assert lazy.vectors.shape == whole.vectors.shape
    assert lazy.vectors.nbytes == whole.vectors.nbytes
    assert lazy.history == whole.history
    np.testing.assert_array_equal(np.asarray(lazy.vectors), whole.vectors)
    np.testing.assert_array_equal(np.asarray(lazy.vectors, np.float64), whole.vectors)
    last_bit = 1e-12 if dtype == "float64" else float(np.finfo(np.float32).eps)
    for rows in (slice(3, 11), slice(5, 5), slice(-4, None), slice(None, None, 7)):
        np.testing.assert_allclose(
            lazy.vectors[rows], whole.vectors[rows], rtol=last_bit, atol=1e-15
        )
    keys = ["neutral3", "man", "beard"]
    np.testing.assert_allclose(lazy.rows(keys), whole.rows(keys), rtol=last_bit, atol=1e-15)


def test_with_the_compiled_loop_it_is_the_same_embedding(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(transform, "WORTH_COMPILING", 0)
    model = embedding(dtype="float32")
    change = HardDebiasing().fit(model, concept())
    lazy, whole = lazy_transform(change, model), change.transform(model)
    assert lazy.content_hash == whole.content_hash
    np.testing.assert_array_equal(lazy.rows(model.keys), whole.rows(model.keys))


def test_other_floats_are_rounded_on_the_way() -> None:
    model = embedding()
    change = LinearProjection().fit(model, concept())
    vectors = lazy_transform(change, model).vectors
    assert vectors.astype(np.float64, copy=False) is vectors
    narrow = vectors.astype(np.float32)
    np.testing.assert_array_equal(narrow[:], change.transform(model).vectors.astype(np.float32))


def test_another_space_is_refused_at_once() -> None:
    change = LinearProjection().fit(embedding(), concept())
    with pytest.raises(GeometryError, match="toy has 7 dimensions"):
        lazy_transform(change, embedding(columns=7))


def test_rows_are_taken_by_numbers_in_any_shape_and_neighbours_found_among_them() -> None:
    model = embedding(dtype="float32")
    change = LinearProjection().fit(model, concept())
    lazy, whole = lazy_transform(change, model), change.transform(model)
    table = np.array([[3, 0, -1], [5, 5, 2]])
    assert lazy.vectors[table].shape == (2, 3, model.dimensions)
    np.testing.assert_allclose(lazy.vectors[table], whole.vectors[table], rtol=1e-6)
    assert lazy.vectors[[]].shape == (0, model.dimensions)
    found, expected = (neighbours_of(one, ["neutral3"], 5) for one in (lazy, whole))
    assert found.rows.tolist() == expected.rows.tolist()
    np.testing.assert_allclose(found.similarities, expected.similarities, rtol=1e-6)


def test_rows_by_numbers_are_moved_in_blocks_and_to_the_same_places(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Of a large model tens of thousands are asked for, also of words that stay or are placed."""
    monkeypatch.setattr(transform, "WORTH_COMPILING", 0)
    model = embedding(dtype="float32")
    change = HardDebiasing().fit(model, concept())
    assert change.unmoved
    assert change.placed
    rows = np.random.default_rng(0).integers(0, len(model), 700)
    calls: list[int] = []
    write_rows = transform.Transform.write_rows

    def counted(self: Transform, of: Embedding, some: Any, out: Any) -> None:
        calls.append(len(some))
        write_rows(self, of, some, out)

    monkeypatch.setattr(transform.Transform, "write_rows", counted)
    monkeypatch.setattr(moved_vectors, "PIECE_BYTES", 1)
    found = lazy_transform(change, model).vectors[rows]
    np.testing.assert_array_equal(found, change.transform(model).vectors[rows])
    assert calls == [transform.BLOCK, transform.BLOCK, 700 - 2 * transform.BLOCK]


def test_a_mask_takes_its_rows_and_a_row_that_is_not_there_is_refused() -> None:
    model = embedding(dtype="float32")
    change = LinearProjection().fit(model, concept())
    lazy, whole = lazy_transform(change, model).vectors, change.transform(model).vectors
    mask = np.arange(len(model)) % 3 == 1
    np.testing.assert_allclose(lazy[mask], whole[mask], rtol=1e-6)
    for row in (len(model), -len(model) - 1):
        with pytest.raises(IndexError):
            lazy[[row]]


def test_a_single_row_does_not_ask_after_every_word_with_a_place_of_its_own() -> None:
    """A method may place tens of thousands, and rows are asked for one by one by the thousand."""
    model = embedding(dtype="float32")
    change = RAN(neighbours=5).fit(model, concept())
    asked: list[str] = []

    class Counted(dict[str, int]):
        def get(self, key: str, default: Any = None) -> Any:
            asked.append(key)
            return super().get(key, default)

    whole = change.transform(model).vectors
    object.__setattr__(model, "positions", Counted(model.positions))
    np.testing.assert_allclose(
        lazy_transform(change, model).vectors[[3, 5]], whole[[3, 5]], rtol=1e-6
    )
    assert len(change.placed) > 20
    assert not asked


@pytest.mark.parametrize(
    ("more", "held"), [(0, True), (-1, False), (None, True)], ids=["enough", "one short", "unsaid"]
)
def test_vectors_are_held_up_to_an_eighth_of_what_is_free(
    monkeypatch: pytest.MonkeyPatch, more: int | None, held: bool
) -> None:
    model = embedding(dtype="float16")  # which is moved to float32: twice the bytes
    change = LinearProjection().fit(model, concept())
    free = None if more is None else 8 * 4 * len(model) * model.dimensions + more
    monkeypatch.setattr(moved_vectors, "available_memory", lambda: free)
    moved = transform_within_memory(change, model)
    assert isinstance(moved.vectors, np.ndarray) is held
    (axis,) = change.move.tensors()["basis"]
    start = model.rows(["neutral3"])[0]
    np.testing.assert_allclose(moved.rows(["neutral3"])[0], start - start @ axis * axis, atol=1e-6)
