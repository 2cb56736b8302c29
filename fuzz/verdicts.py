"""What became of a case: all is fine, or something that must not happen."""

import errno
import traceback
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from fairvec.core.errors import FairvecError, is_out_of_memory
from fuzz.cases import Case, Target
from fuzz.places import CASE, PERMANENT, TRACE, entries_of, is_special

SOURCE = Path(__file__).parents[1] / "src" / "fairvec"
RAN = "ran-something"
"""The file that a payload makes when it is run."""


@dataclass(frozen=True)
class Finding:
    """Something that must not happen: of which kind, in which line of fairvec, and the details."""

    target: str
    kind: str
    place: str
    details: str

    @property
    def key(self) -> tuple[str, str, str]:
        """Two findings with the same key are one."""
        return self.target, self.kind, self.place


@dataclass(frozen=True)
class Verdict:
    """What is wrong, if anything is, and whether the case was read to its end."""

    finding: Finding | None
    accepted: bool


class BadAnswerError(Exception):
    """An answer that no command may give, such as one with control characters."""

    def __init__(self, kind: str, details: str) -> None:
        super().__init__(details)
        self.kind = kind


class RefusedError(Exception):
    """A command ended with a sentence about its input, as it should."""


def judged(target: str, error: BaseException) -> Finding | None:
    """Return what is wrong about an error; a FairvecError is what a bad file should get."""
    if memory := no_memory(error):
        # Also where it was caught: another machine would have taken that memory.
        return Finding(target, "memory", place_of(memory), _text(error))
    if isinstance(error, FairvecError | RefusedError):
        if not str(error).strip():
            return Finding(target, "says nothing", place_of(error), _text(error))
        return None
    kind = error.kind if isinstance(error, BadAnswerError) else type(error).__name__
    return Finding(target, kind, place_of(error) or place_of(error.__cause__), _text(error))


def no_memory(error: BaseException | None) -> BaseException | None:
    """Return the lack of memory that lies behind an error, whoever caught it on the way."""
    return next((one for one in _behind(error) if _is_of_memory(one)), None)


def _is_of_memory(error: BaseException) -> bool:
    return is_out_of_memory(error) or (isinstance(error, OSError) and error.errno == errno.ENOMEM)


def _behind(error: BaseException | None) -> Iterator[BaseException]:
    """Give an error and all that were being handled when it was raised."""
    left, seen = [error], set[int]()
    while left:
        one = left.pop()
        if one is not None and id(one) not in seen:
            seen.add(id(one))
            yield one
            left += [one.__context__, one.__cause__]


def what_is_left(target: Target, case: Case, folder: Path, *, failed: bool) -> Finding | None:
    """Return what is wrong about the files that lie around a case after it was run."""
    around = [
        name
        for name in entries_of(str(folder))
        if name not in PERMANENT and name not in (CASE, TRACE) and not name.startswith(f"{CASE}/")
    ]
    here = entries_of(str(folder / CASE))
    if ran := [name for name in (*around, *here) if name.endswith(RAN)]:
        return Finding(target.name, "ran something", "", "\n".join(ran))
    known = set(case.files)
    # A command leaves what it made; what is hidden, or made by one that failed, is left behind.
    bad = [
        name
        for name in sorted(here)
        if (failed or not target.writes or "/." in f"/{name}")
        and name not in known
        and not any(each.startswith(f"{name}/") for each in known)
    ]
    # At home is kept what was fetched or computed, and no draft of it.
    bad += sorted(name for name in around if not name.startswith("home/") or ".draft" in name)
    if bad:
        return Finding(target.name, "left behind", _shape(bad[0], folder), "\n".join(bad))
    if not target.writes:
        for name, data in case.files.items():
            if not is_special(data) and _content(folder / CASE / name) != data:
                return Finding(target.name, "changed its input", name, name)
    return None


def _content(path: Path) -> bytes | None:
    return path.read_bytes() if path.is_file() else None


def place_of(error: BaseException | None) -> str:
    """Return the innermost line of fairvec that an error passed."""
    for frame in reversed(traceback.extract_tb(error.__traceback__ if error else None)):
        path = Path(frame.filename)
        if path.is_relative_to(SOURCE):
            return f"{path.relative_to(SOURCE).as_posix()}:{frame.lineno}"
    return ""


def place_in_dump(dump: str) -> str:
    """Return the innermost line of fairvec in a trace that faulthandler wrote."""
    for line in dump.splitlines():
        file, _, rest = line.strip().removeprefix('File "').partition('", line ')
        if file.startswith(str(SOURCE)):
            return f"{Path(file).relative_to(SOURCE).as_posix()}:{rest.split(' ')[0]}"
    return ""


def _text(error: BaseException) -> str:
    return "".join(traceback.format_exception(error))[-6000:]


def _shape(name: str, folder: Path) -> str:
    """Return what leftovers of one kind have in common: names are as odd as what was asked."""
    top = name.split("/")[0]
    inner = (folder / name).exists() and top in (*PERMANENT, name)
    path = folder / name if inner else folder / CASE / name
    where = f"{top} (outside)" if inner else "the folder"
    hidden = "hidden " if path.name.startswith(".") else ""
    return f"a {hidden}{'folder' if path.is_dir() else 'file'} in {where}"
