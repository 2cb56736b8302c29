"""What a tokenizer's file may ask for: numbers of tokens, and texts that grow while they are read.

A file of a few kB may number a token 2,147,483,648, and whoever then writes the tokens down in the
order of their numbers has that many to go through. It may also put two letters for one, forty times
in a row.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from fairvec.encoders.model_folder import object_in
from fairvec.ground.errors import FileFormatError
from fairvec.ground.machine.budget import most_rows
from fairvec.ground.text.shown_values import shown

MOST_GROWTH, OF_A_TABLE = 100_000, 100
"""What honest files put in the place of a letter is about as long, and few do it more than once."""


def refuse_odd_tokenizer(path: Path) -> None:
    """Raise if a file (tokenizer.json) numbers tokens as none of its size can, or lets texts grow.

    What is no list or table of tokens is left to the tokenizer, which says what is wrong with it.
    """
    said, most = object_in(path), most_rows(path.stat().st_size)
    for step in ("normalizer", "post_processor"):
        if _growth(said.get(step)) > MOST_GROWTH:
            raise FileFormatError(
                f"{path} would make texts more than {MOST_GROWTH:,} times as long ({step}), which "
                "no honest one does; fetch it again from where you trust it."
            )
    for number in _numbers(said):
        if isinstance(number, bool) or not isinstance(number, int) or not 0 <= number < most:
            raise FileFormatError(
                f"{path} gives a token the number {shown(number)}, where 0 to {most - 1:,} can "
                "stand in a file of its size; copy or download it again."
            )


def _numbers(said: dict[str, Any]) -> Iterator[Any]:
    match said.get("model"):
        case {"vocab": dict() as tokens}:
            yield from tokens.values()
    match said.get("added_tokens"):
        case list() as added:
            yield from (token.get("id", 0) for token in added if isinstance(token, dict))


def _growth(step: Any) -> int:
    """Return how many times as long a text may become, at most; of old files no step has a type."""
    match step:
        case {"normalizers": list() as steps} | {"processors": list() as steps}:
            grown = 1
            for each in steps:
                grown *= _growth(each)
                if grown > MOST_GROWTH:
                    break  # a product of thousands would itself take long
            return grown
        case {"pattern": {"String": str() as old}, "content": str() as new} if old:
            return -(-max(len(new), len(old)) // len(old))
        case {"pattern": _, "content": str() as new}:
            return 1 + len(new)  # an expression may be found before every letter
        case {"single": list() as pieces}:
            return max(1, len(pieces))
        case {"precompiled_charsmap": _}:
            return OF_A_TABLE
    return 1
