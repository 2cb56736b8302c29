"""Figures of the page that stand alone: in a notebook, or in a file."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from xml.etree.ElementTree import Element, fromstring, tostring

from markupsafe import Markup

from fairvec.core.errors import SettingError, os_reason
from fairvec.core.io.atomic_files import write_text
from fairvec.core.text import one_line
from fairvec.messages import captions
from fairvec.messages.categories import diamond_label
from fairvec.messages.figures import MOST_ROWS, format_effect, omitted_words_note
from fairvec.messages.test_details import list_titles, word_labels
from fairvec.messages.verdicts import is_evidence, outcome_line
from fairvec.report.arrange import ForestRow, rows_of_categories, rows_of_tests
from fairvec.report.page import difference_scale, effect_scale
from fairvec.report.palette import (
    ROOT,
    style_sheet,
    theme,
    theme_variables,
    vertical_margins,
    write_styles,
)
from fairvec.report.plots import Scale, diamond_row, forest_axis, forest_row
from fairvec.report.plots.labels import text_width
from fairvec.report.plots.svg import element
from fairvec.report.plots.words import strip_parts
from fairvec.report.test_view import similarity_table
from fairvec.results import Outcome, Result

ENDING = ".svg"
_NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def replace_invalid_xml(text: str) -> str:
    """Return the text with a mark in the place of what no XML may hold, such as a zero byte."""
    return _NOT_XML.sub("\ufffd", text)


def parse_svg(markup: str) -> Element:
    """Return a drawing as elements."""
    return fromstring(replace_invalid_xml(markup))  # noqa: S314  (drawn and escaped by report.plots)


@dataclass(frozen=True)
class Picture:
    """A figure; `drawn` are its elements with the classes of the page's style sheet.

    A notebook shows it in its own colours, light or dark; `save` writes an SVG that needs no style
    sheet, no font and no script, for a paper or a slide.
    """

    title: str
    width: int
    height: int
    drawn: str = field(repr=False)

    def svg(self, *, dark: bool = False) -> str:
        """Return it as an SVG that stands alone, on light paper or on dark."""
        sheet = style_sheet()
        return self._styled(sheet.dark if dark else sheet.light)

    def save(self, path: Path | str, *, dark: bool = False) -> Path:
        """Write it to a file .svg atomically."""
        file = Path(path)
        if file.suffix.lower() != ENDING:
            raise SettingError(
                f"{path}: a picture is saved as SVG; name a file that ends in {ENDING}."
            )
        try:
            write_text(file, f'<?xml version="1.0" encoding="utf-8"?>\n{self.svg(dark=dark)}\n')
        except OSError as error:
            raise SettingError(
                f"{path}: the picture cannot be written ({os_reason(error)}); name another file."
            ) from error
        return file

    def inline(self) -> str:
        """Return it as an SVG whose colours are those of the place that shows it."""
        return self._styled(theme_variables())

    def _repr_svg_(self) -> str:
        return self.svg()

    def _repr_html_(self) -> str:
        return f'<div class="{ROOT}"><style>{theme()}</style>{self.inline()}</div>'

    def __str__(self) -> str:
        """Return what is drawn, in one line."""
        return one_line(f"{self.title} ({self.width} by {self.height} pixels)")

    def _styled(self, colours: Mapping[str, str]) -> str:
        root = parse_svg(self.drawn)
        write_styles(root, colours)
        for name, value in (
            ("xmlns", "http://www.w3.org/2000/svg"),
            ("width", str(self.width)),
            ("height", str(self.height)),
            ("viewBox", f"0 0 {self.width} {self.height}"),
            ("font-family", style_sheet().light["--sans"].replace('"', "'")),
            ("role", "img"),
            ("style", "max-width:100%;height:auto"),
        ):
            root.set(name, value)
        return tostring(root, encoding="unicode")


# A canvas on which a picture is put together: captions, rows of a plot, notes, top to bottom.


WIDTH, EDGE = 760, 16
LABELS, VALUES, GAP = 290, 56, 14
"""Pixels of the column of labels, of that of values, and of what keeps columns apart."""

SIZE, SMALL, LINE = 13, 12, 15
MEASURED = 12
"""The size of the letters that `text_width` measures."""


def truncate(text: str, room: float, size: float = SIZE) -> str:
    """Return as much of a text as fits in so many pixels, and three dots for the rest."""
    if _wide(text, size) <= room:
        return text
    shortened = text
    while shortened and _wide(f"{shortened}…", size) > room:
        shortened = shortened[:-1]
    return f"{shortened.rstrip()}…"


def wrap_text(text: str, room: float, size: float = SMALL, *, most: int = 99) -> list[str]:
    """Return a text as lines that fit in so many pixels, broken between words.

    Of `most` lines the last one holds the rest, as much of it as fits.
    """
    lines = [""]
    for word in text.split():
        longer = f"{lines[-1]} {word}".strip()
        if _wide(longer, size) <= room or not lines[-1] or len(lines) == most:
            lines[-1] = longer
        else:
            lines.append(word)
    return [truncate(line, room, size) for line in lines if line]


def _wide(text: str, size: float) -> float:
    return text_width(text) * size / MEASURED


@dataclass
class Canvas:
    """What was put so far, and how far down it reaches."""

    title: str
    width: int = WIDTH
    below: float = EDGE
    parts: list[Markup] = field(default_factory=list)

    @property
    def room(self) -> float:
        """The pixels between the edges."""
        return self.width - 2 * EDGE

    def caption(self, text: str) -> None:
        """Put the line that says what is drawn."""
        # Bold letters are wider than those that are measured.
        for line in wrap_text(text, self.room, 1.15 * (SIZE + 1)):
            self.write(line, size=SIZE + 1, weight=600)
            self.below += 20
        self.below += 4

    def heading(self, text: str, *, weight: int = 600) -> None:
        """Put the name of what the next rows have in common."""
        self.below += 8
        self.write(truncate(text, self.room), weight=weight)
        self.below += 19

    def note(self, text: str) -> None:
        """Put small words below a plot."""
        self.below += 6
        for line in wrap_text(text, self.room):
            self.write(line, size=SMALL, colour="--soft")
            self.below += 17

    def write(
        self,
        text: str,
        *,
        x: float = EDGE,
        size: float = SIZE,
        weight: int = 400,
        colour: str = "--ink",
        anchor: str = "start",
        suffix: str = "",
        down: float = 13,
    ) -> None:
        """Write one line at this height; `down` is how far below it the letters stand.

        The `suffix` after it is small.
        """
        if not (text or suffix):
            return
        small = {"font_size": f"{SMALL}px", "font_weight": "400", "fill": "var(--soft)"}
        after = [element("tspan", Markup.escape(suffix), **small)] if suffix else []
        between = " " if text and suffix else ""
        self.parts.append(
            element(
                "text",
                Markup.escape(text + between),
                *after,
                x=x,
                y=self.below + down,
                font_size=f"{size}px",
                font_weight="" if weight == 400 else str(weight),
                fill=f"var({colour})",
                text_anchor="" if anchor == "start" else anchor,
            )
        )

    def row(
        self,
        label: str,
        small: str,
        plot: Markup,
        value: str,
        *,
        high: float = 26,
        weight: int = 400,
    ) -> None:
        """Put a row: its label, what is drawn of it and its value; a long label takes lines."""
        lines = [(line, "") for line in wrap_text(label, LABELS, SIZE, most=2)]
        if lines and _wide(f"{lines[-1][0]}  ", SIZE) + _wide(small, SMALL) <= LABELS:
            lines[-1] = (lines[-1][0], small)
        elif small:
            lines.append(("", truncate(small, LABELS, SMALL)))
        tall = max(high, LINE * len(lines) + 6)
        first = (tall - LINE * len(lines)) / 2 + 12
        for at, (line_text, suffix) in enumerate(lines):
            self.write(line_text, weight=weight, suffix=suffix, down=first + LINE * at)
        left, right = EDGE + LABELS + GAP, self.width - EDGE - VALUES
        self.put(plot, x=left, width=right - left, down=(tall - high) / 2, move=False)
        end = self.width - EDGE
        self.write(value, x=end, weight=weight, anchor="end", down=tall / 2 + 4.5)
        self.below += tall

    def put(
        self,
        plot: Markup,
        *,
        x: float = EDGE,
        width: float = 0.0,
        down: float = 0.0,
        move: bool = True,
    ) -> None:
        """Put a drawing of the page, as wide as the canvas by default."""
        above, under = vertical_margins(parse_svg(plot))
        place = f'x="{x:g}" y="{self.below + above + down:g}" width="{width or self.room:g}"'
        # The first width is that of the drawing itself; one with a width of its own keeps it.
        placed = str(plot).replace('width="100%"', place, 1)
        if placed == str(plot):
            placed = placed.replace("<svg", f'<svg x="{x:g}" y="{self.below + down:g}"', 1)
        self.parts.append(Markup(placed))  # noqa: S704  (drawn and escaped by report.plots)
        if move:
            high = float(parse_svg(plot).get("height", "0"))
            self.below += above + high + under

    def finished(self) -> Picture:
        """Return the picture."""
        height = round(self.below + EDGE)
        title = replace_invalid_xml(self.title)
        drawn = element(
            "svg",
            element("title", Markup.escape(title)),
            element("rect", width=self.width, height=height, fill="var(--paper)"),
            *self.parts,
        )
        return Picture(title, self.width, height, str(drawn))


# One test in close-up, as pictures that stand alone: its words, and how similar they are.


def strip_picture(result: Result) -> Picture:
    """Draw where each target word leans: X's above, Y's below, a bar from one mean to the other."""
    x, y = ([word for word in result.words if word.role == role] for role in "xy")
    if not x or not y:
        raise SettingError(
            f"{result.test.id} has no two lists of words whose leaning was measured by "
            f"{result.metric}, so there is no strip to draw; draw a test of WEAT or SEAT."
        )
    titles = list_titles(result)
    canvas = Canvas(captions.strip_caption(result))
    canvas.caption(canvas.title)
    canvas.note(captions.strip_key(result))
    canvas.below += 8
    for part in strip_parts(x, y, word_labels(result)):
        canvas.put(part)
    canvas.below += 4
    canvas.write(f"← {titles.get('b', 'B')}", colour="--soft")
    canvas.write(f"{titles.get('a', 'A')} →", x=WIDTH - EDGE, anchor="end", colour="--soft")
    canvas.below += 19
    if rest := omitted_words_note(x, y):
        canvas.note(rest)
    canvas.note(result.test.sensitive)
    return canvas.finished()


def heat_picture(result: Result) -> Picture:
    """Draw how similar each target word is to each attribute."""
    near = similarity_table(result)
    if near is None:
        raise SettingError(
            f"The record of {result.test.id} by {result.metric} holds no similarities of words to "
            "attributes, so there is no heat map to draw; audit with weat, lists of fewer than "
            "3,600 pairs and this version."
        )
    drawing = near.drawing
    wide = int(str(drawing).partition('width="')[2].partition('"')[0])
    canvas = Canvas(captions.heat_map_caption(result), width=max(WIDTH, wide + 2 * EDGE))
    canvas.caption(canvas.title)
    canvas.note(captions.heat_map_key(result))
    canvas.below += 8
    canvas.put(drawing)
    canvas.note(captions.heat_map_shades(near.ends, near.shades.mean, near.about))
    canvas.note(result.test.sensitive)
    return canvas.finished()


# Forest plots that stand alone: every test, or every category, on one axis.


def forest_picture(outcomes: Sequence[Outcome], *, most: int = MOST_ROWS) -> Picture:
    """Draw every test with its interval, and each category's tests together where they stand."""
    rows = rows_of_tests(outcomes)
    pooled = any(row.answer for row in rows)
    notes = [captions.TESTS_KEY, captions.POOLED_KEY * pooled]
    return _drawn(rows, outcomes, captions.tests_caption(pooled=pooled), notes, most)


