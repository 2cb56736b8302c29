"""SemBias: of four pairs, which one differs in gender by definition (Zhao et al. 2018)."""

from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple

from fairvec.benchmarks.base import (
    About,
    BenchmarkKind,
    BenchmarkSet,
    distinct,
    empty_error,
    numbered_lines,
    split_cells,
)
from fairvec.core.errors import LexiconError, SettingError


class Choice(NamedTuple):
    """One row of SemBias: a pair that differs in gender by definition, one by stereotype, two not.

    Male first in every pair.
    """

    definition: tuple[str, str]
    none: tuple[tuple[str, str], tuple[str, str]]
    stereotype: tuple[str, str]

    @property
    def pairs(self) -> tuple[tuple[str, str], ...]:
        """The four pairs in the order of the published file."""
        return self.definition, *self.none, self.stereotype


@dataclass(frozen=True)
class SemBiasSet(BenchmarkSet):
    """Rows of four pairs; the last `held_out` rows have words that no training list had."""

    kind: ClassVar[str] = "sembias"
    items: ClassVar[str] = "rows"

    rows: tuple[Choice, ...]
    held_out: int = 0

    def __len__(self) -> int:
        return len(self.rows)

    @property
    def texts(self) -> tuple[str, ...]:
        """Every word once."""
        return distinct(word for row in self.rows for pair in row.pairs for word in pair)


def parse_sembias(text: str, where: str) -> tuple[Choice, ...]:
    """Return the rows of four tab-separated pairs `he:she`: definition, none, none, stereotype."""
    rows = []
    for number, line in numbered_lines(text):
        pairs = [tuple(split_cells(cell, ":")) for cell in split_cells(line, "\t")]
        if len(pairs) != 4 or any(len(pair) != 2 or not all(pair) for pair in pairs):
            raise LexiconError(
                f"{where}, line {number}: a row has four pairs like 'king:queen' with tabs between "
                "them; correct it."
            )
        definition, none, another, stereotype = ((one, other) for one, other in pairs)
        rows.append(Choice(definition, (none, another), stereotype))
    if not rows:
        raise empty_error(where, "rows")
    return tuple(rows)


def _read(about: About, text: str, where: str, *, held_out: int, **_: Any) -> SemBiasSet:
    rows = parse_sembias(text, where)
    if not 0 <= held_out <= len(rows):
        raise SettingError(
            f"{where}: {held_out} rows cannot be held out of {len(rows)}; give fewer."
        )
    return SemBiasSet(*about, rows, held_out)


SEMBIAS = BenchmarkKind(
    SemBiasSet.kind,
    title="SemBias",
    plain="definitions in SemBias",
    family="definitions",
    shares="mean",
    read=_read,
    counted="definition",
    parts={"definition": "more", "stereotype": "less", "none": "less"},
)
