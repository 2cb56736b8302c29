"""A canvas on which a picture is put together: captions, rows of a plot, notes, top to bottom."""

from dataclasses import dataclass, field

from markupsafe import Markup

from fairvec.report.figures.picture import Picture, fit_for_xml, parsed
from fairvec.report.figures.styled import margins
from fairvec.report.plots.labels import text_width
from fairvec.report.plots.svg import element

WIDTH, EDGE = 760, 16
LABELS, VALUES, GAP = 290, 56, 14
"""Pixels of the column of labels, of that of values, and of what keeps columns apart."""

SIZE, SMALL, LINE = 13, 12, 15
MEASURED = 12
"""The size of the letters that `text_width` measures."""


def cut(text: str, room: float, size: float = SIZE) -> str:
    """Return as much of a text as fits in so many pixels, and three dots for the rest."""
    if _wide(text, size) <= room:
        return text
    kept = text
    while kept and _wide(f"{kept}…", size) > room:
        kept = kept[:-1]
    return f"{kept.rstrip()}…"


def lines_of(text: str, room: float, size: float = SMALL, *, most: int = 99) -> list[str]:
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
    return [cut(line, room, size) for line in lines if line]


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
        for line in lines_of(text, self.room, 1.15 * (SIZE + 1)):
            self.write(line, size=SIZE + 1, weight=600)
            self.below += 20
        self.below += 4

    def heading(self, text: str, *, weight: int = 600) -> None:
        """Put the name of what the next rows have in common."""
        self.below += 8
        self.write(cut(text, self.room), weight=weight)
        self.below += 19

    def note(self, text: str) -> None:
        """Put small words below a plot."""
        self.below += 6
        for line in lines_of(text, self.room):
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
        beside: str = "",
        down: float = 13,
    ) -> None:
        """Write one line at this height; `down` is how far below it the letters stand.

        What stands `beside` it is small.
        """
        if not (text or beside):
            return
        small = {"font_size": f"{SMALL}px", "font_weight": "400", "fill": "var(--soft)"}
        after = [element("tspan", Markup.escape(beside), **small)] if beside else []
        between = " " if text and beside else ""
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
        lines = [(line, "") for line in lines_of(label, LABELS, SIZE, most=2)]
        if lines and _wide(f"{lines[-1][0]}  ", SIZE) + _wide(small, SMALL) <= LABELS:
            lines[-1] = (lines[-1][0], small)
        elif small:
            lines.append(("", cut(small, LABELS, SMALL)))
        tall = max(high, LINE * len(lines) + 6)
        first = (tall - LINE * len(lines)) / 2 + 12
        for at, (said, beside) in enumerate(lines):
            self.write(said, weight=weight, beside=beside, down=first + LINE * at)
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
        """Put a drawing of the page, as wide as the canvas unless said otherwise."""
        above, under = margins(parsed(plot))
        place = f'x="{x:g}" y="{self.below + above + down:g}" width="{width or self.room:g}"'
        # The first width is that of the drawing itself; one with a width of its own keeps it.
        placed = str(plot).replace('width="100%"', place, 1)
        if placed == str(plot):
            placed = placed.replace("<svg", f'<svg x="{x:g}" y="{self.below + down:g}"', 1)
        self.parts.append(Markup(placed))  # noqa: S704  (drawn and escaped by report.plots)
        if move:
            high = float(parsed(plot).get("height", "0"))
            self.below += above + high + under

    def finished(self) -> Picture:
        """Return the picture."""
        height = round(self.below + EDGE)
        title = fit_for_xml(self.title)
        drawn = element(
            "svg",
            element("title", Markup.escape(title)),
            element("rect", width=self.width, height=height, fill="var(--paper)"),
            *self.parts,
        )
        return Picture(title, self.width, height, str(drawn))
