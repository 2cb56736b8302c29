"""What became of a case: all is fine, or something that must not happen."""

import traceback
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from fairvec.ground.errors import FairvecError
from fuzz.cases import Case, Target

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


class BadAnswerError(Exception):
    """An answer that no command may give, such as one with control characters."""

    def __init__(self, kind: str, details: str) -> None:
        super().__init__(details)
        self.kind = kind


class RefusedError(Exception):
    """A command ended with a sentence about its input, as it should."""


def judged(target: str, error: BaseException) -> Finding | None:
    """Return what is wrong about an error; a FairvecError is what a bad file should get."""
    if memory := next((one for one in _causes(error) if isinstance(one, MemoryError)), None):
        # Also where it was caught: another machine would have taken that memory.
        return Finding(target, "memory", place_of(memory), _text(error))
    if isinstance(error, FairvecError | RefusedError):
        return None
    kind = error.kind if isinstance(error, BadAnswerError) else type(error).__name__
    return Finding(target, kind, place_of(error) or place_of(error.__cause__), _text(error))


def what_is_left(target: Target, case: Case, folder: Path, *, failed: bool) -> Finding | None:
    """Return what is wrong about the files that lie around a case after it was run."""
    found = {path.relative_to(folder).as_posix() for path in folder.rglob("*")}
    if any(name.endswith(RAN) for name in found):
        return Finding(target.name, "ran something", "", "\n".join(sorted(found)))
    here = {name.removeprefix("case/") for name in found if name.startswith("case/")}
    known = set(case.files) | {str(p) for name in case.files for p in Path(name).parents}
    new = sorted(here - known)
    # A command leaves what it made; what is hidden, or made by one that failed, is left behind.
    bad = [name for name in new if failed or not target.writes or "/." in f"/{name}"]
    bad += sorted(name for name in found if name.startswith(("beside/", "tmp/")))
    if bad:
        inner = bad[0].startswith(("beside/", "tmp/"))
        path = (folder if inner else folder / "case") / bad[0]
        return Finding(target.name, "left behind", _shape(bad[0], path), "\n".join(bad))
    for name, data in case.files.items():
        path = folder / "case" / name
        if not target.writes and (not path.is_file() or path.read_bytes() != data):
            return Finding(target.name, "changed its input", name, name)
    return None


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


def _causes(error: BaseException | None) -> Iterator[BaseException]:
    for _ in range(20):
        if error is None:
            return
        yield error
        error = error.__cause__ or error.__context__


def _text(error: BaseException) -> str:
    return "".join(traceback.format_exception(error))[-6000:]


def _shape(name: str, path: Path) -> str:
    """Return what leftovers of one kind have in common: names are as odd as what was asked."""
    where = name.split("/")[0] if name.startswith(("beside/", "tmp/")) else "the folder"
    hidden = "hidden " if Path(name).name.startswith(".") else ""
    return f"a {hidden}{'folder' if path.is_dir() else 'file'} in {where}"
