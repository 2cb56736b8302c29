"""One test in close-up, as pictures that stand alone: its words, and how similar they are."""

from fairvec.ground.errors import SettingError
from fairvec.ground.numbers import number
from fairvec.report.figures.canvas import EDGE, WIDTH, Canvas
from fairvec.report.figures.picture import Picture
from fairvec.report.plots.strip_plot import strip_parts
from fairvec.report.sections.close_up import about_word, list_titles
from fairvec.report.sections.similarities import pairs
from fairvec.report.words.shortened import about_the_rest
from fairvec.results import Result


def strip_picture(result: Result) -> Picture:
    """Draw where each target word leans: X's above, Y's below, a bar from one mean to the other."""
    x, y = ([word for word in result.words if word.role == role] for role in "xy")
    if not x or not y:
        raise SettingError(
            f"{result.test.id} has no two lists of words whose leaning was measured by "
            f"{result.metric}, so there is no strip to draw; draw a test of WEAT or SEAT."
        )
    titles = list_titles(result)
    canvas = Canvas(f"{result.test.title}: where each word leans in {result.model.name}")
    canvas.caption(canvas.title)
    canvas.note(
        f"Above, filled: {titles.get('x', 'X')}. Below, hollow: {titles.get('y', 'Y')}. Bar: from "
        "one mean to the other."
    )
    canvas.below += 8
    for part in strip_parts(x, y, about_word):
        canvas.put(part)
    canvas.below += 4
    canvas.write(f"← {titles.get('b', 'B')}", colour="--soft")
    canvas.write(f"{titles.get('a', 'A')} →", x=WIDTH - EDGE, anchor="end", colour="--soft")
    canvas.below += 19
    if rest := about_the_rest(x, y):
        canvas.note(rest)
    canvas.note(result.test.sensitive)
    return canvas.finished()


def heat_picture(result: Result) -> Picture:
    """Draw how similar each target word is to each attribute."""
    near = pairs(result)
    if near is None:
        raise SettingError(
            f"The record of {result.test.id} by {result.metric} holds no similarities of words to "
            "attributes, so there is no heat map to draw; audit with weat, lists of fewer than "
            "3,600 pairs and this version."
        )
    titles = near.titles
    drawing = near.drawing
    wide = int(str(drawing).partition('width="')[2].partition('"')[0])
    canvas = Canvas(
        f"{result.test.title}: how similar each word is to each attribute in {result.model.name}",
        width=max(WIDTH, wide + 2 * EDGE),
    )
    canvas.caption(canvas.title)
    canvas.note(
        f"Rows: {titles.get('x', 'X')}, then {titles.get('y', 'Y')}. Columns: "
        f"{titles.get('a', 'A')} | {titles.get('b', 'B')}."
    )
    canvas.below += 8
    canvas.put(drawing)
    canvas.note(
        f"Deepest blue: {near.ends[0]} or less; deepest orange: {near.ends[1]} or more; no colour: "
        f"about the mean, {number(near.shades.mean)}. {near.about}"
    )
    canvas.note(result.test.sensitive)
    return canvas.finished()
