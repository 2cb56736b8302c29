"""Reports of earlier runs, as the server shows them: the page itself, and what it may run.

A report has its script and its styles within. It is shown under a policy of its own that knows the
script of this package by its hash and no other, and as a page of nobody (sandbox), which cannot ask
this server anything.
"""

from base64 import b64encode
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from pathlib import Path
from typing import Any

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
from fairvec.web.guards.headers import NOWHERE

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
