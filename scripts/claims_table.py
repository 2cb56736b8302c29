"""The claims of a paper on all models at once, as a table of Markdown.

    python -m scripts.claims_table runs/malik2022/claims.jsonl [more ...]

The files are those that `fairvec reproduce PAPER -o FOLDER` writes. A claim that several of them
answer on the same models is told once.
"""

import json
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

GRADES = ("holds", "fails", "undecided")
BETWEEN = " | "


def main() -> None:
    """Print one table for each paper that the files name."""
    records = [
        json.loads(line)
        for name in sys.argv[1:]
        for line in Path(name).read_text(encoding="utf-8").splitlines()
    ]
    for paper in dict.fromkeys(record["paper"] for record in records):
        print(f"**{paper}**\n")
        print("\n".join(table_of(record for record in records if record["paper"] == paper)) + "\n")


def table_of(records: Iterable[Mapping[str, Any]]) -> list[str]:
    """Return a line for each claim: on which models it holds, fails and stays undecided.

    Claims that no model could be asked are left out.
    """
    by_claim: dict[str, dict[str, dict[str, None]]] = {}
    for record in records:
        grades = by_claim.setdefault(record["says"], {grade: {} for grade in GRADES})
        if record["grade"] in grades:
            grades[record["grade"]][" + ".join(record["models"])] = None
    lines = [_row(("claim", *GRADES)), _row(["---"] * (1 + len(GRADES)))]
    for says, grades in by_claim.items():
        if any(grades.values()):
            lines.append(_row((says, *(", ".join(grades[grade]) for grade in GRADES))))
    return lines


def _row(cells: Iterable[str]) -> str:
    return f"| {BETWEEN.join(cells)} |"


if __name__ == "__main__":
    main()
