"""Lines that the runner of a pipeline would obey: it reads commands out of what is printed."""

import os
import re
from dataclasses import dataclass, field

from fairvec.ground.text.visible_text import escaped

RUNNERS = ("CI", "GITHUB_ACTIONS", "TF_BUILD", "TEAMCITY_VERSION")
"""Variables of the environment that say that a pipeline reads what is printed."""

_OBEYED = re.compile(r"^\s*(?:::|##)|##\w*\[")


@dataclass
class LineByLine:
    """Break up commands such as ::error:: at the start of lines, and ##[error] in them.

    A line may come in pieces; `line` is what came of it so far. The escapes are those of JSON, so
    that a line of JSON keeps its meaning. Where no pipeline reads, a word of colons is shown as it
    is.
    """

    read_by_a_runner: bool = field(
        default_factory=lambda: any(os.environ.get(name) for name in RUNNERS)
    )
    line: str = field(default="", init=False)

    def __call__(self, text: str) -> str:
        """Return the next piece of what is printed, harmless."""
        if not self.read_by_a_runner:
            return text
        return "".join(map(self._piece, text.splitlines(keepends=True)))

    def _piece(self, piece: str) -> str:
        """Break up commands at their last sign, because the first may be printed already."""
        there, self.line = len(self.line), self.line + piece
        for found in reversed([*_OBEYED.finditer(self.line)]):
            if (last := found.end() - 1 - there) >= 0:
                piece = piece[:last] + escaped(piece[last]) + piece[last + 1 :]
        if piece.endswith("\n"):
            self.line = ""
        return piece
