"""What goes through the pairs: the processor's threads, or a GPU."""

from importlib.util import find_spec
from typing import Literal, Protocol

import numpy as np

from fairvec.encoders.transformer.device import has_gpu
from fairvec.ground.errors import MissingExtraError, SettingError
from fairvec.ground.settings import check_choice
from fairvec.training.glove.arranging import ArrangedPairs
from fairvec.training.glove.models import Arrays, GloveKind, blocks_for
from fairvec.training.glove.rounds import RoundsOnCpu

Engine = Literal["cpu", "gpu"]
EngineChoice = Literal["auto", "cpu", "gpu"]


class Rounds(Protocol):
    """Goes through all pairs, again and again, and holds what is learnt."""

    def epoch(self, generator: np.random.Generator) -> float:
        """Go once through all pairs, the rounds in a random order, and return the mean loss."""
        ...

    def arrays(self) -> Arrays:
        """Return what was learnt so far."""
        ...

    def close(self) -> None:
        """Let threads and memory go."""
        ...


def engine_of(asked: str = "auto") -> Engine:
    """Return the engine that is asked for; auto is the GPU where torch and triton can use one."""
    check_choice("engine", asked, EngineChoice)
    if asked == "cpu":
        return "cpu"
    lacking = [name for name in ("torch", "triton") if find_spec(name) is None]
    if not lacking and has_gpu():
        return "gpu"
    if asked == "auto":
        return "cpu"
    if lacking:
        raise MissingExtraError("Training on a GPU", "train")
    raise SettingError(
        "torch finds no GPU with CUDA on this machine; take the processor (--engine cpu)."
    )


def blocks_of_words(engine: Engine, words: int, pairs: int, kind: GloveKind) -> int:
    """Return into how many blocks an engine wants the words dealt."""
    if engine == "cpu":
        return blocks_for(words, kind.bytes_a_word)
    from fairvec.training.glove.gpu import blocks_on_gpu

    return blocks_on_gpu(words, pairs)


def rounds_on(
    engine: Engine, pairs: ArrangedPairs, model: GloveKind, arrays: Arrays, threads: int
) -> Rounds:
    """Return an engine that is ready to go through the pairs, from these arrays."""
    if engine == "cpu":
        return RoundsOnCpu(pairs, model, arrays, threads)
    from fairvec.training.glove.gpu import RoundsOnGpu

    return RoundsOnGpu(pairs, model, arrays)
