"""From counts to vectors: pairs are arranged for an engine, trained, and put in order again."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fairvec.ground.errors import SettingError
from fairvec.training.counting.cooccurrences import Cooccurrences
from fairvec.training.glove.arranging import ArrangedPairs, arranged
from fairvec.training.glove.engines import Engine, blocks_of_words
from fairvec.training.glove.first_words import among_first, begun_with
from fairvec.training.glove.models import Arrays, GloveKind, PoincareGlove
from fairvec.training.glove.training import EpochDone, train


@dataclass(frozen=True)
class Learning:
    """How vectors are learnt from counts, and where the state of it is kept."""

    kind: GloveKind
    seed: int
    threads: int
    engine: Engine
    work: Path
    kept: Path | None
    identity: str
    told: Callable[[EpochDone], None] | None = None

    def vectors_of(self, counted: Cooccurrences) -> NDArray[Any]:
        """Return the vectors of the words, in their order."""
        kind, start = self.kind, None
        pairs = self._arranged(counted, "pairs")
        if isinstance(kind, PoincareGlove) and kind.init_words:
            few = among_first(counted, kind.init_words, self.work / "first-counts")
            first = self._arranged(few, "first-pairs")
            learnt = self._trained(first, replace(kind, init_words=None), "first-words")
            start = begun_with(learnt, first.slots, kind, pairs.slots, self.seed)
        arrays = self._trained(pairs, kind, "checkpoint", start)
        vectors: NDArray[np.floating[Any]] = kind.vectors(arrays)[pairs.slots]
        return vectors

    def _arranged(self, counted: Cooccurrences, called: str) -> ArrangedPairs:
        if not counted.pairs:
            raise SettingError(
                f"No two of the {len(counted):,} words that are trained first stand in one line; "
                "take more of them, or leave it out."
            )
        kind = self.kind
        return arranged(
            counted,
            self.work / called,
            blocks=blocks_of_words(self.engine, len(counted), counted.pairs, kind),
            largest=kind.x_max,
            power=kind.alpha,
            seed=self.seed,
        )

    def _trained(
        self, pairs: ArrangedPairs, kind: GloveKind, called: str, start: Arrays | None = None
    ) -> Arrays:
        arrays, _ = train(
            pairs,
            kind,
            len(pairs.slots),
            seed=self.seed,
            threads=self.threads,
            engine=self.engine,
            start=start,
            checkpoint=self.kept / f"{called}.safetensors" if self.kept else None,
            identity=self.identity,
            told=self.told,
        )
        return arrays
