"""Which of an encoder's vectors are taken: layer, pooling, type of numbers."""

import re
from dataclasses import dataclass
from typing import Literal

from fairvec.ground.errors import SettingError
from fairvec.ground.settings import check_settings
from fairvec.ground.text.shown_values import shown

Pooling = Literal["cls", "mean", "last", "word"]
Numbers = Literal["auto", "float32", "bfloat16"]

_LISTED = re.compile(r"-?\d+(,-?\d+)*")


@dataclass(frozen=True)
class Choices:
    """What a user may choose of an encoder; every choice is written into its results.

    `layer`: "last", a number (0 is what goes into the first layer, -2 the one before the last),
    several with commas (their mean) or "all" (the mean of all). `pooling`: "cls" (the first token),
    "mean" (over the tokens of the text), "last" (the last token) or "word" (the mean over the
    tokens of the word in its sentence); empty: what the folder says, else the mean, or of a decoder
    the last token. `numbers`: float32, or bfloat16; "auto" is float32 on a CPU and bfloat16 on a
    GPU.
    """

    layer: str = "last"
    pooling: Pooling | None = None
    numbers: Numbers = "auto"

    def __post_init__(self) -> None:
        check_settings(self, called="encoder")
        if self.layer not in ("last", "all") and not _LISTED.fullmatch(self.layer):
            raise SettingError(
                f"layer is {shown(self.layer)}; it must be last, all, a number or numbers with "
                "commas, as in 1,2,3."
            )

    def layers(self, count: int, name: str) -> tuple[int, ...]:
        """Return the numbers of the layers whose mean is taken, of so many from 0 on."""
        if self.layer == "last":
            return (count - 1,)
        if self.layer == "all":
            return tuple(range(count))
        asked = [int(number) for number in self.layer.split(",")]
        for number in asked:
            if not -count <= number < count:
                raise SettingError(
                    f"{name} has no layer {number}: its layers are 0 to {count - 1}, 0 being what "
                    "goes into the first."
                )
        return tuple(dict.fromkeys(number % count for number in asked))


AS_GIVEN = Choices()
"""Nothing chosen: what the folder says, else the mean (of a decoder the end) of the last layer."""
