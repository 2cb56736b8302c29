"""How large an effect is, in words."""

from typing import Literal, get_args

Size = Literal["negligible", "small", "medium", "large"]

BOUNDS = (0.2, 0.5, 0.8)
"""Where small, medium and large begin: Cohen (1988), Statistical Power Analysis, section 2.2."""


def size_in_words(effect: float) -> Size:
    """Say how large a standardised effect is, whatever its sign.

    Under 0.2 it is negligible, from 0.2 small, from 0.5 medium, from 0.8 large. The words are about
    size and not about certainty: a large effect of few words may be chance.
    """
    sizes: tuple[Size, ...] = get_args(Size)
    return sizes[sum(abs(effect) >= bound for bound in BOUNDS)]
