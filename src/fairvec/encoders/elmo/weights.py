"""The weights of an ELMo out of its HDF5 file, every shape checked before a number is read."""

from collections.abc import Iterator, Mapping
from math import prod
from pathlib import Path

import h5py
import numpy as np
from numpy.typing import NDArray

from fairvec.encoders.elmo.characters import CHARACTERS
from fairvec.encoders.elmo.options import ElmoOptions
from fairvec.ground.errors import FileFormatError
from fairvec.ground.machine.budget import refuse_beyond

Weights = Mapping[str, NDArray[np.float32]]
"""The arrays under their names in the file."""

DIRECTIONS = ("RNN_0", "RNN_1")
"""Forwards, backwards."""

_REFUSED_BY_H5PY = (OSError, RuntimeError, ValueError, LookupError, TypeError)


def cell(direction: str, layer: int) -> str:
    """Return where the weights of a layer lie."""
    return f"{direction}/RNN/MultiRNNCell/Cell{layer}/LSTMCell"


def read_weights(path: Path, options: ElmoOptions) -> Weights:
    """Return the weights that the options promise, in float32."""
    # An array of which no number was written takes no bytes of the file, and reads as zeros.
    asked = sum(4 * prod(shape) for _, shape, needed in promised(options) if needed)
    refuse_beyond(str(path), "the arrays that its options promise", asked, path.stat().st_size)
    found = {}
    try:
        with h5py.File(path, "r") as file:
            for name, shape, needed in promised(options):
                array = _array(path, file, name, shape, needed=needed)
                if array is not None:
                    found[name] = array
    except _REFUSED_BY_H5PY as error:
        raise FileFormatError(
            f"{path}: it cannot be read as HDF5 ({error}); fetch the weights of this ELMo again."
        ) from error
    return found


def promised(options: ElmoOptions) -> Iterator[tuple[str, tuple[int, ...], bool]]:
    """Give the name of each array, its shape and whether it must be there.

    bilm-tf leaves out a projection between equal sizes; AllenNLP always has one.
    """
    letters, lstm = options.char_cnn, options.lstm
    width, features = letters.embedding.dim, letters.features
    projected = lstm.projection_dim
    yield "char_embed", (CHARACTERS, width), True
    for n, (reach, number) in enumerate(letters.filters):
        yield f"CNN/W_cnn_{n}", (1, reach, width, number), True
        yield f"CNN/b_cnn_{n}", (number,), True
    for n in range(letters.n_highway):
        for gate in ("carry", "transform"):
            yield f"CNN_high_{n}/W_{gate}", (features, features), True
            yield f"CNN_high_{n}/b_{gate}", (features,), True
    yield "CNN_proj/W_proj", (features, projected), features != projected
    yield "CNN_proj/b_proj", (projected,), features != projected
    for direction in DIRECTIONS:
        for n in range(lstm.n_layers):
            where = cell(direction, n)
            yield f"{where}/W_0", (2 * projected, 4 * lstm.dim), True
            yield f"{where}/B", (4 * lstm.dim,), True
            yield f"{where}/W_P_0", (lstm.dim, projected), lstm.dim != projected


def _refuse_links(path: Path, file: h5py.File, name: str) -> None:
    """Raise where a link stands on the way to an array: to follow one may open any other file."""
    steps = name.split("/")
    for end in range(1, len(steps) + 1):
        link = file.get("/".join(steps[:end]), getlink=True)
        if link is None:
            return
        if not isinstance(link, h5py.HardLink):
            raise FileFormatError(
                f"{path}: {name} lies in another file or under another name, where it is not "
                "sought; fetch the weights of this ELMo again."
            )


def _array(
    path: Path, file: h5py.File, name: str, shape: tuple[int, ...], *, needed: bool
) -> NDArray[np.float32] | None:
    _refuse_links(path, file, name)
    dataset = file.get(name)
    if dataset is None and not needed:
        return None
    if not isinstance(dataset, h5py.Dataset):
        raise FileFormatError(
            f"{path}: the array {name} is missing, which the options promise; they must be those "
            "that came with these weights."
        )
    if dataset.external or dataset.is_virtual:
        raise FileFormatError(
            f"{path}: {name} lies in another file, which is not opened; fetch the weights of this "
            "ELMo again."
        )
    if dataset.shape != shape or dataset.dtype.kind != "f":
        raise FileFormatError(
            f"{path}: {name} holds {dataset.dtype} of shape {dataset.shape} where the options "
            f"promise floating-point numbers of shape {shape}; they must be those that came with "
            "these weights."
        )
    if dataset.chunks is not None:
        # One that is packed is unpacked whole, however little of it is an array.
        chunk = prod(dataset.chunks) * dataset.dtype.itemsize
        refuse_beyond(str(path), f"a part of {name}", chunk, path.stat().st_size)
    with np.errstate(over="ignore"):
        array = np.asarray(dataset[()], dtype=np.float32)
    if not np.isfinite(array).all():
        raise FileFormatError(f"{path}: {name} holds NaN or infinity; such an ELMo cannot be run.")
    return array
