"""Weights that lie elsewhere, behind links, or in parts far larger than their arrays."""

import json
import os
from collections.abc import Callable
from pathlib import Path
from shutil import copyfile

import h5py
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairvec.core.errors import FileFormatError
from fairvec.encoders.elmo import model
from fairvec.encoders.elmo.model import read_options
from fairvec.encoders.elmo.network import expected_arrays, read_weights
from tests.encoders.elmo.toy_elmo import toy_elmo, toy_options
from tests.limits import outcome

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


IMPORTED = """
import torch
from fairvec.languages.sentences import Sentence
from fairvec.encoders.open import open_encoder
torch.set_num_threads(1)
"""
ENCODED = """
encoder = open_encoder({folder!r}, keep=False)
print(encoder.encode([Sentence.alone("a" * 50 + str(n)) for n in range(300)]).shape[0])
"""


def test_wide_filters_of_a_small_file_take_their_time_and_not_the_memory(tmp_path: Path) -> None:
    letters = {"embedding": {"dim": 1}, "n_highway": 0, "max_characters_per_token": 60}
    wide = {f"char_cnn__{name}": value for name, value in letters.items()}
    options = toy_options(**wide, char_cnn__filters=[[1, 16_000]], lstm__projection_dim=1)
    said_of_it = tmp_path / "options.json"
    said_of_it.write_text(json.dumps(options), encoding="utf-8")
    with h5py.File(tmp_path / "toy_weights.hdf5", "w") as file:
        for name, shape, _ in expected_arrays(read_options(said_of_it)):
            file.create_dataset(name, shape, "f4")  # of which no number is written
    # All words at once are a gigabyte.
    encoded = ENCODED.format(folder=str(tmp_path))
    assert outcome(encoded, before=IMPORTED, megabytes=600) == "300"


@given(
    lengths=st.lists(st.integers(1, 50), min_size=1),
    of_token=st.integers(2, 2**25),
    of_sentence=st.integers(8, 2**25),
)
def test_no_more_sentences_are_read_at_once_than_there_is_room_for(
    lengths: list[int], of_token: int, of_sentence: int
) -> None:
    batches = [*model.batches(lengths, of_token, of_sentence)]
    assert sorted(number for batch in batches for number in batch) == [*range(len(lengths))]
    for batch in batches:
        longest = max(lengths[number] for number in batch) + 2
        room = len(batch) * (longest * of_token + of_sentence)
        assert len(batch) == 1 or room <= model.NUMBERS_AT_ONCE
        assert len(batch) == 1 or len(batch) * longest <= model.TOKENS_AT_ONCE
