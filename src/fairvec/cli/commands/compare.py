"""fairvec compare: two runs side by side."""

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Annotated

import typer
from rich.table import Table

from fairvec.cli.category_lines import lay_out_category_changes
from fairvec.cli.console import answer, lay_out, say
from fairvec.cli.gates.junit import check_junit_place
from fairvec.cli.gates.markdown import table
from fairvec.cli.gates.telling import JunitOption, MarkdownOption, conclude
from fairvec.cli.runs import outcomes_of
from fairvec.evaluation import Comparison, RunComparison
from fairvec.evaluation import compare as compare_runs
from fairvec.evaluation.changes.across_geometries import compare_across
from fairvec.evaluation.changes.compare import of_the_last_model
from fairvec.evaluation.changes.comparison_rows import (
    COMPARISON_COLUMNS,
    COMPARISON_VALUES,
    comparison_rows,
)
from fairvec.ground.errors import SettingError
from fairvec.ground.numbers import counted, p_value, signed
from fairvec.ground.text.visible_text import visible
from fairvec.report.words.effects import digits as digits_of
from fairvec.results import CATEGORY, Condition, Outcome, Skipped, flat
from fairvec.results.conditions.gate import Gate, Row, cell, full_name, told_apart_by
from fairvec.results.lines import ACROSS

_SHOWN = (
    *("test", "model_before", "model_after", "pairing", "answered", "effect_before"),
    *("effect_after", "p_holm_before", "p_holm_after", "p_paired", "change"),
)
_MOST_NAMED = 5


def compare(
    before: Annotated[Path, typer.Argument(help="Folder of the first run.")],
    after: Annotated[Path, typer.Argument(help="Folder of the second run.")],
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON lines.")] = False,
    fail_if: Annotated[
        str | None,
        typer.Option(
            help="Condition on a compared test, for example: change in ['appeared', 'introduced', "
            "'overshot', 'reversed', 'increased'] or answered == 'before'; or on all by count, "
            f"mean, max and min, as in 'fairvec check'. Columns: {', '.join(COMPARISON_COLUMNS)}."
        ),
    ] = None,
    across_geometries: Annotated[
        str | None,
        typer.Option(
            metavar="UNIT",
            help="Compare models whose similarities differ, as in flat space and the ball: by "
            "'ranks' of the words, or by 'standardised' leanings.",
        ),
    ] = None,
    markdown: MarkdownOption = False,
    junit: JunitOption = None,
) -> None:
    """Say of each test that two runs share whether its effect was removed, reversed, ...

    Categories come first: the tests of each that both runs share, pooled. Of a run of 'fairvec
    debias' the debiased model is compared. With --fail-if it exits with 1 and names the offending
    rows, categories among them (kind == 'category'); a test that only one run has is a row too,
    whose pairing is vanished or new, and answered == 'before' says that an answer was lost. With
    --across-geometries every figure is in a unit that both models share, and none is one of a run.
    """
    _check_options(as_json=as_json, fail_if=fail_if, markdown=markdown, junit=junit)
    condition = Condition(fail_if, COMPARISON_COLUMNS, COMPARISON_VALUES) if fail_if else None
    runs = [of_the_last_model(outcomes_of(run)) for run in (before, after)]
    comparison = (
        compare_runs(*runs)
        if across_geometries is None
        else compare_across(*runs, by=across_geometries)
    )
    rows = comparison_rows(comparison)
    notes = _notes(comparison, rows)
    if condition is None:
        _show(comparison, rows, as_json=as_json, markdown=markdown)
        for note in notes:
            say(note)
        return
    gate = Gate(
        command="fairvec compare",
        things="comparisons",
        condition=condition,
        rows=rows,
        shown=_shown(rows),
        place=_models_of,
        name=full_name(rows),
        unanswered=_silence,
        notes=notes,
    )
    if as_json:
        answers = [None] * len(rows) if condition.over_rows else gate.ruling.answers
        for row, meets in zip(rows, answers, strict=True):
            answer(json.dumps({**row, "meets": meets}, ensure_ascii=False))
    elif not markdown:
        _lay_out(comparison)
    lines = ["  ".join(f"{name}={cell(row[name])}" for name in gate.shown) for row in gate.met]
    conclude(gate, lines=None if as_json else lines, markdown=markdown, junit=junit)


def _check_options(
    *, as_json: bool, fail_if: str | None, markdown: bool, junit: Path | None
) -> None:
    check_junit_place(junit)
    if as_json and markdown:
        raise SettingError("--json and --markdown are two answers to one question; choose one.")
    if junit is not None and fail_if is None:
        raise SettingError("--junit writes what a condition decided; add --fail-if CONDITION.")
    if fail_if is not None and not fail_if.strip():
        raise SettingError("--fail-if is empty; write a condition, or leave it out.")


