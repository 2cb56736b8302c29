"""Run a tutorial in a process and a folder of its own, and write its outputs behind its cells.

python -m scripts.site.tutorials docs/tutorials/*.md
"""

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import fairvec
from scripts.site.cells import cells

ROOT = Path(__file__).parents[2]
TUTORIALS = ROOT / "docs" / "tutorials"


class TutorialError(Exception):
    """A cell did not run as it stands; the message says which, and what it raised."""


@dataclass(frozen=True)
class Output:
    """What a cell gave: printed text, and a drawing where its last value draws itself."""

    text: str
    html: str = ""


def run(text: str, name: str, folder: Path) -> list[Output]:
    """Run the cells of a tutorial in `folder`, in a fresh process, and return what each gave.

    The process knows no fetched model and no data folder, so that everybody sees the same.
    """
    environment = {key: value for key, value in os.environ.items() if key != "FAIRVEC_DATA"}
    with tempfile.TemporaryDirectory() as empty_home:
        ended = subprocess.run(
            [sys.executable, "-m", "scripts.site.cell_process"],
            input=json.dumps({"name": name, "cells": [asdict(cell) for cell in cells(text)]}),
            stdout=subprocess.PIPE,
            text=True,
            check=True,
            cwd=folder,
            env=environment
            | {
                "FAIRVEC_HOME": empty_home,
                "NO_COLOR": "1",
                "PATH": os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]]),
                "PYTHONPATH": os.pathsep.join([str(ROOT), str(Path(fairvec.__file__).parents[1])]),
            },
        )
    outputs = json.loads(ended.stdout)
    for output in outputs:
        if "failed" in output:
            raise TutorialError(output["failed"])
    return [Output(**output) for output in outputs]


def with_outputs(text: str, outputs: Sequence[Output]) -> str:
    """Return the page with what each cell gave in a block behind it."""
    pieces, at = [], 0
    for cell, output in zip(cells(text), outputs, strict=True):
        pieces.append(text[at : cell.end])
        pieces.append(format_output(output))
        at = cell.end
    return "".join([*pieces, text[at:]])


def format_output(output: Output) -> str:
    """Return the blocks of one output, in fences longer than any inside of it."""
    blocks = []
    for kind, body in (
        ("{code-block} text\n:class: output", output.text),
        ("{raw} html", output.html),
    ):
        if body.strip():
            fence = "`" * 4
            while fence in body:
                fence += "`"
            blocks.append(f"\n\n{fence}{kind}\n{body.rstrip()}\n{fence}")
    return "".join(blocks)


def main(files: Sequence[str]) -> None:
    """Run each tutorial, and print how long it took."""
    for file in files:
        with tempfile.TemporaryDirectory() as folder:
            begun = time.monotonic()
            outputs = run(Path(file).read_text(encoding="utf-8"), Path(file).name, Path(folder))
            print(f"{file}: {len(outputs)} cells, {time.monotonic() - begun:.1f} s")


if __name__ == "__main__":
    main(sys.argv[1:])
