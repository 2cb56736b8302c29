"""The sentiment task as tables of a terminal."""

from collections.abc import Iterator

from rich.table import Table
from rich.text import Text

from fairvec.evaluation.reviews.equity_task import EquityFound
from fairvec.evaluation.reviews.workflow import SentimentFound
from fairvec.ground.numbers import number, p_value, signed
from fairvec.report.sections.before_after import in_words
from fairvec.report.words.numbers import span
from fairvec.results import Change, Description, Outcome, Result, Skipped

HEADINGS = ("figure", "model", "value", "interval", "against", "difference", "p", "change")
BESIDE = "p over reviews alone"


def tables_of(found: SentimentFound) -> Iterator[Table]:
    """Give one table a network: every figure of every model, and what became of it."""
    changes = {(one.metric, one.test.id, one.model.name): one for one in found.changes}
    for metric in dict.fromkeys(each.task.name for each in found.learnt):
        own = [each for each in found.learnt if each.task.name == metric]
        headings = (*HEADINGS, BESIDE) if changes else HEADINGS[:4]
        table = Table(*headings, box=None, header_style="bold")
        table.title = Text(f"{metric}, {found.reviews.title}")
        table.title_justify = "left"
        for part in own[0].outcomes:
            for place, each in enumerate(own):
                one = each.outcomes[part]
                change = changes.get((metric, one.test.id, one.model.name))
                table.add_row("" if place else part, *_figure(one), *_change(change))
        yield table


def equity_table_of(found: EquityFound) -> Table:
    """Return one table of the sentences that differ in the group alone, by network and model."""
    changes = {(one.metric, one.test.id, one.model.name): one for one in found.changes}
    headings = ("sentences", "by", "model", "P(positive), a less b", "p", "answer", "change")
    table = Table(*headings, box=None, header_style="bold")
    table.title = Text("The same sentence about two groups")
    table.title_justify = "left"
    for one in found.differences:
        change = changes.get((one.metric, one.test.id, one.model.name))
        by = one.metric.rpartition("-by-")[2]
        table.add_row(
            one.test.title,
            by,
            Text(one.model.name),
            *_difference(one),
            Text(f"{in_words(change)}, was {signed(change.value_before, 3)}")
            if change and change.value_before is not None
            else "",
        )
    return table


def _difference(one: Outcome) -> tuple[str | Text, ...]:
    if not isinstance(one, Result):
        return "", "", Text(one.reason if isinstance(one, Skipped) else "")
    ends = one.interval
    between = f" ({signed(ends.low, 3)} to {signed(ends.high, 3)})" if ends else ""
    p = p_value(one.verdict.p if one.p_holm is None else one.p_holm)
    return signed(one.effect, 3) + between, p, Text(one.verdict.sentence)


def _figure(one: Description) -> tuple[Text, str, str]:
    between = span(one.interval, 3) if one.interval else ""
    return Text(one.model.name), number(one.value, 3), between


def _change(one: Change | None) -> tuple[str | Text, ...]:
    if one is None or one.value_after is None or one.value_before is None:
        return ()
    ends = one.difference
    between = f" ({signed(ends.low, 3)} to {signed(ends.high, 3)})" if ends else ""
    return (
        Text(one.before.name),
        signed(one.value_after - one.value_before, 3) + between,
        p_value(one.paired.value) if one.paired else "",
        Text(in_words(one)),
        p_value(one.over_items.value) if one.over_items else "",
    )
