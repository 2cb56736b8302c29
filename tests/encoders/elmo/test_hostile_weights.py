"""Weights that lie elsewhere, behind links, or in parts far larger than their arrays."""

import os
from collections.abc import Callable
from pathlib import Path
from shutil import copyfile

import h5py
import pytest

from fairvec.encoders.elmo.options import read_options
from fairvec.encoders.elmo.weights import read_weights
from fairvec.ground.errors import FileFormatError
from tests.encoders.elmo.toy_elmo import toy_elmo

NAME = "char_embed"
LINKED = "lies in another file or under another name"


def to_a_pipe(file: h5py.File, beside: Path) -> None:
    """Whoever opens it waits for ever."""
    os.mkfifo(beside)
    del file[NAME]
    file[NAME] = h5py.ExternalLink(str(beside), NAME)


def to_a_file(file: h5py.File, beside: Path) -> None:
    copyfile(file.filename, beside)
    del file["CNN"]
    file["CNN"] = h5py.ExternalLink(str(beside), "CNN")


def to_itself(file: h5py.File, beside: Path) -> None:
    del file[NAME]
    file[NAME] = h5py.SoftLink(f"/{NAME}")


def outside(file: h5py.File, beside: Path) -> None:
    shape = file[NAME].shape
    beside.write_bytes(file[NAME][()].tobytes())
    del file[NAME]
    size = beside.stat().st_size
    file.create_dataset(NAME, shape, "f4", external=[(str(beside), 0, size)])


def virtual(file: h5py.File, beside: Path) -> None:
    copyfile(file.filename, beside)
    layout = h5py.VirtualLayout(file[NAME].shape, "f4")
    layout[:] = h5py.VirtualSource(str(beside), NAME, file[NAME].shape)
    del file[NAME]
    file.create_virtual_dataset(NAME, layout)


def in_a_huge_part(file: h5py.File, beside: Path) -> None:
    shape = file[NAME].shape
    del file[NAME]
    whole = {"maxshape": (None, None), "chunks": (30_000, 30_000), "compression": "gzip"}
    file.create_dataset(NAME, shape, "f4", **whole)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (to_a_pipe, LINKED),
        (to_a_file, LINKED),
        (to_itself, LINKED),
        (outside, "lies in another file, which is not opened"),
        (virtual, "lies in another file, which is not opened"),
        (in_a_huge_part, "asks for 3.6 GB for a part of char_embed"),
    ],
)
def test_only_what_the_file_itself_holds_is_read(
    change: Callable[[h5py.File, Path], None], said: str, tmp_path: Path
) -> None:
    toy_elmo(tmp_path / "elmo")
    (file,) = (tmp_path / "elmo").glob("*.hdf5")
    (said_of_it,) = (tmp_path / "elmo").glob("*options.json")
    options = read_options(said_of_it)
    assert NAME in read_weights(file, options)
    with h5py.File(file, "r+") as opened:
        change(opened, tmp_path / "beside")
    with pytest.raises(FileFormatError, match=said):
        read_weights(file, options)
