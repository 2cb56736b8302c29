"""Forest plots that stand alone: every test, or every category, on one axis."""

from collections.abc import Sequence

from markupsafe import Markup

from fairvec.ground.errors import SettingError
from fairvec.ground.numbers import counted
from fairvec.ground.text.enumerations import listed
from fairvec.report.figures.canvas import Canvas
from fairvec.report.figures.picture import Picture
from fairvec.report.figures.rows_of_forests import ForestRow, rows_of_categories, rows_of_tests
from fairvec.report.plots import Scale, diamond_row, forest_axis, forest_row
from fairvec.report.plots.svg import element
from fairvec.report.sections.axes import scale_of_differences, shared_scale
from fairvec.report.sections.told import about_answer
from fairvec.report.words.effects import effect_of
from fairvec.report.words.wording import about, significant
from fairvec.results import Outcome

MOST = 200
"""Rows that one plot draws unless more are asked for."""

_TESTS = (
    "Dot: one test, on the line of its interval; filled: evidence after correction, hollow: none."
)
_POOLED = (
    "Diamond: the tests of a category pooled, as wide as the interval; filled: biased after "
    "correction over the categories."
)
_PREDICTED = "Thin line: where one more test of that kind would lie."
_HARMLESS = "Without colour: an association that is no bias."
_SIZES = (
    "Right of 0: as the tests’ authors say that the stereotype goes. d of 0.2 is small, 0.5 "
    "medium, 0.8 large."
)
_DIFFERENCES = "Of a difference (diff.): right of 0 the first group is read as more positive."


def forest_picture(outcomes: Sequence[Outcome], *, most: int = MOST) -> Picture:
    """Draw every test with its interval, and each category's tests together where they stand."""
    rows = rows_of_tests(outcomes)
    pooled = any(row.answer for row in rows)
    caption = "Every test" + (", and each category’s tests together" if pooled else "")
    return _drawn(rows, outcomes, caption, [_TESTS, _POOLED * pooled], most)


def categories_picture(outcomes: Sequence[Outcome], *, most: int = MOST) -> Picture:
    """Draw every category: its tests as dots, and all of them together as a diamond."""
    rows = rows_of_categories(outcomes)
    pooled = any(row.answer for row in rows)
    caption = "Every category: its tests" + (", and all of them together" if pooled else "")
    dots = "Small dots: single tests." * any(row.results for row in rows)
    return _drawn(rows, outcomes, caption, [dots, _POOLED * pooled], most)


def _drawn(
    rows: Sequence[ForestRow],
    outcomes: Sequence[Outcome],
    caption: str,
    notes: Sequence[str],
    most: int,
) -> Picture:
    if not rows:
        raise SettingError(
            "There is no measured test among these results, so there is no effect to draw; look "
            "at the reasons of what was skipped, or take results with p-values."
        )
    if most < 1:
        raise SettingError(f"most is {most}; draw at least 1 row.")
    models = listed(list(dict.fromkeys(_model(row) for row in rows)))
    canvas = Canvas(f"{caption}: {models}")
    canvas.caption(canvas.title)
    scales = {False: shared_scale(outcomes), True: scale_of_differences(outcomes)}
    above: tuple[str, ...] = ()
    plain: bool | None = None
    for row in rows[:most]:
        if row.plain is not plain:
            plain, above = row.plain, ()
            axis = forest_axis(scales[row.plain])
            canvas.row("", "", axis, "diff." if plain else "d", high=20)
        same = [one == other for one, other in zip(row.headings, above, strict=False)]
        first = same.index(False) if False in same else len(same)
        for depth, heading in list(enumerate(row.headings))[first:]:
            canvas.heading(heading, weight=600 if depth < 2 else 400)
        above = row.headings
        canvas.row(
            row.label, row.small, _plot(row, scales[row.plain]), _value(row), weight=_weight(row)
        )
    if len(rows) > most:
        canvas.note(f"The first {most} of {counted(len(rows), 'row')} are drawn.")
    shown = rows[:most]
    canvas.note(" ".join([*(note for note in notes if note), *_remarks(shown)]))
    return canvas.finished()


def _remarks(rows: Sequence[ForestRow]) -> list[str]:
    """Return what must be said of these rows for them to be read."""
    remarks = {
        _PREDICTED: any(row.answer and row.answer.prediction for row in rows),
        _SIZES: not all(row.plain for row in rows),
        _DIFFERENCES: any(row.plain for row in rows),
        _HARMLESS: any(row.harmless for row in rows),
    }
    return [remark for remark, needed in remarks.items() if needed]


def _plot(row: ForestRow, scale: Scale) -> Markup:
    if row.result:
        drawn = forest_row(
            row.result.effect,
            row.result.interval,
            scale,
            significant=significant(row.result),
            title=about(row.result),
        )
    else:
        title = about_answer(row.answer) if row.answer else row.label
        drawn = diamond_row(row.answer, [one.effect for one in row.results], scale, title=title)
    return element("g", drawn, class_="harmless") if row.harmless else drawn


def _value(row: ForestRow) -> str:
    told = row.result or row.answer
    return effect_of(told, told.effect) if told else ""


def _weight(row: ForestRow) -> int:
    return 600 if row.answer and not row.results else 400


def _model(row: ForestRow) -> str:
    told = row.result or row.answer or row.results[0]
    return told.model.name
