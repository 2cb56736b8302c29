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

SHOWN = {"holds": "holds", "fails": "fails", "undecided": "open", "not tried": ""}
"""What stands in a cell: a claim that is undecided is still open."""


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
    """Return the models by number, then a line for each claim with its grade on each of them.

    A claim about several models has a column for them together. Claims that no model could be
    asked are left out.
    """
    by_claim: dict[str, dict[str, str]] = {}
    for record in records:
        grades = by_claim.setdefault(record["says"], {})
        if shown := SHOWN[record["grade"]]:
            grades[" + ".join(sorted(record["models"]))] = shown
    models = [*dict.fromkeys(model for grades in by_claim.values() for model in grades)]
    numbers = [str(number) for number, _ in enumerate(models, start=1)]
    told = [f"{number}: {model}" for number, model in zip(numbers, models, strict=True)]
    lines = [
        f"{'; '.join(told)}.",
        "",
        _row(("claim", *numbers)),
        _row(["---", *["---"] * len(models)]),
    ]
    lines += [
        _row((says, *(grades.get(model, "") for model in models)))
        for says, grades in by_claim.items()
        if grades
    ]
    return lines


def _row(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cells)} |"


if __name__ == "__main__":
    main()
