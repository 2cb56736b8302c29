"""fairvec compare: two runs side by side."""

import json
from pathlib import Path
from typing import Annotated

import typer
from rich.table import Table

from fairvec.cli.console import answer, out
from fairvec.evaluation import Comparison
from fairvec.evaluation import compare as compare_runs
from fairvec.results import read_results


def compare(
    before: Annotated[Path, typer.Argument(help="Folder of the first run.")],
    after: Annotated[Path, typer.Argument(help="Folder of the second run.")],
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON lines.")] = False,
) -> None:
    """Say of each test that two runs share whether its effect was removed, reversed, ..."""
    comparisons = compare_runs(read_results(before), read_results(after))
    if as_json:
        for comparison in comparisons:
            answer(json.dumps(_row(comparison), ensure_ascii=False))
    else:
        out.print(_table(comparisons))


def _row(comparison: Comparison) -> dict[str, str | float]:
    return {
        "test": comparison.after.test.id,
        "title": comparison.after.test.title,
        "model_before": comparison.before.model.name,
        "model_after": comparison.after.model.name,
        "effect_before": comparison.before.effect,
        "effect_after": comparison.after.effect,
        "p_holm_before": comparison.before.verdict.p_holm,
        "p_holm_after": comparison.after.verdict.p_holm,
        "change": comparison.change,
    }


def _table(comparisons: list[Comparison]) -> Table:
    table = Table("test", "model", "effect", "Holm p", "change", box=None, header_style="bold")
    for comparison in comparisons:
        row = _row(comparison)
        same = row["model_before"] == row["model_after"]
        table.add_row(
            str(row["test"]),
            str(row["model_after"]) if same else f"{row['model_before']} → {row['model_after']}",
            f"{row['effect_before']:+.2f} → {row['effect_after']:+.2f}",
            f"{row['p_holm_before']:.2g} → {row['p_holm_after']:.2g}",
            str(row["change"]),
        )
    return table
