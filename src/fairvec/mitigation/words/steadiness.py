"""How much a direction hangs on single pairs of words."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from fairvec.geometry import FloatArray
from fairvec.geometry.directions import shares_of_components
from fairvec.ground.errors import UndefinedError

Sets = Sequence[tuple[str, ...]]

STEADINESS = "steadiness"
"""The remark of a transform that says how steady its directions are."""


@dataclass(frozen=True)
class DirectionSteadiness:
    """How well a direction, or the subspace of k, is found again without one of its pairs.

    `cosines` has the |cosine| between what is found without a pair (a set, a word of a list) and
    what all give, of two subspaces that of their largest angle. 1: the pair makes no difference; 0:
    without it there is another direction, or none. `explained` is the share of the k components in
    what the words of a pair differ in; None of a direction that is no principal component. Near 1
    all pairs differ in the same; n pairs that have nothing in common give 1/n.
    """

    kind: str
    count: int
    k: int
    explained: float | None
    cosines: Mapping[str, float]

    @property
    def said(self) -> str:
        """The same in words."""
        if not self.cosines:
            return "rests on one pair alone, which no other confirms"
        about = ""
        if self.explained is not None:
            first = "component holds" if self.k == 1 else f"{self.k} components hold"
            about = f"the first {first} {self.explained:.0%} of what {self.kind} differ in; "
        low, high = (choose(self.cosines, key=self.cosines.__getitem__) for choose in (min, max))
        return (
            f"{about}with one of {self.count} {self.kind} left out the |cosine| with this "
            f"direction is {self.cosines[low]:.3f} (without {low}) to {self.cosines[high]:.3f} "
            f"(without {high})"
        )


def steadiness(
    found: FloatArray,
    sets: Sets,
    taken: Callable[[Sets], FloatArray],
    explained: float | None = None,
) -> DirectionSteadiness:
    """Leave out one pair or set after the other, or one word of a list, and compare.

    `found` is what `taken` makes of all of them: a direction, or a basis of orthonormal rows.
    """
    listed = len(sets) == 1 and len(sets[0]) > 2
    parts: Sets = [(key,) for key in sets[0]] if listed else sets
    cosines: dict[str, float] = {}
    if len(parts) > 1:
        for number, part in enumerate(parts):
            left = [*parts[:number], *parts[number + 1 :]]
            again = [tuple(key for (key,) in left)] if listed else left
            cosines["-".join(part)] = _cosine(found, again, taken)
    kind = "words" if listed else "pairs" if all(len(each) == 2 for each in sets) else "sets"
    return DirectionSteadiness(kind, len(parts), len(np.atleast_2d(found)), explained, cosines)


def explained_by(sets: Sequence[FloatArray], k: int = 1) -> float:
    """Return the share of the first k principal components of sets centred at their means."""
    centred = np.concatenate([each - each.mean(axis=0) for each in sets])
    return float(shares_of_components(centred)[:k].sum())


def _cosine(found: FloatArray, sets: Sets, taken: Callable[[Sets], FloatArray]) -> float:
    try:
        again = taken(sets)
    except UndefinedError:
        return 0.0
    products = np.atleast_2d(found) @ np.atleast_2d(again).T
    return float(min(1.0, np.linalg.svd(products, compute_uv=False).min()))
