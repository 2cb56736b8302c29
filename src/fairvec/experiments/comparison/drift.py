"""Whether the model behind an endpoint changed between two runs, by the probes of each."""

from dataclasses import dataclass
from math import inf

from fairvec.results.identities import ModelIdentity

_ROUNDING = 2e-6
"""What the decimals of recorded similarities leave open."""


@dataclass(frozen=True)
class Drift:
    """How far the similarities of probe texts moved between two runs of one endpoint.

    `largest` is the largest change of the cosine of two probe texts, infinite where the number of
    dimensions changed; `allowed` is what the endpoint's own noise explains.
    """

    model: str
    largest: float
    allowed: float

    @property
    def changed(self) -> bool:
        """Whether another model answered."""
        return self.largest > self.allowed


def drift(before: ModelIdentity, after: ModelIdentity) -> Drift | None:
    """Return how far one endpoint moved between two runs; None of what is not one endpoint.

    Two vectors of a text that are each within t of what the model gives, relative to their length,
    move a cosine by 2 t at the most.
    """
    earlier, later = before.endpoint, after.endpoint
    if earlier is None or later is None or before.encoder != after.encoder:
        return None
    allowed = 2 * max(earlier.tolerance, later.tolerance) + _ROUNDING
    sizes = {
        (identity.dimensions, len(probes.similarities))
        for identity, probes in ((before, earlier), (after, later))
    }
    pairs = zip(earlier.similarities, later.similarities, strict=False)
    moved = max((abs(new - old) for old, new in pairs), default=0.0)
    return Drift(after.name, moved if len(sizes) == 1 else inf, allowed)
