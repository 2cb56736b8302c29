"""A short hunt, always the same, through all that fairvec reads, asks or answers: nothing is found.

It is one test because it is one process: making honest files of every kind takes the most time.
"""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, get_args

import pytest

from fairvec.benchmarks import BENCHMARK_KINDS
from fairvec.documents.read import READERS, TABLES
from fairvec.embedding.archives import SUFFIXES
from fairvec.embedding.formats import FORMATS
from fairvec.encoders.function import FUNCTION
from fairvec.encoders.open import KINDS
from fairvec.mitigation import DEBIASERS
from fairvec.mitigation.transform_file import MOVES
from fairvec.papers.schema import PAPERS
from fairvec.results import Outcome
from fairvec.results.documents import DocumentLine
from fairvec.results.frontier import FrontierLine
from fairvec.results.study import StudyLine
from fairvec.web.routes import ROUTES
from fuzz.arguments import leaves
from fuzz.targets.cuts import CHECKED, LINES, PACKED, UNCOUNTED
from fuzz.targets.measured import COMMANDS
from tests.fuzz.hunt_process import apart
from tests.fuzz.short_hunt import MARK

CASES = 2
"""Of each target, beside those that are crafted or kept; `make fuzz` takes its time."""

SLOW = (
    *(f"measured-{name}" for name in (*COMMANDS, "study")),
    *(f"measured-debias-{each.name}" for each in DEBIASERS if each.name != "conceptor"),
)
"""They run commands that others run too, on models of which `make fuzz` has more."""


def kinds(file: str, union: Any, field: str = "status") -> Iterator[str]:
    for kind in get_args(union):
        yield f"{file}.jsonl {kind.model_fields[field].default}"


def registered() -> set[str]:
    return {
        *(f"format {known.name}" for known in FORMATS),
        *(f"cut {known.name}" for known in FORMATS if known.name not in UNCOUNTED),
        *("cut list", "quoted csv", "quoted tsv", *(f"joined {name}" for name in LINES)),
        *(f"damaged {name}" for name in (*CHECKED, *(name.rpartition(".")[2] for name in PACKED))),
        *(f"archive {suffix}" for suffix in SUFFIXES),
        *(f"encoder {kind.name.replace('-', '_')}" for kind in KINDS if kind != FUNCTION),
        *("encoder debiased", "served", "web strangers", "data"),
        *(f"installed {what}" for what in ("plugin", "environment")),
        *(f"kept {what}" for what in ("checkpoint", "vectors", "contexts", "answers")),
        *(f"package {what}" for what in ("wink", "wordllama", "tar", "wheel")),
        *(f"list document-{ending[1:]}" for ending in (*READERS, *TABLES) if ending != ".txt"),
        *(f"list {kind}-{name}" for name in PAPERS for kind in ("paper", "claims")),
        *(f"move {move.name}" for move in MOVES),
        *(f"settings {method.name}" for method in DEBIASERS),
        *(f"list benchmark-{kind}" for kind in BENCHMARK_KINDS),
        *(f"command {' '.join(words)}" for words, _ in leaves()),
        *(f"route {route.path}" for route in ROUTES),
        *kinds("results", Outcome),
        *kinds("frontier", FrontierLine),
        *kinds("study", StudyLine),
        *kinds("document", DocumentLine, "line"),
    }


def test_a_short_hunt_through_all_that_is_registered_finds_nothing(tmp_path: Path) -> None:
    pytest.importorskip("torch", reason="torch is not installed")
    asked = ["--seed", "1", "--cases", str(CASES), "--minutes", "9", "--keep", str(tmp_path)]
    asked += [part for name in SLOW for part in ("--but", name)]
    done = apart("short_hunt", *asked, seconds=900)
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]
    *table, last = done.stdout.splitlines()
    targets = json.loads(last.removeprefix(MARK))
    assert registered() - {what for covers in targets.values() for what in covers} == set()
    rows = {cells[0]: cells[1:] for line in table if (cells := line.split())}
    counts = {name: [int(n.replace(",", "")) for n in rows[name][:4]] for name in targets}
    assert all(cases >= CASES for cases, *_ in counts.values())
    assert all(cases == read + refused for cases, read, refused, _ in counts.values())
    assert sum(read for _, read, _, _ in counts.values()) > len(targets) / 2
