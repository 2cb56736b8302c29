"""A judged change as lines of a terminal."""

from collections.abc import Sequence

from rich.table import Table
from rich.text import Text

from fairvec.cli.category_lines import lay_out_category_changes
from fairvec.cli.console import lay_out, say
from fairvec.evaluation import RunComparison, compare
from fairvec.ground.numbers import p_value
from fairvec.report.sections.before_after import (
    BeforeAfter,
    alarming,
    before_and_after,
    heading,
    in_words,
    moved,
    shown,
)
from fairvec.results import Change, Outcome


def lay_out_changes(outcomes: Sequence[Outcome]) -> None:
    """Print what became of each category and figure, what has none, and all of it in a sentence."""
    if comparison := _compared(outcomes):
        lay_out_category_changes(comparison)
    for changed in before_and_after(outcomes):
        lay_out(_table(changed))
        for reason in dict.fromkeys(gap.reason for gap in changed.unknown):
            say(f"Skipped: {reason}")
        say(changed.summary)


def _compared(outcomes: Sequence[Outcome]) -> RunComparison | None:
    """Return the tests before and after, for what became of their categories."""
    changed = next((one for one in outcomes if isinstance(one, Change)), None)
    if changed is None:
        return None
    before, after = (
        [one for one in outcomes if one.model == model] for model in (changed.before, changed.model)
    )
    return compare(before, after)


def _table(changed: BeforeAfter) -> Table:
    """Return one line per figure: before and after, what became of it and how sure that is."""
    table = Table("test", "before → after", "change", "paired p", box=None, header_style="bold")
    table.title = Text(changed.title)
    table.title_justify = "left"
    for kind, changes in changed.groups.items():
        table.add_row(Text(heading(kind, changes), style="bold"))
        for one in changes:
            fitted = len(one.fitted_words)
            note = f" (fitted on {fitted} of its words)" if fitted else ""
            values = (shown(one, value) for value in (one.value_before, one.value_after))
            table.add_row(
                f"{changed.called(one)}{note}",
                " → ".join(values),
                Text(in_words(one), style="bold red" if alarming(one) else ""),
                p_value(one.paired.value) if one.paired else "",
            )
    if changed.movement or changed.unknown:
        table.add_row(Text("Neighbourhoods and movement", style="bold"))
    for figure in changed.movement:
        most = ", ".join(word.word for word in figure.words[:3])
        table.add_row(figure.test.title, moved(figure), Text(f"most: {most}" if most else ""))
    for gap in changed.unknown:
        table.add_row(gap.test.title, "skipped")
    return table
