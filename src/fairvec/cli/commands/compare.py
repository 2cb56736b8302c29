"""fairvec compare: two runs side by side."""

import json
from pathlib import Path
from typing import Annotated

import typer
from rich.markup import escape
from rich.table import Table

from fairvec.cli.category_lines import category_row, lay_out_category_changes
from fairvec.cli.console import answer, lay_out, say
from fairvec.cli.runs import outcomes_of
from fairvec.evaluation import Comparison
from fairvec.evaluation import compare as compare_runs
from fairvec.report.words.effects import digits as digits_of
from fairvec.results import Change, Outcome, Skipped, flat


def compare(
    before: Annotated[Path, typer.Argument(help="Folder of the first run.")],
    after: Annotated[Path, typer.Argument(help="Folder of the second run.")],
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON lines.")] = False,
) -> None:
    """Say of each test that two runs share whether its effect was removed, reversed, ...

    Categories come first: the tests of each that both runs share, pooled.

    Of a run of 'fairvec debias' the debiased model is compared.
    """
    comparison = compare_runs(*(_of_the_last_model(outcomes_of(run)) for run in (before, after)))
    if as_json:
        for category in comparison.categories:
            answer(json.dumps(category_row(category), ensure_ascii=False))
        for pair in comparison.pairs:
            answer(json.dumps(_row(pair), ensure_ascii=False))
    else:
        lay_out_category_changes(comparison.categories)
        lay_out(comparison_table(comparison.pairs))
    if comparison.otherwise:
        say(
            f"Not compared, because they were asked with other settings: "
            f"{', '.join(comparison.otherwise)}."
        )
    if comparison.unpaired:
        say(f"{comparison.unpaired} tests are in one run only and are not compared.")
    others = sum(not pair.same_words for pair in comparison.pairs)
    if others:
        say(f"In {others} tests the two runs found different words, which may be what changed.")


def _of_the_last_model(outcomes: list[Outcome]) -> list[Outcome]:
    """Return the outcomes of the models after a change, or all where nothing was changed."""
    changed = {(one.model.name, one.model.sha256) for one in outcomes if isinstance(one, Change)}
    return [one for one in outcomes if not changed or (one.model.name, one.model.sha256) in changed]


def _row(pair: Comparison) -> dict[str, object]:
    return {
        "test": pair.after.test.id,
        "title": pair.after.test.title,
        "model_before": pair.before.model.name,
        "model_after": pair.after.model.name,
        "effect_before": flat(pair.before)["effect"],
        "effect_after": flat(pair.after)["effect"],
        "p_holm_before": pair.p_before,
        "p_holm_after": pair.p_after,
        "same_words": pair.same_words,
        "p_paired": pair.paired.value if pair.paired else None,
        "difference_low": pair.difference.low if pair.difference else None,
        "difference_high": pair.difference.high if pair.difference else None,
        "change": pair.change,
    }


def comparison_table(pairs: tuple[Comparison, ...]) -> Table:
    """Return one line per test: its effect and p before and after, and what that means."""
    several = len({_models(pair) for pair in pairs}) > 1
    headings = ("test", *(("model",) if several else ()), "effect", "Holm p", "change")
    table = Table(*headings, box=None, header_style="bold")
    if not several:
        table.title, table.title_justify = _models(pairs[0]), "left"
    for pair in pairs:
        fitted = len(pair.after.fitted_words)
        table.add_row(
            f"{pair.after.test.id}{f' (fitted on {fitted} of its words)' if fitted else ''}",
            *((_models(pair),) if several else ()),
            f"{_effect(pair.before)} → {_effect(pair.after)}",
            f"{_p(pair.p_before)} → {_p(pair.p_after)}",
            pair.change,
        )
    return table


def _models(pair: Comparison) -> str:
    # Escaped, because a table would read brackets in a name as its markup.
    names = dict.fromkeys([pair.before.model.name, pair.after.model.name])
    return " → ".join(escape(name) for name in names)


def _effect(outcome: Outcome) -> str:
    if isinstance(outcome, Skipped) and outcome.cause == "no-spread":
        return "alike"
    effect = flat(outcome)["effect"]
    digits = digits_of(outcome)
    return f"{effect:+.{digits}f}" if isinstance(effect, float) else "none"


def _p(p: float | None) -> str:
    return "none" if p is None else f"{p:.2g}"
