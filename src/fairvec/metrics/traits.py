"""What holds of a metric whatever the model: declared in the metric, tested by laws over all."""

from dataclasses import dataclass
from typing import Literal

Sees = Literal["X to A, Y to B", "words to A", "words to A and B"]
Swapped = Literal["turned", "kept", "changed"]
Lengths = Literal["ignored", "common", "count"]


@dataclass(frozen=True)
class Traits:
    """Which bias a metric sees, what its signs say, and what must not matter to it.

    Lists that hold the bias it `sees` take the value to the side `shown` of the neutral one.
    `positive` says what a positive value says, and is empty if a value has no sign;
    `positive_words` is the list to which a word with a positive number leans, empty if the number
    says no such thing. Swapping A and B, or X and Y, `turned` the value about 0, `kept` it, or
    `changed` it in no such way. In flat space lengths are `ignored` (each word's own), matter but
    for a `common` unit, or `count`. A metric that is `flat_only` refuses the ball.
    """

    sees: Sees
    shown: Literal["above", "below"]
    positive: str = ""
    positive_words: Literal["a", "b", ""] = ""
    swapped_attributes: Swapped = "kept"
    swapped_targets: Swapped = "kept"
    lengths: Lengths = "ignored"
    flat_only: bool = False
