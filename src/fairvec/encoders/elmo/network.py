"""The network of an ELMo in torch, and its weights out of an HDF5 file.

Peters et al. (2018), doi:10.18653/v1/N18-1202.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import prod
from pathlib import Path

import h5py
import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from fairvec.core.errors import FileFormatError
from fairvec.core.memory import check_claimed_bytes
from fairvec.encoders.elmo.model import CHARACTERS, PADDING, CharacterIds, ElmoOptions

Weights = Mapping[str, NDArray[np.float32]]
"""The arrays under their names in the file."""

DIRECTIONS = ("RNN_0", "RNN_1")
"""Forwards, backwards."""

_REFUSED_BY_H5PY = (OSError, RuntimeError, ValueError, LookupError, TypeError)


def cell(direction: str, layer: int) -> str:
    """Return the path of the weights of a layer in the file."""
    return f"{direction}/RNN/MultiRNNCell/Cell{layer}/LSTMCell"


def read_weights(path: Path, options: ElmoOptions) -> Weights:
    """Return the weights that the options promise, in float32."""
    # An array that was never written takes no bytes of the file, and reads as zeros.
    claimed = sum(4 * prod(shape) for _, shape, needed in expected_arrays(options) if needed)
    check_claimed_bytes(
        str(path), "the arrays that its options promise", claimed, path.stat().st_size
    )
    weights = {}
    try:
        with h5py.File(path, "r") as file:
            for name, shape, needed in expected_arrays(options):
                array = _array(path, file, name, shape, needed=needed)
                if array is not None:
                    weights[name] = array
    except _REFUSED_BY_H5PY as error:
        raise FileFormatError(
            f"{path}: it cannot be read as HDF5 ({error}); fetch the weights of this ELMo again."
        ) from error
    return weights


def expected_arrays(options: ElmoOptions) -> Iterator[tuple[str, tuple[int, ...], bool]]:
    """Yield the name of each array, its shape and whether it must be there.

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
    """Raise where the path of an array has a link, which may lead to any other file."""
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
        # A compressed chunk is unpacked completely, however little of it belongs to the array.
        chunk = prod(dataset.chunks) * dataset.dtype.itemsize
        check_claimed_bytes(str(path), f"a part of {name}", chunk, path.stat().st_size)
    with np.errstate(over="ignore"):
        array = np.asarray(dataset[()], dtype=np.float32)
    if not np.isfinite(array).all():
        raise FileFormatError(f"{path}: {name} holds NaN or infinity; such an ELMo cannot be run.")
    return array


WORDS_AT_ONCE = 256
NUMBERS_AT_ONCE = 1 << 26
"""More than a batch of words of a published ELMo takes; wider ones get smaller batches."""


