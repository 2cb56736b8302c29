"""Every target word of a test against every attribute: what its heat map shows and says."""

from dataclasses import dataclass
from statistics import fmean

from markupsafe import Markup

from fairvec.ground.numbers import counted, number
from fairvec.report.plots.heat_map import DEEPEST, Shades, heat_map, shade_class, shades_of
from fairvec.report.sections.close_up import list_titles
from fairvec.results import Result


@dataclass(frozen=True)
class Pairs:
    """A test's similarities, its words in the order of their leaning, X before Y."""

    rows: tuple[str, ...]
    columns: tuple[str, ...]
    table: tuple[tuple[float, ...], ...]
    of_x: int
    of_a: int
    titles: dict[str, str]

    @property
    def shades(self) -> Shades:
        """The colours of the similarities."""
        return shades_of(self.table)

    @property
    def drawing(self) -> Markup:
        """The heat map."""
        shape = f"{counted(len(self.rows), 'word')} by {counted(len(self.columns), 'attribute')}"
        about = f"{shape}. {self.about}"
        return heat_map(
            self.rows, self.columns, self.table, parted=(self.of_x, self.of_a), about=about
        )

    @property
    def steps(self) -> list[str]:
        """The styles of all colours, from the least similar to the most."""
        return [shade_class(step) for step in range(-DEEPEST, DEEPEST + 1)]

    @property
    def ends(self) -> tuple[str, str]:
        """The similarities at which the outermost colours begin."""
        return number(self.shades.begins(-DEEPEST)), number(self.shades.begins(DEEPEST))

    @property
    def about(self) -> str:
        """The table in two sentences: the mean of each quarter, and the two pairs at its ends."""
        quarters = [
            f"{self.titles.get(target, target.upper())} to {self.titles.get(to, to.upper())} "
            f"{number(self._mean(target, to), 3)}"
            for target in "xy"
            for to in "ab"
        ]
        cells = [
            (value, word, attribute)
            for word, row in zip(self.rows, self.table, strict=True)
            for attribute, value in zip(self.columns, row, strict=True)
        ]
        (least, *far), (most, *close) = min(cells), max(cells)
        return (
            f"Mean similarity: {', '.join(quarters)}. Closest: {close[0]} and {close[1]} "
            f"({number(most, 3)}); farthest: {far[0]} and {far[1]} ({number(least, 3)})."
        )

    def _mean(self, target: str, to: str) -> float:
        rows = self.table[: self.of_x] if target == "x" else self.table[self.of_x :]
        return fmean(
            value for row in rows for value in (row[: self.of_a] if to == "a" else row[self.of_a :])
        )


def pairs(result: Result) -> Pairs | None:
    """Return the similarities of a test; None if its record has none that fit its words."""
    attributes = [
        [*group.entries] for role in "ab" for group in result.coverage if group.role == role
    ]
    columns = [entry for entries in attributes for entry in entries]
    fitting = [len(row) == len(columns) for row in result.similarities]
    if len(attributes) != 2 or not all(attributes) or len(fitting) != len(result.words):
        return None
    told = zip(result.words, result.similarities, strict=True)
    # In the order of X and Y, and in each from A to B: so that a pattern is seen.
    ordered = sorted(told, key=lambda pair: (pair[0].role, -pair[0].score))
    if not all(fitting) or {word.role for word, _ in ordered} != {"x", "y"}:
        return None
    return Pairs(
        tuple(word.word for word, _ in ordered),
        tuple(columns),
        tuple(row for _, row in ordered),
        sum(word.role == "x" for word, _ in ordered),
        len(attributes[0]),
        list_titles(result),
    )
