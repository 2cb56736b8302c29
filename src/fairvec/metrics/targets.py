"""The words a metric looks at one by one: the list `words` of a test, or else x and y together."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from fairvec.geometry import FloatArray
from fairvec.lexicon import Found, Groups
from fairvec.metrics.score import WordShare


@dataclass(frozen=True, eq=False)
class Targets:
    """Words, the role of each and one vector each."""

    found: tuple[Found, ...]
    roles: tuple[str, ...]
    vectors: FloatArray

    def shares(self, leanings: Sequence[float] | FloatArray) -> tuple[WordShare, ...]:
        """Return each word with its number."""
        return tuple(
            WordShare(found, role, float(leaning), None)
            for found, role, leaning in zip(self.found, self.roles, leanings, strict=True)
        )


def targets(groups: Groups) -> Targets:
    """Return the words of a test that a metric looks at."""
    lists = groups.filling("words")
    return Targets(
        found=tuple(found for group in lists for found in group.found),
        roles=tuple(group.role for group in lists for _ in group.found),
        vectors=np.concatenate([group.vectors for group in lists]),
    )
