"""Which lines of files were changed since a revision of git."""

import re
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from fairvec.core.errors import SettingError
from fairvec.core.text import one_line, short_repr

_HUNK = re.compile(rb"^@@ -\S+ \+(\d+)(?:,(\d+))? @@", re.MULTILINE)


@dataclass(frozen=True)
class ChangedLines:
    """The lines of a file that are new or other than in a revision; all, of a file it lacks."""

    ranges: tuple[range, ...]
    is_new: bool = False

    def touch(self, first: int, last: int) -> bool:
        """Whether one of these lines, both included, was changed."""
        return self.is_new or any(
            lines.start <= last and first < lines.stop for lines in self.ranges
        )


def changed_lines(file: Path, revision: str) -> ChangedLines:
    """Return the lines of a file that were changed since a revision, committed or not."""
    if revision.startswith("-") or not revision:
        raise SettingError(f"{short_repr(revision)} names no revision of git; say HEAD or main.")
    folder, name = file.absolute().parent, file.name
    commit = _git(
        folder, "rev-parse", "--verify", "--quiet", "--end-of-options", f"{revision}^{{commit}}"
    )
    if commit is None:
        raise SettingError(
            f"{file}: git knows no revision {short_repr(revision)} here; name a commit or a branch "
            "of the repository that holds the file."
        )
    known = commit.decode().strip()
    if _git(folder, "cat-file", "-e", f"{known}:./{name}") is None:
        return ChangedLines((), is_new=True)
    options = ("--unified=0", "--no-color", "--no-ext-diff", "--no-textconv", "--text")
    diff = _git(folder, "diff", *options, known, "--", f"./{name}")
    if diff is None:
        raise SettingError(f"{file}: git cannot compare it with {short_repr(revision)}.")
    ranges = []
    for match in _HUNK.finditer(diff):
        start, count = int(match[1]), int(match[2] or 1)
        ranges.append(range(start, start + count))
    return ChangedLines(tuple(ranges))


def _git(folder: Path, *arguments: str) -> bytes | None:
    """Return what git prints; None if it says no."""
    command: Sequence[str] = ("git", "-C", str(folder), *arguments)
    try:
        ended = subprocess.run(command, capture_output=True, check=False, stdin=subprocess.DEVNULL)  # noqa: S603
    except OSError as error:
        raise SettingError(
            f"git cannot be run ({one_line(str(error))}); install it, or leave --changed out."
        ) from None
    return ended.stdout if ended.returncode == 0 else None
