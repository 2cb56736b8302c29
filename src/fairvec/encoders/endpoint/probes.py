"""What an endpoint is asked before an audit, and what its replies to that show.

The vectors of a few texts are the fingerprint of its model, and how far they move from request to
request is its own noise: a difference within that is no finding.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import cycle, islice
from typing import Any, NamedTuple

import numpy as np

from fairvec.encoders.encoder import PROBE_TEXTS
from fairvec.encoders.endpoint.protocol import Embeddings, Encoding
from fairvec.geometry import FloatArray

FIRST = PROBE_TEXTS[0]
SAME = PROBE_TEXTS[10]
"""The text that is sent alone, twice."""
REQUESTS = 10
"""About how many requests the probes are."""
LENGTHS = (64, 256, 1024)
"""Words of the heads by which a silent cut is found."""
NO_MODEL = "fairvec-asks-for-no-such-model"
LARGEST_NOISE = 4.0
"""A difference beyond so many times the noise is one of the model."""
ROUNDING = 1e-5
"""Relative difference that other versions of a server's libraries make, and no other model."""
DIGITS = 6
"""Decimals of the similarities in a record."""
_AGREEMENT = 1e-3
"""Relative difference within which floats and base64 are the same numbers."""

_HEAD = ("time", "people", "way", "day", "thing", "world", "school", "state", "family", "group")
_TAIL = ("water", "music", "river", "garden", "engine", "colour", "letter", "market", "forest")


class ProbeCalls(NamedTuple):
    """How an endpoint is asked.

    `ask` is one request, `read` may be several, `try_read` gives None for texts that are refused,
    and `knows` says whether there is a model of a name, None where that cannot be told.
    """

    ask: Callable[[Sequence[str], Encoding], Embeddings]
    read: Callable[[Sequence[str]], FloatArray]
    try_read: Callable[[Sequence[str]], FloatArray | None]
    knows: Callable[[str], bool | None]


@dataclass(frozen=True, eq=False)
class Probes:
    """What the replies show; `rows` are the vectors of PROBE_TEXTS."""

    rows: FloatArray
    encoding: Encoding
    served_as: str
    repeat: float
    in_batch: float
    cut: int | None
    refused: int | None
    whole: int
    model_matters: bool | None

    @property
    def noise(self) -> float:
        """The largest relative difference between two vectors of one text."""
        return max(self.repeat, self.in_batch)

    @property
    def tolerance(self) -> float:
        """The relative difference that two vectors of one model may have."""
        return LARGEST_NOISE * self.noise + ROUNDING

    @property
    def record(self) -> dict[str, Any]:
        """The same as plain values, with the similarities of the probe texts."""
        norms = np.linalg.norm(self.rows.astype(np.float64), axis=1)
        return {
            "encoding": self.encoding,
            "served_as": self.served_as,
            "repeat": self.repeat,
            "in_batch": self.in_batch,
            "cut_within_words": self.cut,
            "refused_words": self.refused,
            "whole_words": self.whole,
            "model_matters": self.model_matters,
            "shortest": float(norms.min()),
            "longest": float(norms.max()),
            "similarities": similarities(self.rows),
        }


def run_probes(calls: ProbeCalls, encoding: Encoding) -> Probes:
    """Ask an endpoint what shows how it treats texts, in about REQUESTS requests."""
    rows = calls.read(PROBE_TEXTS)
    reversed_rows = calls.read(PROBE_TEXTS[::-1])[::-1]
    alone = [calls.ask([SAME], encoding) for _ in range(2)]
    in_batch = rows[[PROBE_TEXTS.index(SAME)]]
    cut, refused, whole = _length(calls, max(1e-6, distance(rows, reversed_rows)))
    return Probes(
        rows,
        encoding,
        alone[0].model,
        repeat=distance(alone[0].rows, alone[1].rows),
        in_batch=max(distance(rows, reversed_rows), distance(alone[0].rows, in_batch)),
        cut=cut,
        refused=refused,
        whole=whole,
        model_matters=_negated(calls.knows(NO_MODEL)),
    )


def same_numbers(floats: FloatArray, decoded: FloatArray) -> bool:
    """Return whether floats and base64 gave the same vectors."""
    return floats.shape == decoded.shape and distance(floats, decoded) <= _AGREEMENT


def distance(one: FloatArray, other: FloatArray) -> float:
    """Return the largest distance of two vectors of one text, relative to their length."""
    one, other = one.astype(np.float64), other.astype(np.float64)
    lengths = np.linalg.norm(one, axis=1)
    return float((np.linalg.norm(one - other, axis=1) / lengths).max())


def similarities(rows: FloatArray) -> tuple[float, ...]:
    """Return the cosine of each pair of rows."""
    unit = rows.astype(np.float64)
    unit /= np.linalg.norm(unit, axis=1, keepdims=True)
    above = np.triu_indices(len(unit), 1)
    return tuple((unit @ unit.T)[above].round(DIGITS).tolist())


def long_texts(words: int) -> tuple[str, str]:
    """Return a text of so many words, and one that goes on with as many others."""
    head = " ".join(islice(cycle(_HEAD), words))
    return head, f"{head} {' '.join(islice(cycle(_TAIL), words))}"


def _length(calls: ProbeCalls, noise: float) -> tuple[int | None, int | None, int]:
    """Return the words within which a text is cut, those that are refused, and those read whole.

    Where a long text has the vector of its first half, its second half was not read.
    """
    whole = 0
    for words in LENGTHS:
        found = calls.try_read(long_texts(words))
        if found is None:
            return None, 2 * words, whole
        if distance(found[:1], found[1:]) <= LARGEST_NOISE * noise:
            return words, None, whole
        whole = 2 * words
    return None, None, whole


def _negated(known: bool | None) -> bool | None:
    return None if known is None else not known
