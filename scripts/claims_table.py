"""The claims of a paper on all models at once, as a table of Markdown.

    python -m scripts.claims_table runs/malik2022 [more ...]

The folders are those that `fairvec reproduce PAPER -o FOLDER` writes. A claim that several of them
answer on the same models is told once.
"""

import sys
from collections.abc import Iterable

from fairvec.results.reproduction import ClaimLine, read_reproduction

GRADE_LABELS = {"holds": "holds", "fails": "fails", "undecided": "open", "not tried": ""}
"""What stands in a cell: a claim that is undecided is still open."""


def main() -> None:
    """Print one table for each paper that the files name."""
    claims = [claim for name in sys.argv[1:] for claim in read_reproduction(name).claims]
    for paper in dict.fromkeys(claim.paper for claim in claims):
        print(f"**{paper}**\n")
        print("\n".join(table_of(claim for claim in claims if claim.paper == paper)) + "\n")


def table_of(claims: Iterable[ClaimLine]) -> list[str]:
    """Return the models by number, then a line for each claim with its grade on each of them.

    A claim about several models has a column for them together. Claims that no model could be
    asked are left out.
    """
    by_claim: dict[str, dict[str, str]] = {}
    for claim in claims:
        grades = by_claim.setdefault(claim.says, {})
        if label := GRADE_LABELS[claim.grade]:
            grades[" + ".join(sorted(claim.models))] = label
    models = [*dict.fromkeys(model for grades in by_claim.values() for model in grades)]
    numbers = [str(number) for number, _ in enumerate(models, start=1)]
    footnotes = [f"{number}: {model}" for number, model in zip(numbers, models, strict=True)]
    lines = [
        f"{'; '.join(footnotes)}.",
        "",
        _row(("claim", *numbers)),
        _row(["---", *["---"] * len(models)]),
    ]
    lines += [
        _row((claim, *(grades.get(model, "") for model in models)))
        for claim, grades in by_claim.items()
        if grades
    ]
    return lines


def _row(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cells)} |"


if __name__ == "__main__":
    main()