def categories_picture(outcomes: Sequence[Outcome], *, most: int = MOST_ROWS) -> Picture:
    """Draw every category: its tests as dots, and all of them together as a diamond."""
    rows = rows_of_categories(outcomes)
    pooled = any(row.answer for row in rows)
    dots = captions.DOTS_KEY * any(row.results for row in rows)
    notes = [dots, captions.POOLED_KEY * pooled]
    return _drawn(rows, outcomes, captions.categories_caption(pooled=pooled), notes, most)


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
    models = list(dict.fromkeys(_model(row) for row in rows))
    canvas = Canvas(captions.caption_of_models(caption, models))
    canvas.caption(canvas.title)
    scales = {False: effect_scale(outcomes), True: difference_scale(outcomes)}
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
        canvas.note(captions.rows_drawn_note(most, len(rows)))
    shown = rows[:most]
    canvas.note(" ".join([*(note for note in notes if note), *_remarks(shown)]))
    return canvas.finished()


def _remarks(rows: Sequence[ForestRow]) -> list[str]:
    """Return the notes that these rows need to be understood."""
    remarks = {
        captions.PREDICTION_KEY: any(row.answer and row.answer.prediction for row in rows),
        captions.SIZES_KEY: not all(row.plain for row in rows),
        captions.DIFFERENCES_KEY: any(row.plain for row in rows),
        captions.HARMLESS_KEY: any(row.harmless for row in rows),
    }
    return [remark for remark, needed in remarks.items() if needed]


def _plot(row: ForestRow, scale: Scale) -> Markup:
    if row.result:
        drawn = forest_row(
            row.result.effect,
            row.result.interval,
            scale,
            significant=is_evidence(row.result),
            title=outcome_line(row.result),
        )
    else:
        title = diamond_label(row.answer) if row.answer else row.label
        drawn = diamond_row(row.answer, [one.effect for one in row.results], scale, title=title)
    return element("g", drawn, class_="harmless") if row.harmless else drawn


def _value(row: ForestRow) -> str:
    outcome = row.result or row.answer
    return format_effect(outcome, outcome.effect) if outcome else ""


def _weight(row: ForestRow) -> int:
    return 600 if row.answer and not row.results else 400


def _model(row: ForestRow) -> str:
    outcome = row.result or row.answer or row.results[0]
    return outcome.model.name
