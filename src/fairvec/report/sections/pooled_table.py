"""Very many answers as tables that fit a page: models beside one another only if there is room."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from fairvec.report.sections.arrange import Series, Topic, grouped
from fairvec.report.sections.blocks import CategoryBlock

ROOM = 64
"""Letters of headings that stand beside one another on paper, next to a column of names."""

NARROWEST, WIDEST = 6, 16
"""Letters that a column has at least, for its figures; a longer word of a heading is cut."""


@dataclass(frozen=True, eq=False)
class PooledRow:
    """One line of a table: a name, and for each column what is known of it."""

    name: str
    cells: tuple[tuple[CategoryBlock, ...], ...]


@dataclass(frozen=True, eq=False)
class PooledTable:
    """Names of columns, and the rows under them."""

    columns: tuple[str, ...]
    rows: tuple[PooledRow, ...]


def pooled_tables(series: Sequence[Series], found: Sequence[CategoryBlock]) -> list[PooledTable]:
    """Return one table with models as columns if they fit, else as many as the categories need."""
    cells = grouped(found, lambda block: (series.index(block.series), block.topic))
    topics = [*dict.fromkeys(block.topic for block in found)]
    models, names = [one.label for one in series], [*map(str, topics)]

    def cell(model: int, topic: Topic) -> tuple[CategoryBlock, ...]:
        return tuple(cells.get((model, topic), ()))

    if len(side_by_side(models)) == 1:
        rows = (
            PooledRow(str(topic), tuple(cell(model, topic) for model in range(len(models))))
            for topic in topics
        )
        return [PooledTable(tuple(models), tuple(rows))]
    return [
        PooledTable(
            tuple(names[place] for place in part),
            tuple(
                PooledRow(label, tuple(cell(model, topics[place]) for place in part))
                for model, label in enumerate(models)
            ),
        )
        for part in side_by_side(names)
    ]


def side_by_side(headings: Sequence[str]) -> list[list[int]]:
    """Return the places of headings in as many parts as it takes to fit each on a page."""
    parts: list[list[int]] = []
    left = 0
    for place, heading in enumerate(headings):
        width = min(max(NARROWEST, *map(len, re.split(r"[\s-]", heading))), WIDEST) + 2
        if not parts or width > left:
            parts.append([])
            left = ROOM
        parts[-1].append(place)
        left -= width
    return parts
