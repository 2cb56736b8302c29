"""The code cells of a tutorial: its fenced blocks of Python and of shell, in order."""

import re
from dataclasses import dataclass

# ```python, ```sh, or ```sh exit=1 where the command is meant to end so.
FENCE = re.compile(
    r"^```(?P<language>python|sh)(?: exit=(?P<exit>\d+))?\n(?P<code>.*?)^```$",
    re.MULTILINE | re.DOTALL,
)


@dataclass(frozen=True)
class Cell:
    """One block to run: what it says, where it stands, and how it is meant to end."""

    language: str
    code: str
    line: int
    exit_code: int
    end: int


def cells(text: str) -> list[Cell]:
    """Return the cells of a tutorial, in the order in which they run."""
    return [
        Cell(
            language=fence["language"],
            code=fence["code"],
            line=text.count("\n", 0, fence.start()) + 1,
            exit_code=int(fence["exit"] or 0),
            end=fence.end(),
        )
        for fence in FENCE.finditer(text)
    ]
