"""The mark of files that are put in place together: while it lies there, they may be of two."""

import json
import os
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path, PurePosixPath
from typing import Any

from fairvec.ground.disk.places import kind_of
from fairvec.ground.errors import FileFormatError
from fairvec.ground.text.enumerations import listed
from fairvec.ground.text.visible_text import visible

MARK = ".fairvec-unfinished.json"
ROOM = re.compile(r"\.fairvec-[0-9a-f]{16}\.parts")
LARGEST = 1 << 16
"""Bytes of a mark: some names."""


@dataclass(frozen=True)
class Unfinished:
    """What is being put in place in a folder, and what was in doubt there before.

    `parts` come from the folder `drafts`, in which each lies as seen from the folder around it;
    without `drafts` all of them are in place. `gone` are to be removed. `old` are files that are
    not of the run that wrote the others.
    """

    folder: Path
    drafts: Path | None
    parts: tuple[Path, ...]
    gone: tuple[Path, ...]
    old: tuple[Path, ...]

    def draft_of(self, part: Path) -> Path:
        """Return where a part was drafted."""
        return part if self.drafts is None else self.drafts / part.relative_to(self.drafts.parent)

    @property
    def waiting(self) -> tuple[Path, ...] | None:
        """The parts whose turn has not come; None if that cannot be told any more."""
        if self.drafts is None:
            return ()
        try:
            self.drafts.lstat()
            drafted = [part for part in self.parts if _lies(self.draft_of(part))]
        except OSError:  # others may not look into it, or it was swept away
            return None
        return (*drafted, *(part for part in self.gone if os.path.lexists(part)))

    def settled(self) -> "Unfinished":
        """Return the same without drafts: what is in place now, and what is still the old."""
        every, waiting = (*self.parts, *self.gone), self.waiting
        if waiting is None:
            return Unfinished(self.folder, None, (), (), _once(every, self.old))
        if len(waiting) == len(every):
            return Unfinished(self.folder, None, (), (), self.old)
        done = tuple(part for part in every if part not in waiting)
        old = tuple(part for part in _once(waiting, self.old) if part not in done)
        put = tuple(part for part in done if part in self.parts)
        return Unfinished(self.folder, None, put, (), old)

    @property
    def doubtful(self) -> tuple[Path, ...]:
        """All files that are not known to be of one run; what is written after must have them."""
        now = self.settled()
        return _once(now.parts, now.old) if now.old else ()

    def told(self, called: Path) -> str:
        """Say which files are of which run; nothing if all are of one."""
        now = self.settled()
        if not now.old:
            return ""
        there = [part for part in now.old if os.path.lexists(part)]
        lacking = [part for part in now.old if part not in there]
        holds, while_ = "parts of two runs", "one was interrupted while it put them in place"
        if self.waiting is None:
            which = [f"any of {_names(now.old)} may be of the other"]
        elif there:
            which = [f"{_are(now.parts)} of the later"] if now.parts else []
            which += [f"{_are(there)} of {'the earlier' if which else 'another than the rest'}"]
            which += [f"{_are(lacking)} not there yet"] if lacking else []
        else:
            holds, while_ = "a part of a run", "it was interrupted while it put them in place"
            which = [f"{_are(lacking)} not there yet"]
        return (
            f"{called} holds {holds}, because {while_}: {', '.join(which)}; run it again, or name "
            "one file to read that alone."
        )

    def as_json(self) -> str:
        """Return the mark as it is written, with places as they are seen from the folder."""
        drafts = None if self.drafts is None else self._seen(self.drafts)
        said: dict[str, Any] = {"drafts": drafts}
        for name in ("parts", "gone", "old"):
            said[name] = [self._seen(part) for part in getattr(self, name)]
        return json.dumps(said) + "\n"

    def _seen(self, path: Path) -> str:
        return path.name if path.parent == self.folder else f"../{path.name}"


def mark_of(called: Path) -> Unfinished | None:
    """Read the mark of a folder; None where there is none, as nearly always."""
    folder = whole_path(called)
    file = folder / MARK
    try:
        if kind_of(file):
            raise ValueError(file)
        with file.open("rb") as opened:
            said = json.loads(opened.read(LARGEST))  # names of files may hold half characters
        drafts = None if said["drafts"] is None else _place(folder, said["drafts"])
        if drafts and not ROOM.fullmatch(drafts.name):
            raise ValueError(drafts)
        parts, gone, old = (_places(folder, said[name]) for name in ("parts", "gone", "old"))
        return Unfinished(folder, drafts, parts, gone, old)
    except (FileNotFoundError, NotADirectoryError):
        return None
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        raise FileFormatError(
            f"{called / MARK} is damaged, so that nobody can say whether the files beside it are "
            "of one run; remove it, and run what wrote them again."
        ) from None


def waiting_room(folder: Path, place: Path) -> Path:
    """Return where in a place the drafts for a folder wait for their turns."""
    name = sha256(os.fsencode(folder.name)).hexdigest()[:16]  # as long whatever it is called
    return place / f".fairvec-{name}.parts"


def whole_path(path: Path) -> Path:
    """Return a path from the root: dots would hide what lies around a folder.

    A folder that is a link stays one, because a model lies beside the link.
    """
    return path.resolve() if path.name in ("", "..") else path.parent.resolve() / path.name


def _places(folder: Path, names: Any) -> tuple[Path, ...]:
    if not isinstance(names, list):
        raise TypeError(names)
    return tuple(_place(folder, name) for name in names)


def _place(folder: Path, name: Any) -> Path:
    """Return a place that a mark names; whoever wrote it, none but in the folder or beside it."""
    if not isinstance(name, str):
        raise TypeError(name)
    inside = name.removeprefix("../")
    if PurePosixPath(inside).parts != (inside,) or inside in ("..", "") or "\0" in inside:
        raise ValueError(name)
    os.fsencode(inside)  # raises where no file can be called so
    return (folder if inside == name else folder.parent) / inside


def _lies(path: Path) -> bool:
    try:
        path.lstat()
    except FileNotFoundError:
        return False
    return True


def _once(*lists: Iterable[Path]) -> tuple[Path, ...]:
    return tuple(dict.fromkeys(path for each in lists for path in each))


def _names(paths: Sequence[Path]) -> str:
    return listed([visible(path.name, but="") for path in paths])


def _are(paths: Sequence[Path]) -> str:
    return f"{_names(paths)} {'is' if len(paths) == 1 else 'are'}"
