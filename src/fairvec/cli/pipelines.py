"""Lines that the runner of a pipeline would obey: it reads commands out of what is printed."""

import os
import re
from dataclasses import dataclass, field

from fairvec.ground.visible_text import escaped

RUNNERS = ("CI", "GITHUB_ACTIONS", "TF_BUILD", "TEAMCITY_VERSION")
"""Variables of the environment that say that a pipeline reads what is printed."""

_AT_START = re.compile(r"(\s*)(::|##)")
_ANYWHERE = re.compile(r"##(?=\w*\[)")


@dataclass
class LineByLine:
    """Break up commands such as ::error:: at the start of lines, and ##[error] in them.

    A line may come in pieces. The escapes are those of JSON, so that a line of JSON keeps its
    meaning. Where no pipeline reads, a word of colons is shown as it is.
    """

    read_by_a_runner: bool = field(
        default_factory=lambda: any(os.environ.get(name) for name in RUNNERS)
    )
    at_start: bool = field(default=True, init=False)

    def __call__(self, text: str) -> str:
        """Return the next piece of what is printed, harmless."""
        if not self.read_by_a_runner:
            return text
        return "".join(map(self._line, text.splitlines(keepends=True)))

    def _line(self, piece: str) -> str:
        found = _AT_START.match(piece) if self.at_start else None
        if piece.endswith("\n"):
            self.at_start = True
        elif piece.strip():
            self.at_start = False
        if found:
            piece = found[1] + escaped(found[2][0]) + piece[found.end(1) + 1 :]
        return _ANYWHERE.sub(lambda _: f"{escaped('#')}#", piece)
