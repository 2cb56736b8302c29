"""The runs in the results folders, and their reports with the policy of each page."""

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
from fairvec.core.io.read_files import is_file
from fairvec.core.text import escape_surrogates
from fairvec.report import render, render_documents, render_frontier, render_study
from fairvec.report.page import environment
from fairvec.results import read_results
from fairvec.results.documents import DOCUMENT_FILE, read_document_lines
from fairvec.results.frontier import FRONTIER_FILE, read_frontier
from fairvec.results.store import FILE_NAME
from fairvec.results.study import STUDY_FILE, read_study_lines
from fairvec.web.security import NOWHERE

SANDBOX = "sandbox allow-scripts allow-downloads allow-popups allow-popups-to-escape-sandbox"


@dataclass(frozen=True)
class RunKind:
    """A file of records: its name and title, the functions that read it and make its page."""

    file: str
    title: str
    read: Callable[[Path], Sequence[Any]]
    page: Callable[[Sequence[Any]], str]
    scripts: tuple[str, ...] = ("script.js",)

    @cached_property
    def policy(self) -> str:
        """The content security policy of its page."""
        # Hashed from the templates, not from the page: a script in the data is not allowed.
        lines = "\n".join(f'{{% include "{name}" %}}' for name in self.scripts)
        script = environment().from_string(f"<>\n{lines}\n<").render()[2:-1]
        digest = b64encode(sha256(script.encode()).digest()).decode()
        return "; ".join(
            (
                "default-src 'none'",
                f"script-src 'sha256-{digest}'" if self.scripts else "script-src 'none'",
                "style-src 'unsafe-inline'",
                "img-src data:",
                SANDBOX,
                *NOWHERE,
            )
        )


RESULTS = RunKind(FILE_NAME, "results", read_results, render)
RUN_KINDS = (
    RESULTS,
    RunKind(FRONTIER_FILE, "frontier", read_frontier, render_frontier),
    RunKind(
        DOCUMENT_FILE,
        "documents",
        read_document_lines,
        render_documents,
        ("documents.js", "script.js"),
    ),
    RunKind(STUDY_FILE, "study", read_study_lines, render_study, ()),
)


MOST_RUNS = 300
"""So many are read for a list; the others can be opened by their names."""

DEEPEST = 4
"""Depth of folders that are searched."""

LARGEST_FILE = 256 * 2**20
"""Most bytes of a file of records that is read for a page."""


@dataclass(frozen=True)
class RunFile:
    """A file of records: its name on the page, its path and its kind."""

    name: str
    file: Path
    kind: RunKind

    def lines(self) -> Sequence[Any]:
        """Return its records."""
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

    def summary(self) -> dict[str, Any]:
        """Return its kind, time and number of records; or its fault."""
        fault, lines = "", list[Any]()
        try:
            lines += self.lines()
        except (FairvecError, OSError, ValueError, RecursionError) as error:
            fault = str(error) or f"{self.name} cannot be read."
        models = (getattr(getattr(line, "model", None), "name", None) for line in lines)
        return {
            "name": self.name,
            "kind": self.kind.title,
            "written": _modified(self.file),
            "records": len(lines),
            "models": list(dict.fromkeys(name for name in models if name)),
            "fault": fault,
        }


@dataclass(frozen=True)
class ResultsFolders:
    """Folders, or files of records, of the command line."""

    folders: tuple[Path, ...]

    def runs(self) -> dict[str, RunFile]:
        """Return all runs by name, as they are there now."""
        return {run.name: run for root in self._roots.items() for run in _runs_below(*root)}

    def run(self, name: str) -> RunFile:
        """Return a run; its name is looked up among those found and never made a path."""
        runs = self.runs()
        if name not in runs:
            raise UnknownNameError("run", name, runs)
        return runs[name]

    def require_runs(self) -> "ResultsFolders":
        """Return the folders; refuse one without a run."""
        for folder in self.folders:
            if not any(_runs_below("", folder)):
                raise SettingError(
                    f"{folder} holds no results; make some with 'fairvec audit MODEL -o {folder}'."
                )
        return self

    @cached_property
    def _roots(self) -> dict[str, Path]:
        """The folders by name, with a number if two share one."""
        roots: dict[str, Path] = {}
        for folder in self.folders:
            plain = folder.resolve().name or "results"
            name = plain
            while name in roots:
                name = f"{plain} {len(roots) + 1}"
            roots[name] = folder
        return roots


def _runs_below(label: str, root: Path) -> Iterator[RunFile]:
    """Yield the runs below a folder; links that lead out of it are not followed."""
    top = root.resolve()
    if is_file(top):
        yield from _runs_in_folder(label, top.parent, top.parent, [top.name])
        return
    for folder, inner, files in os.walk(top):
        path = Path(folder)
        depth = len(path.relative_to(top).parts)
        inner[:] = (
            sorted(one for one in inner if not one.startswith(".")) if depth < DEEPEST else []
        )
        yield from _runs_in_folder(label, top, path, files)


def _runs_in_folder(label: str, top: Path, folder: Path, files: Sequence[str]) -> Iterator[RunFile]:
    for kind in RUN_KINDS:
        file = folder / kind.file
        if kind.file in files and file.is_file() and file.resolve().is_relative_to(top):
            name = escape_surrogates("/".join([label, *file.relative_to(top).parts]))
            yield RunFile(name, file, kind)


def _modified(file: Path) -> str:
    try:
        seconds = file.stat().st_mtime
    except OSError:  # it has gone since it was found
        return ""
    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="seconds")


@lru_cache(maxsize=32)
def _read(run: RunFile, written: int, size: int) -> Sequence[Any]:
    """Read a file once as long as it is unchanged."""
    return run.kind.read(run.file)
