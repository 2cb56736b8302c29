"""What a forest plot holds, row by row, before anything is drawn."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from fairvec.report.sections.arrange import Panel, Series, all_series, panels
from fairvec.report.sections.blocks import CategoryBlock, blocks, by_topic
from fairvec.report.words.effects import is_difference
from fairvec.results import CategoryAnswer, Outcome, Result


@dataclass(frozen=True, eq=False)
class ForestRow:
    """One row: a test, or all tests of a category together, on the axis of its kind of effect.

    `headings` are what it stands under, from the widest to the narrowest.
    """

    headings: tuple[str, ...]
    label: str
    small: str = ""
    result: Result | None = None
    answer: CategoryAnswer | None = None
    results: tuple[Result, ...] = ()
    plain: bool = False
    harmless: bool = False


def rows_of_tests(outcomes: Sequence[Outcome]) -> list[ForestRow]:
    """Return one row a test, and below each category's tests all of them together.

    Several models stand below the name of each test, one row each, as on the page.
    """
    series = _series(outcomes)
    if len(series) == 1:
        return [row for block in _ordered(blocks(series, outcomes)) for row in _rows_of(block)]
    rows = [row for panel in panels(series) for row in _rows_of_panel(panel)]
    return sorted(rows, key=lambda row: row.plain)


def rows_of_categories(outcomes: Sequence[Outcome]) -> list[ForestRow]:
    """Return one row a model and category: its tests as dots, and their answer together."""
    series = _series(outcomes)
    found = _ordered(blocks(series, outcomes))
    pooled = any(block.answer for block in found)
    shown = [block for block in found if block.kind == "bias" or not pooled]
    rows = [
        ForestRow(
            (str(block.topic),),
            block.series.label,
            "1 test" if len(block.results) == 1 else f"{len(block.results)} tests",
            answer=block.answer,
            results=tuple(block.results),
            plain=block.plain,
            harmless=block.kind != "bias",
        )
        for block in shown
    ]
    told = {id(row.answer) for row in rows}
    # Answers may stand without their tests, as those of `Results.categories()` do.
    alone = [one for one in outcomes if isinstance(one, CategoryAnswer) and id(one) not in told]
    rows += [
        ForestRow(
            (one.test.category.capitalize(),), one.model.name, answer=one, plain=is_difference(one)
        )
        for one in alone
    ]
    return sorted(rows, key=lambda row: row.plain)


def _series(outcomes: Sequence[Outcome]) -> tuple[Series, ...]:
    return all_series([one for one in outcomes if isinstance(one, Result)])


def _ordered(found: Sequence[CategoryBlock]) -> list[CategoryBlock]:
    """Return the blocks as the page has them: effect sizes first, then by category."""
    parts = ([block for block in found if block.plain is plain] for plain in (False, True))
    return [block for part in parts for some in by_topic(part).values() for block in some]


def _rows_of(block: CategoryBlock) -> Iterator[ForestRow]:
    for result in block.results:
        yield ForestRow(
            (str(block.topic),),
            result.test.title,
            result.test.id,
            result,
            plain=block.plain,
            harmless=block.kind != "bias",
        )
    if block.answer:
        together = len(block.answer.tests)
        label = f"{together} tests together" if together != 1 else "its one test"
        yield ForestRow((str(block.topic),), label, answer=block.answer, plain=block.plain)


def _rows_of_panel(panel: Panel) -> Iterator[ForestRow]:
    several = len(panel.series) > 1
    for category, tests in panel.measured.items():
        for test in tests:
            for one in panel.series:
                result = one.answers[test].result if test in one.answers else None
                if result is None:
                    continue
                head = (", ".join(panel.suites), str(category))
                yield ForestRow(
                    (*head, f"{test.title} ({test.id})") if several else head,
                    one.label if several else test.title,
                    "" if several else test.id,
                    result,
                    plain=is_difference(result),
                    harmless=test.kind != "bias",
                )
