"""p-values that are asked more than once: the same words regrouped by the same rules."""

from collections.abc import Sequence
from typing import Any

from fairvec.geometry import FloatArray
from fairvec.results import PValue
from fairvec.stats import Sides, Ties, permutation_tests

_Rules = tuple[Sides, Ties]
_Asked = tuple[bytes, bytes, tuple[tuple[str, Any], ...], _Rules]


class PValues:
    """The permutation p-values of one piece of work, each of them computed once.

    p depends on the leanings of the words and on the rules of the test alone. Whatever an effect is
    divided by, and whatever is asked beside it, the p of the same numbers is the same.
    """

    def __init__(self) -> None:
        self._known: dict[_Asked, PValue] = {}

    def of(
        self, x: FloatArray, y: FloatArray, rules: Sequence[_Rules], **settings: Any
    ) -> list[PValue]:
        """Return the p-values of two lists of leanings, asked as in `permutation_tests`."""
        words = (x.tobytes(), y.tobytes(), tuple(sorted(settings.items())))
        unknown = [each for each in dict.fromkeys(rules) if (*words, each) not in self._known]
        found = permutation_tests(x, y, unknown, **settings)
        for each, p in zip(unknown, found, strict=True):
            self._known[*words, each] = PValue.model_validate(p, from_attributes=True)
        return [self._known[*words, each] for each in rules]
