"""Debiasing from file to file: the same result, the input untouched, the memory bounded."""

import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from fairvec.core.errors import SettingError
from fairvec.embedding import Embedding, load, save
from fairvec.embedding.formats import WRITERS
from fairvec.mitigation import HardDebiasing, LinearProjection, save_transform
from fairvec.mitigation.out_of_core import LINES_BYTES, check_file_fits, debias_file
from tests.mitigation.toys import concept, embedding

PLENTY = 10**10
ENDINGS = [writer.suffixes[0] for writer in WRITERS]


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


def test_too_little_memory_is_said_before_anything_is_written(tmp_path: Path) -> None:
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
