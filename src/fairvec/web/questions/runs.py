"""The runs in the folders that were named, and their reports as the server shows them."""

import os
from base64 import b64encode
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cached_property, lru_cache
from hashlib import sha256
from pathlib import Path
from typing import Any

from fairvec.core.errors import FairvecError, SettingError, UnknownNameError
from fairvec.core.io.atomic_files import refuse_mixed
from fairvec.core.io.read_files import is_file
from fairvec.core.text import escape_surrogates
from fairvec.report import render, render_documents, render_frontier, render_study
from fairvec.report.page import environment
from fairvec.results import (
    DOCUMENT_FILE,
    FRONTIER_FILE,
    STUDY_FILE,
    read_document_lines,
    read_frontier,
    read_results,
    read_study_lines,
)
from fairvec.results.store import FILE_NAME
from fairvec.web.security import NOWHERE

SANDBOX = "sandbox allow-scripts allow-downloads allow-popups allow-popups-to-escape-sandbox"


@dataclass(frozen=True)
class KindOfRun:
    """A file of records, what it is called, who reads it and who makes its page of what."""

    file: str
    title: str
    read: Callable[[Path], Sequence[Any]]
    page: Callable[[Sequence[Any]], str]
    scripts: tuple[str, ...] = ("script.js",)

    @cached_property
    def policy(self) -> str:
        """What a browser is told about its page."""
        # From the templates and not from the page: what got into a page is not let through.
        lines = "\n".join(f'{{% include "{name}" %}}' for name in self.scripts)
        script = environment().from_string(f"<>\n{lines}\n<").render()[2:-1]
        known = b64encode(sha256(script.encode()).digest()).decode()
        return "; ".join(
            (
                "default-src 'none'",
                f"script-src 'sha256-{known}'" if self.scripts else "script-src 'none'",
                "style-src 'unsafe-inline'",
                "img-src data:",
                SANDBOX,
                *NOWHERE,
            )
        )


RESULTS = KindOfRun(FILE_NAME, "results", read_results, render)
KINDS_OF_RUN = (
    RESULTS,
    KindOfRun(FRONTIER_FILE, "frontier", read_frontier, render_frontier),
    KindOfRun(
        DOCUMENT_FILE,
        "documents",
        read_document_lines,
        render_documents,
        ("documents.js", "script.js"),
    ),
    KindOfRun(STUDY_FILE, "study", read_study_lines, render_study, ()),
)


MOST_RUNS = 300
DEEPEST = 4
"""Folders within folders that are looked into."""

LARGEST_FILE = 256 * 2**20
"""Bytes of a file of records that is still read for a page."""


@dataclass(frozen=True)
class FoundRun:
    """A file of records: how it is called here, where it lies and what it is of."""

    name: str
    file: Path
    kind: KindOfRun

    def lines(self) -> Sequence[Any]:
        """Read its records, or say what is wrong with them."""
        refuse_mixed(self.file.parent)
        status = self.file.stat()
        if status.st_size > LARGEST_FILE:
            raise SettingError(
                f"{self.name} has {status.st_size:,} bytes, too many for a page; read it with "
                "fairvec.read_results."
            )
        return _read(self, status.st_mtime_ns, status.st_size)

    def page(self) -> str:
        """Return its report, made anew from its records."""
        return self.kind.page(self.lines())

    def told(self) -> dict[str, Any]:
        """Say what it is: its kind, when it was written, how many records; or what is wrong."""
        fault, lines = "", list[Any]()
        try:
            lines += self.lines()
        except (FairvecError, OSError, ValueError, RecursionError) as error:
            fault = str(error) or f"{self.name} cannot be read."
        models = (getattr(getattr(line, "model", None), "name", None) for line in lines)
        return {
            "name": self.name,
            "kind": self.kind.title,
            "written": _written(self.file),
            "records": len(lines),
            "models": list(dict.fromkeys(name for name in models if name)),
            "fault": fault,
        }


@dataclass(frozen=True)
class ResultsFolders:
    """Folders, or files of records, as they were named on the command line."""

    folders: tuple[Path, ...]

    def runs(self) -> dict[str, FoundRun]:
        """Return all runs by name, as they lie there now."""
        return {run.name: run for root in self._roots.items() for run in _runs_below(*root)}

    def run(self, name: str) -> FoundRun:
        """Return one of them; a name is looked up among those found and never made a path."""
        runs = self.runs()
        if name not in runs:
            raise UnknownNameError("run", name, runs)
        return runs[name]

    def checked(self) -> "ResultsFolders":
        """Return the folders, or refuse one in which there is no run."""
        for folder in self.folders:
            if not any(_runs_below("", folder)):
                raise SettingError(
                    f"{folder} holds no results; make some with 'fairvec audit MODEL -o {folder}'."
                )
        return self

    @cached_property
    def _roots(self) -> dict[str, Path]:
        """The folders by a name each: their own, with a number where two share it."""
        roots: dict[str, Path] = {}
        for folder in self.folders:
            plain = folder.resolve().name or "results"
            name = plain
            while name in roots:
                name = f"{plain} {len(roots) + 1}"
            roots[name] = folder
        return roots


def _runs_below(label: str, root: Path) -> Iterator[FoundRun]:
    """Find the runs below a folder; links that lead out of it are not followed."""
    top = root.resolve()
    if is_file(top):
        yield from _runs_in_folder(label, top.parent, top.parent, [top.name])
        return
    found = 0
    for folder, inner, files in os.walk(top):
        here = Path(folder)
        deep = len(here.relative_to(top).parts)
        inner[:] = sorted(one for one in inner if not one.startswith(".")) if deep < DEEPEST else []
        for run in _runs_in_folder(label, top, here, files):
            found += 1
            if found > MOST_RUNS:
                return
            yield run


def _runs_in_folder(
    label: str, top: Path, folder: Path, files: Sequence[str]
) -> Iterator[FoundRun]:
    for kind in KINDS_OF_RUN:
        file = folder / kind.file
        if kind.file in files and file.is_file() and file.resolve().is_relative_to(top):
            name = escape_surrogates("/".join([label, *file.relative_to(top).parts]))
            yield FoundRun(name, file, kind)


def _written(file: Path) -> str:
    try:
        seconds = file.stat().st_mtime
    except OSError:  # it has gone since it was found
        return ""
    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="seconds")


@lru_cache(maxsize=32)
def _read(run: FoundRun, written: int, size: int) -> Sequence[Any]:
    """Read a file once for as long as it stays as it is."""
    return run.kind.read(run.file)
