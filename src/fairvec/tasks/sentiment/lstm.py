"""The LSTM classifier in torch: training and prediction on frozen word vectors."""

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from threading import Lock, RLock

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn.utils.rnn import pad_sequence

from fairvec.core.numeric import IntArray
from fairvec.encoders.transformer.loading import has_gpu
from fairvec.geometry import FloatArray
from fairvec.tasks.sentiment.classifiers import EncodedTexts, LstmNetwork

PREDICTION_BATCH = 256
_global_generator = Lock()
_gpu = RLock()


class _Layers(nn.Module):
    """Word vectors of a batch, padded behind, to one number a review."""

    def __init__(self, dimensions: int, settings: LstmNetwork) -> None:
        super().__init__()
        self.recurrent = nn.LSTM(dimensions, settings.units, batch_first=True)
        self.dense = nn.Linear(settings.units, settings.dense)
        self.last = nn.Linear(settings.dense, 1)
        self._initialize_as_keras(settings.units)

    def _initialize_as_keras(self, units: int) -> None:
        """Glorot's uniform weights, an orthogonal state, and gates that begin by remembering."""
        cell = dict(self.recurrent.named_parameters())
        for layer in (self.dense, self.last):
            nn.init.xavier_uniform_(layer.weight)
            nn.init.zeros_(layer.bias)
        nn.init.xavier_uniform_(cell["weight_ih_l0"])
        nn.init.orthogonal_(cell["weight_hh_l0"])
        nn.init.zeros_(cell["bias_ih_l0"])
        nn.init.zeros_(cell["bias_hh_l0"])
        with torch.no_grad():
            cell["bias_ih_l0"][units : 2 * units] = (
                1  # torch orders the gates in, forget, cell, out
            )

    def forward(self, words: Tensor, lengths: Tensor) -> Tensor:
        states, _ = self.recurrent(words)
        ends: Tensor = states[torch.arange(len(words), device=words.device), lengths - 1]
        logits: Tensor = self.last(torch.relu(self.dense(ends)))
        return logits[:, 0]


@dataclass(frozen=True, eq=False)
class TrainedLstm:
    """A trained network."""

    layers: _Layers
    settings: LstmNetwork

    @torch.inference_mode()
    def predict(self, texts: EncodedTexts) -> FloatArray:
        """Return P(positive) of each text; each must have a known token."""
        device = next(self.layers.parameters()).device
        table = torch.from_numpy(texts.table).to(device)
        truncated = _truncate(texts, self.settings.length)
        # Texts of like length together, so that little is padded.
        order = np.argsort([len(text) for text in truncated], kind="stable")
        probabilities = np.empty(len(truncated))
        with one_thread():
            for start in range(0, len(truncated), PREDICTION_BATCH):
                batch = order[start : start + PREDICTION_BATCH]
                logits = self.layers(*_batch(table, [truncated[index] for index in batch]))
                probabilities[batch] = torch.sigmoid(logits.double()).cpu().numpy()
        return probabilities


def train_lstm(
    texts: EncodedTexts,
    positive: NDArray[np.bool_],
    settings: LstmNetwork,
    seed: int,
    on_epoch: Callable[[], None] | None = None,
) -> TrainedLstm:
    """Train the network on reviews that each have a known token; the same seed, the same network.

    That holds on one machine with one version of torch, whatever else is trained at the same time.
    A GPU is used where there is one, else one core.
    """
    device = torch.device("cuda" if has_gpu() else "cpu")
    with _reproducible(device):
        layers, draws = _initialize(texts.table.shape[1], settings, seed)
        layers = layers.to(device)
        table = torch.from_numpy(texts.table).to(device)
        labels = torch.from_numpy(positive.astype(np.float32)).to(device)
        truncated = _truncate(texts, settings.length)
        optimizer = torch.optim.Adam(layers.parameters(), lr=settings.rate)
        for _ in range(settings.epochs):
            order = torch.randperm(len(truncated), generator=draws)
            for batch in torch.split(order, settings.batch):
                words, lengths = _batch(table, [truncated[index] for index in batch.tolist()])
                logits = layers(_drop_coordinates(words, settings.dropout, draws), lengths)
                targets = labels[batch.to(device)]
                loss = nn.functional.binary_cross_entropy_with_logits(logits, targets)
                optimizer.zero_grad()
                loss.backward()  # type: ignore[no-untyped-call]
                optimizer.step()
            if on_epoch:
                on_epoch()
    return TrainedLstm(layers.eval(), settings)


def _initialize(
    dimensions: int, settings: LstmNetwork, seed: int
) -> tuple[_Layers, torch.Generator]:
    """Return a network as it starts, and the generator of all that is drawn after that.

    torch draws first weights from its global generator alone, which is left as it was.
    """
    draws = torch.Generator()  # on the CPU, so that what is drawn does not depend on the device
    with _global_generator, torch.random.fork_rng(devices=[]):
        torch.default_generator.manual_seed(seed)
        layers = _Layers(dimensions, settings)
        draws.set_state(torch.get_rng_state())
    return layers, draws


def _drop_coordinates(words: Tensor, rate: float, draws: torch.Generator) -> Tensor:
    """Zero a share of the coordinates, the same ones all through a review."""
    if not rate:
        return words
    mask = torch.rand(len(words), 1, words.shape[2], generator=draws) >= rate
    return words * mask.to(words.device) / (1 - rate)


def _truncate(texts: EncodedTexts, length: int | None) -> list[IntArray]:
    return [text[-length:] if length else text for text in texts.texts]


def _batch(table: Tensor, texts: list[IntArray]) -> tuple[Tensor, Tensor]:
    words = pad_sequence([torch.from_numpy(text) for text in texts], batch_first=True)
    lengths = torch.tensor([len(text) for text in texts])
    return table[words.to(table.device)], lengths.to(table.device)


_threads_before: list[int] = []
_threads_lock = Lock()


@contextmanager
def one_thread() -> Iterator[None]:
    """Compute on one core, which gives sums one order; a small network gains little from more.

    torch keeps the number for each thread and for those to come: whoever ends last restores both.
    """
    with _threads_lock:
        before = _threads_before[0] if _threads_before else torch.get_num_threads()
        _threads_before.append(before)
        torch.set_num_threads(1)
    try:
        yield
    finally:
        with _threads_lock:
            _threads_before.pop()
            torch.set_num_threads(before)


@contextmanager
def _reproducible(device: torch.device) -> Iterator[None]:
    """Make sums on a GPU repeat, one training at a time; on the CPU one thread suffices."""
    if device.type == "cpu":
        with one_thread():
            yield
        return
    # Else cuBLAS may add in another order each time.
    os.environ.setdefault("CUBLAS_WORKSPACE_CONFIG", ":4096:8")
    with _gpu:
        was_deterministic = torch.are_deterministic_algorithms_enabled()
        torch.use_deterministic_algorithms(True)
        try:
            yield
        finally:
            torch.use_deterministic_algorithms(was_deterministic)
