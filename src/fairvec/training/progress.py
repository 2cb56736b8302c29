"""How far a training is: what its callback gets while a text is read, counted and trained on."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True)
class StageProgress:
    """How much of a stage is done: bytes of a file, places of the text, or epochs.

    gensim's models report when a pass begins; the pass with the number 0 reads the vocabulary.
    """

    stage: Literal["reading", "counting", "training"]
    done: int
    total: int
    file: str = ""


@dataclass(frozen=True, kw_only=True)
class EpochProgress(StageProgress):
    """A finished epoch of GloVe: its mean loss, the numbers of words and pairs, and its time."""

    loss: float
    words: int
    pairs: int
    seconds: float

    @property
    def pairs_a_second(self) -> float:
        """How many pairs were trained on in a second."""
        return self.pairs / self.seconds

    @property
    def seconds_left(self) -> float:
        """How long the epochs that are left take at this speed."""
        return self.seconds * (self.total - self.done)


Progress = Callable[[StageProgress], None]
"""Called while a training goes on."""