def _show(comparison: RunComparison, rows: Sequence[Row], *, as_json: bool, markdown: bool) -> None:
    """Print the categories and tests that both runs have; as JSON also those that one has."""
    if as_json:
        for row in rows:
            answer(json.dumps(row, ensure_ascii=False))
    elif markdown:
        paired = [row for row in rows if row["pairing"] == "paired"]
        answer(
            table(paired, [name for name in _shown(paired) if name not in ("pairing", "answered")])
        )
    else:
        _lay_out(comparison)


def _shown(rows: Sequence[Row]) -> tuple[str, ...]:
    across = ("across",) if any(row["across"] for row in rows) else ()
    return (_SHOWN[0], *told_apart_by(rows), *across, *_SHOWN[1:])


def _lay_out(comparison: RunComparison) -> None:
    lay_out_category_changes(comparison)
    lay_out(comparison_table(comparison.pairs, across=comparison.across))


def _notes(comparison: RunComparison, rows: Sequence[Row]) -> tuple[str, ...]:
    """Say what was not compared, and of which tests the answer was lost."""
    notes = [*_across(comparison)]
    if comparison.otherwise:
        notes += [
            "Not compared, because they were asked with other settings: "
            f"{', '.join(comparison.otherwise)}."
        ]
    if comparison.unpaired:
        verb = "is" if comparison.unpaired == 1 else "are"
        tests = counted(comparison.unpaired, "test")
        notes += [f"{tests} {verb} in one run only and {verb} not compared."]
    for thing, things in (("test", "tests"), (CATEGORY, "categories")):
        lost = [
            cell(row["test"])
            for row in rows
            if row["answered"] == "before" and (row["kind"] == CATEGORY) == (thing == CATEGORY)
        ]
        named = ", ".join(lost[:_MOST_NAMED]) + (" and more" if lost[_MOST_NAMED:] else "")
        several = f"{len(lost)} {things} had an answer before and have none now"
        one = f"1 {thing} had an answer before and has none now"
        if lost:
            notes += [
                f"{several if lost[1:] else one} ({named}): no change of it can be seen; fail on "
                "that with: answered == 'before'."
            ]
    if others := sum(not pair.same_words for pair in comparison.pairs):
        notes += [
            f"In {counted(others, 'test')} the two runs found different words, which may be what "
            "changed."
        ]
    return tuple(notes)


def _across(comparison: RunComparison) -> Iterator[str]:
    """Say in which unit models of different geometries were compared, and what that leaves open."""
    if not comparison.across:
        return
    ways = ", ".join(dict.fromkeys(pair.after.similarity or "none" for pair in comparison.pairs))
    yield (
        f"Compared {ACROSS[comparison.across]}, over the words that both models have (similarity "
        f"{ways}): no figure here is one of either run, and other seeds of training would give "
        "others."
    )
    if ", then " not in ways:
        yield (
            "Both runs have the same similarity; without --across-geometries their own figures are "
            "compared."
        )
    if comparison.left_out:
        yield (
            f"Not compared, because they have no p-value over words: "
            f"{', '.join(comparison.left_out)}."
        )


def _models_of(row: Row) -> str:
    names = dict.fromkeys([row["model_before"], row["model_after"]])
    return " -> ".join(str(name) for name in names if name is not None)


def _silence(row: Row) -> str:
    """Say why a comparison has no answer; nothing if it has one."""
    return {
        "before": "It had an answer before and has none now.",
        "after": "It has an answer now and had none before.",
        "neither": "It has no answer in either run.",
    }.get(str(row["answered"]), "")


def comparison_table(pairs: tuple[Comparison, ...], *, across: str = "") -> Table:
    """Return one line per test: its effect and p before and after, and what that means."""
    several = len({_models(pair) for pair in pairs}) > 1
    effect = f"effect {ACROSS[across]}" if across else "effect"
    headings = ("test", *(("model",) if several else ()), effect, "Holm p", "change")
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
            pair.change.replace("-", " "),
        )
    return table


def _models(pair: Comparison) -> str:
    names = dict.fromkeys([pair.before.model.name, pair.after.model.name])
    return " → ".join(visible(name, but="") for name in names)


def _effect(outcome: Outcome) -> str:
    if isinstance(outcome, Skipped) and outcome.cause == "no-spread":
        return "alike"
    effect = flat(outcome)["effect"]
    return signed(effect, digits_of(outcome)) if isinstance(effect, float) else "none"


def _p(p: float | None) -> str:
    return "none" if p is None else p_value(p)