@dataclass(frozen=True, eq=False)
class ElmoNetwork:
    """A trained ELMo."""

    options: ElmoOptions
    weights: Weights

    @cached_property
    def _tensors(self) -> dict[str, Tensor]:
        return {name: torch.from_numpy(array) for name, array in self.weights.items()}

    @torch.inference_mode()
    def words(self, ids: CharacterIds) -> Tensor:
        """Return a row for each word, of its characters alone."""
        rows = torch.from_numpy(ids)
        letters = self.options.char_cnn
        widest = max(number for _, number in letters.filters)
        room = max(letters.features, widest * rows.shape[1])
        batch = max(1, min(WORDS_AT_ONCE, NUMBERS_AT_ONCE // room))
        starts = range(0, len(rows), batch)
        return torch.cat([self._words(rows[start : start + batch]) for start in starts])

    @torch.inference_mode()
    def layers(self, words: Tensor, lengths: Sequence[int], upto: int) -> list[Tensor]:
        """Return layers 0 to `upto` of sentences, forward and backward halves concatenated.

        `words` are (sentence, place, number), the longest sentence first; padding beyond the length
        of a sentence is never read.
        """
        layers = [torch.cat([words, words], dim=2)]
        if not upto:
            return layers
        count = torch.tensor(lengths)
        backwards = _reversed_order(count, words.shape[1])
        forward = self._direction(DIRECTIONS[0], words, count, upto)
        backward = self._direction(DIRECTIONS[1], _reorder(words, backwards), count, upto)
        for forward_rows, backward_rows in zip(forward, backward, strict=True):
            layers.append(torch.cat([forward_rows, _reorder(backward_rows, backwards)], dim=2))
        return layers

    def _words(self, ids: Tensor) -> Tensor:
        """Filters over the characters, max-pooled; highways; projection."""
        letters, tensors = self.options.char_cnn, self._tensors
        activation = {"relu": torch.relu, "tanh": torch.tanh}[letters.activation]
        # Padding is read like a letter, but one window of padding has the same maximum as many.
        longest = int((ids != PADDING).sum(dim=1).max())
        reach = longest + max(width for width, _ in letters.filters)
        characters = tensors["char_embed"][ids[:, :reach]].transpose(1, 2)
        features = []
        for n in range(len(letters.filters)):
            kernel = tensors[f"CNN/W_cnn_{n}"][0].permute(2, 1, 0)
            responses = torch.conv1d(characters, kernel, tensors[f"CNN/b_cnn_{n}"])
            features.append(activation(responses.amax(dim=2)))
        words = torch.cat(features, dim=1)
        for n in range(letters.n_highway):
            carry = torch.sigmoid(self._linear(f"CNN_high_{n}", "carry", words))
            change = torch.relu(self._linear(f"CNN_high_{n}", "transform", words))
            words = carry * change + (1 - carry) * words
        return self._linear("CNN_proj", "proj", words) if "CNN_proj/W_proj" in tensors else words

    def _linear(self, where: str, name: str, rows: Tensor) -> Tensor:
        return rows @ self._tensors[f"{where}/W_{name}"] + self._tensors[f"{where}/b_{name}"]

    def _direction(
        self, direction: str, words: Tensor, lengths: Tensor, upto: int
    ) -> Iterator[Tensor]:
        """Yield layers 1 to `upto` of one direction, in its own order of words."""
        rows = words
        for layer in range(upto):
            output = self._lstm(cell(direction, layer), rows, lengths)
            # From the second on, a layer adds to its input.
            rows = rows + output if layer and self.options.lstm.use_skip_connections else output
            yield rows

    def _lstm(self, where: str, words: Tensor, lengths: Tensor) -> Tensor:
        """Return the output of one layer, word by word, starting from an empty state.

        c = clip(f c + i j), h = clip(o tanh(c) P), with i, f, o = sigmoid (of f: plus 1) and
        j = tanh of the four quarters of [x, h] W + b, which are i, j, f, o.
        """
        tensors, lstm = self._tensors, self.options.lstm
        weights, bias = tensors[f"{where}/W_0"], tensors[f"{where}/B"]
        projection = tensors.get(f"{where}/W_P_0")
        output = words.new_zeros(words.shape)
        state = words.new_zeros(len(words), lstm.projection_dim)
        memory = words.new_zeros(len(words), lstm.dim)
        for place in range(words.shape[1]):
            alive = int((lengths > place).sum())
            inputs = torch.cat([words[:alive, place], state[:alive]], dim=1)
            i, j, f, o = torch.addmm(bias, inputs, weights).chunk(4, dim=1)
            memory = torch.sigmoid(f + 1) * memory[:alive] + torch.sigmoid(i) * torch.tanh(j)
            memory = _clip(memory, lstm.cell_clip)
            state = torch.sigmoid(o) * torch.tanh(memory)
            if projection is not None:
                state = _clip(state @ projection, lstm.proj_clip)
            output[:alive, place] = state
        return output


def _clip(numbers: Tensor, limit: float | None) -> Tensor:
    # A limit beyond the largest float clips nothing, and clamp would refuse it.
    if not limit or limit > torch.finfo(numbers.dtype).max:
        return numbers
    return numbers.clamp(-limit, limit)


def _reversed_order(lengths: Tensor, longest: int) -> Tensor:
    """Return the order that reverses each sentence within its own length."""
    places = torch.arange(longest).expand(len(lengths), longest)
    reversed_places = lengths[:, None] - 1 - places
    return torch.where(reversed_places >= 0, reversed_places, places)


def _reorder(rows: Tensor, order: Tensor) -> Tensor:
    return rows.gather(1, order[:, :, None].expand(rows.shape))
