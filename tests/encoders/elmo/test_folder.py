import json
import pickle
from collections.abc import Callable
from pathlib import Path
from typing import Any

import h5py
import numpy as np
import pytest

from fairvec.core.errors import FileFormatError
from fairvec.encoders.base import AS_GIVEN
from fairvec.encoders.elmo import read_elmo, recognises
from fairvec.languages.sentences import Sentence
from tests.encoders.elmo.toy_elmo import toy_arrays, toy_elmo, toy_options, write_elmo

A = [Sentence.alone("a")]
CELL = "RNN_1/RNN/MultiRNNCell/Cell1/LSTMCell"


class Trap:
    """What must never be unpickled."""

    def __reduce__(self) -> tuple[Callable[..., Any], tuple[str]]:
        return pytest.fail, ("a pickle was read",)


@pytest.fixture
def toy(tmp_path: Path) -> Path:
    return toy_elmo(tmp_path / "toy")


def test_the_folder_of_an_elmo_is_recognised(toy: Path, tmp_path: Path) -> None:
    assert recognises(toy)
    assert not recognises(tmp_path)
    assert not recognises(tmp_path / "absent")
    assert not recognises(toy / "options.json")
    (tmp_path / "options.json").write_text('{"lstm": {}}')
    assert not recognises(tmp_path)


def test_the_names_under_which_elmos_are_published_are_known(toy: Path) -> None:
    expected = read_elmo(toy, AS_GIVEN).encode(A)
    (toy / "options.json").rename(toy / "elmo_small_options.json")
    (toy / "toy_weights.hdf5").rename(toy / "model.hdf5")
    assert recognises(toy)
    np.testing.assert_array_equal(read_elmo(toy, AS_GIVEN).encode(A), expected)


def test_weights_are_told_from_other_files_by_name(toy: Path) -> None:
    (toy / "vocab_embedding.hdf5").write_bytes(b"")
    assert read_elmo(toy, AS_GIVEN).weights_file.name == "toy_weights.hdf5"
    (toy / "more_weights.hdf5").write_bytes(b"")
    with pytest.raises(FileFormatError, match=r"there are more_weights.hdf5, toy_weights.hdf5\."):
        read_elmo(toy, AS_GIVEN)


def test_a_missing_file_is_named(toy: Path) -> None:
    (toy / "toy_weights.hdf5").unlink()
    assert recognises(toy)
    with pytest.raises(FileFormatError, match=r"toy: an ELMo needs its weights .* there is none"):
        read_elmo(toy, AS_GIVEN)
    (toy / "options.json").unlink()
    with pytest.raises(FileFormatError, match=r"toy: an ELMo needs one options.json"):
        read_elmo(toy, AS_GIVEN)


@pytest.mark.parametrize("name", ["weights.pkl", "weights.th", "pytorch_model.bin"])
def test_pickled_weights_are_no_weights(toy: Path, name: str) -> None:
    (toy / "toy_weights.hdf5").unlink()
    (toy / name).write_bytes(pickle.dumps(Trap()))
    with pytest.raises(FileFormatError, match="no other format is read"):
        read_elmo(toy, AS_GIVEN)


@pytest.mark.parametrize("content", [pickle.dumps(Trap()), b"", b"\x89HDF\r\n\x1a\n", b"text"])
def test_what_is_not_hdf5_is_named(toy: Path, content: bytes) -> None:
    (toy / "toy_weights.hdf5").write_bytes(content)
    with pytest.raises(FileFormatError, match=r"toy_weights.hdf5: it cannot be read as HDF5"):
        read_elmo(toy, AS_GIVEN).encode(A)


