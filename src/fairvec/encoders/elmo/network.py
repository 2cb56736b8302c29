"""The sums of an ELMo, in torch: characters to words, words to sentences.

Peters et al. (2018), doi:10.18653/v1/N18-1202.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import torch
from torch import Tensor

from fairvec.encoders.elmo.characters import PADDING, CharacterIds
from fairvec.encoders.elmo.options import ElmoOptions
from fairvec.encoders.elmo.weights import DIRECTIONS, Weights, cell

WORDS_AT_ONCE = 256
NUMBERS_AT_ONCE = 1 << 26
"""More than a published ELMo ever has at once; of wider ones fewer words are read at once."""


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
        some = max(1, min(WORDS_AT_ONCE, NUMBERS_AT_ONCE // room))
        starts = range(0, len(rows), some)
        return torch.cat([self._words(rows[start : start + some]) for start in starts])

    @torch.inference_mode()
    def layers(self, words: Tensor, lengths: Sequence[int], upto: int) -> list[Tensor]:
        """Return layers 0 to `upto` of sentences, forward half beside backward half.

        `words` are (sentence, place, number), the longest sentence first; whatever stands beyond a
        sentence's length is never read, so that padding cannot change anything.
        """
        found = [torch.cat([words, words], dim=2)]
        if not upto:
            return found
        count = torch.tensor(lengths)
        backwards = _own_ends(count, words.shape[1])
        forward = self._direction(DIRECTIONS[0], words, count, upto)
        backward = self._direction(DIRECTIONS[1], _reordered(words, backwards), count, upto)
        for one, other in zip(forward, backward, strict=True):
            found.append(torch.cat([one, _reordered(other, backwards)], dim=2))
        return found

    def _words(self, ids: Tensor) -> Tensor:
        """Filters over the characters, the largest answer of each; highways; projection."""
        letters, held = self.options.char_cnn, self._tensors
        activation = {"relu": torch.relu, "tanh": torch.tanh}[letters.activation]
        # Padding is read like a letter, but one window that is all padding tells as much as many.
        longest = int((ids != PADDING).sum(dim=1).max())
        reach = longest + max(width for width, _ in letters.filters)
        characters = held["char_embed"][ids[:, :reach]].transpose(1, 2)
        answers = []
        for n in range(len(letters.filters)):
            kernel = held[f"CNN/W_cnn_{n}"][0].permute(2, 1, 0)
            seen = torch.conv1d(characters, kernel, held[f"CNN/b_cnn_{n}"])
            answers.append(activation(seen.amax(dim=2)))
        words = torch.cat(answers, dim=1)
        for n in range(letters.n_highway):
            carry = torch.sigmoid(self._linear(f"CNN_high_{n}", "carry", words))
            change = torch.relu(self._linear(f"CNN_high_{n}", "transform", words))
            words = carry * change + (1 - carry) * words
        return self._linear("CNN_proj", "proj", words) if "CNN_proj/W_proj" in held else words

    def _linear(self, where: str, name: str, rows: Tensor) -> Tensor:
        return rows @ self._tensors[f"{where}/W_{name}"] + self._tensors[f"{where}/b_{name}"]

    def _direction(
        self, direction: str, words: Tensor, lengths: Tensor, upto: int
    ) -> Iterator[Tensor]:
        """Give layers 1 to `upto` of one direction, in its own order of words."""
        rows = words
        for layer in range(upto):
            given = self._lstm(cell(direction, layer), rows, lengths)
            # From the second on, a layer adds to what it was given.
            rows = rows + given if layer and self.options.lstm.use_skip_connections else given
            yield rows

    def _lstm(self, where: str, words: Tensor, lengths: Tensor) -> Tensor:
        """Return what one layer gives, word by word, from an empty state on.

        c = clip(f c + i j), h = clip(o tanh(c) P), with i, f, o = sigmoid (of f: plus 1) and
        j = tanh of the four quarters of [x, h] W + b, which are i, j, f, o.
        """
        held, lstm = self._tensors, self.options.lstm
        weights, bias = held[f"{where}/W_0"], held[f"{where}/B"]
        projection = held.get(f"{where}/W_P_0")
        given = words.new_zeros(words.shape)
        state = words.new_zeros(len(words), lstm.projection_dim)
        memory = words.new_zeros(len(words), lstm.dim)
        for place in range(words.shape[1]):
            alive = int((lengths > place).sum())
            seen = torch.cat([words[:alive, place], state[:alive]], dim=1)
            i, j, f, o = torch.addmm(bias, seen, weights).chunk(4, dim=1)
            memory = torch.sigmoid(f + 1) * memory[:alive] + torch.sigmoid(i) * torch.tanh(j)
            memory = _clipped(memory, lstm.cell_clip)
            state = torch.sigmoid(o) * torch.tanh(memory)
            if projection is not None:
                state = _clipped(state @ projection, lstm.proj_clip)
            given[:alive, place] = state
        return given


def _clipped(numbers: Tensor, limit: float | None) -> Tensor:
    # A limit past the largest number cuts nothing off, and clamp would not take it.
    if not limit or limit > torch.finfo(numbers.dtype).max:
        return numbers
    return numbers.clamp(-limit, limit)


def _own_ends(lengths: Tensor, longest: int) -> Tensor:
    """Return the order that turns each sentence round within its own length."""
    places = torch.arange(longest).expand(len(lengths), longest)
    turned = lengths[:, None] - 1 - places
    return torch.where(turned >= 0, turned, places)


def _reordered(rows: Tensor, order: Tensor) -> Tensor:
    return rows.gather(1, order[:, :, None].expand(rows.shape))
