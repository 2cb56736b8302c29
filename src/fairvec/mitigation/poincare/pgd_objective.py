"""What Poincaré Gender Debias minimises, word by word, before and after."""

from dataclasses import dataclass

import numpy as np

from fairvec.embedding import Embedding
from fairvec.geometry import FloatArray
from fairvec.ground.errors import SettingError
from fairvec.ground.numbers import counted
from fairvec.mitigation.moves.pgd_moves import BalanceByAdam, BalanceExactly
from fairvec.mitigation.poincare.pgd_math import objective
from fairvec.mitigation.transform.fitted import Transform

ROWS_AT_A_TIME = 4096


@dataclass(frozen=True, eq=False)
class Objectives:
    """F of each word that moves, where it was and where it went; 0 is both unmoved and neutral.

    Before, F is l2 |gamma(w)|: nothing was moved. The exact solver's `after` is the smallest there
    is, which no other solver passes.
    """

    keys: tuple[str, ...]
    before: FloatArray
    after: FloatArray

    @property
    def summary(self) -> str:
        """The means, and the word that is left with most."""
        most = int(self.after.argmax())
        return (
            f"{self.before.mean():.4g} before and {self.after.mean():.4g} after on average over "
            f"{counted(len(self.keys), 'word')}, {self.after[most]:.4g} at most ({self.keys[most]})"
        )


def objectives(transform: Transform, embedding: Embedding) -> Objectives:
    """Return F = l1 (1 - cos(w', w)) / 2 + l2 |gamma(w')| of every word that `transform` moves.

    Kumar et al. (2020), arXiv:2109.13767, equation 1.
    """
    move = transform.move
    if not isinstance(move, BalanceExactly | BalanceByAdam):
        raise SettingError(
            f"{transform.name} is no Poincaré Gender Debias, so it does not minimise that "
            "objective; fit the method pgd."
        )
    transform.check(embedding)
    keys: list[str] = []
    values = []
    for start in range(0, len(embedding), ROWS_AT_A_TIME):
        some = embedding.keys[start : start + ROWS_AT_A_TIME]
        moving = [row for row, key in enumerate(some) if key not in transform.unmoved]
        keys += (named := [some[row] for row in moving])
        before = np.asarray(embedding.vectors[start : start + len(some)], np.float64)[moving]
        after = transform.apply(before, named)
        was, now = (embedding.geometry.log0(rows) for rows in (before, after))
        values.append([objective(rows, was, move.axis, move.weights) for rows in (was, now)])
    first, last = np.concatenate(values, axis=1)
    return Objectives(tuple(keys), first, last)