@pytest.mark.parametrize("kept", [0.02, 0.3, 0.6, 0.9])
def test_weights_cut_short_are_named(toy: Path, kept: float) -> None:
    weights = toy / "toy_weights.hdf5"
    content = weights.read_bytes()
    weights.write_bytes(content[: int(kept * len(content))])
    with pytest.raises(FileFormatError, match=r"toy_weights.hdf5: it cannot be read as HDF5"):
        read_elmo(toy, AS_GIVEN).encode(A)


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("", "Invalid JSON"),
        ("{'char_cnn'", "Invalid JSON"),
        ("[]", "should be an object"),
        ('{"lstm": {}}', "char_cnn: Field required"),
        ("\ud800", "this is not UTF-8"),
    ],
)
def test_options_that_are_none_are_named(toy: Path, content: str, said: str) -> None:
    (toy / "options.json").write_bytes(content.encode("utf-8", "surrogatepass"))
    with pytest.raises(FileFormatError, match=said) as caught:
        read_elmo(toy, AS_GIVEN)
    assert "options.json" in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("lstm__dim", "7"),
        ("lstm__dim", 0),
        ("lstm__dim", 100_000),
        ("lstm__projection_dim", 100_000),
        ("char_cnn__filters", [[1, 100_000]]),
        ("lstm__n_layers", 0),
        ("lstm__n_layers", 10**9),
        ("lstm__projection_dim", -4),
        ("lstm__cell_clip", -1),
        ("lstm__use_skip_connections", "yes"),
        ("char_cnn__activation", "gelu"),
        ("char_cnn__filters", []),
        ("char_cnn__filters", [[2]]),
        ("char_cnn__filters", [[13, 4]]),
        ("char_cnn__n_characters", 300),
        ("char_cnn__max_characters_per_token", 2),
        ("char_cnn__embedding", {}),
    ],
)
def test_options_out_of_range_are_named(toy: Path, field: str, value: object) -> None:
    (toy / "options.json").write_text(json.dumps(toy_options(**{field: value})))
    with pytest.raises(FileFormatError, match=field.partition("__")[0]) as caught:
        read_elmo(toy, AS_GIVEN)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("name", [*toy_arrays(toy_options())])
def test_every_array_that_is_missing_or_of_another_shape_is_named(
    tmp_path: Path, name: str
) -> None:
    arrays = toy_arrays(toy_options())
    less = {other: array for other, array in arrays.items() if other != name}
    wrong = {**arrays, name: arrays[name][..., :-1]}
    for number, (some, said) in enumerate(((less, "is missing"), (wrong, "of shape"))):
        elmo = read_elmo(write_elmo(tmp_path / str(number), toy_options(), dict(some)), AS_GIVEN)
        with pytest.raises(FileFormatError, match=f"{name} .*{said}"):
            elmo.encode(A)


def test_arrays_that_are_no_numbers_are_named(tmp_path: Path) -> None:
    name = f"{CELL}/B"
    arrays: dict[str, Any] = dict(toy_arrays(toy_options()))
    for number, (array, said) in enumerate(
        [
            (np.zeros(28, "i8"), "holds int64 of shape"),
            (np.array([b"x"] * 28), "holds .S1"),
            (np.full(28, np.nan, "f4"), "NaN or infinity"),
            (np.full(28, 1e300), "NaN or infinity"),
        ]
    ):
        folder = write_elmo(tmp_path / str(number), toy_options(), {**arrays, name: array})
        with pytest.raises(FileFormatError, match=said):
            read_elmo(folder, AS_GIVEN).encode(A)


def test_an_array_in_the_place_of_a_group_is_named(tmp_path: Path) -> None:
    arrays: dict[str, Any] = dict(toy_arrays(toy_options()))
    arrays = {name: array for name, array in arrays.items() if not name.startswith("CNN_proj")}
    folder = write_elmo(tmp_path, toy_options(), {**arrays, "CNN_proj": np.zeros(3)})
    with pytest.raises(FileFormatError, match="CNN_proj/W_proj is missing"):
        read_elmo(folder, AS_GIVEN).encode(A)


def test_other_floating_types_are_read(tmp_path: Path) -> None:
    arrays = toy_arrays(toy_options())
    expected = read_elmo(write_elmo(tmp_path / "f4", toy_options()), AS_GIVEN).encode(A)
    for kind in ("<f8", ">f4"):
        changed = {name: array.astype(kind) for name, array in arrays.items()}
        folder = write_elmo(tmp_path / f"changed-{kind[1:]}", toy_options(), changed)
        np.testing.assert_array_equal(read_elmo(folder, AS_GIVEN).encode(A), expected)


def test_what_else_lies_in_the_file_is_left_alone(toy: Path) -> None:
    expected = read_elmo(toy, AS_GIVEN).encode(A)
    with h5py.File(toy / "toy_weights.hdf5", "a") as file:
        file["global_step"] = 7
    np.testing.assert_array_equal(read_elmo(toy, AS_GIVEN).encode(A), expected)
