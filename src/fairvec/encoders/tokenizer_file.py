"""The numbers that a tokenizer's file gives its tokens: others make a row for each up to the last.

A file of a few kB may number a token 2,147,483,648, and whoever then writes the tokens down in the
order of their numbers has that many to go through.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from fairvec.encoders.model_folder import object_in
from fairvec.ground.budget import most_rows
from fairvec.ground.errors import FileFormatError
from fairvec.ground.shown_values import shown


def refuse_odd_numbers(path: Path) -> None:
    """Raise if a token of the file (tokenizer.json) has no number that a file of its size can have.

    What is no list or table of tokens is left to the tokenizer, which says what is wrong with it.
    """
    said, most = object_in(path), most_rows(path.stat().st_size)
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
