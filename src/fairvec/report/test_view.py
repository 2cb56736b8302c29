"""Parts of the page about one test, description or concept.

The effect with other words, the heat map of similarities, the words at both ends of a description,
a concept's components and plane, and the agreement of a flat and a curved model.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean

from markupsafe import Markup

from fairvec.core.format import format_number, is_significant, pluralize
from fairvec.messages import test_details as text
from fairvec.messages.figures import is_difference
from fairvec.report.plots import Mark
from fairvec.report.plots.svg import Scale, scale_of
from fairvec.report.plots.words import DEEPEST, Shades, heat_map, shade_class, shades_of
from fairvec.results import Outcome, Result
from fairvec.results.derived import Agreement
from fairvec.results.records import ConceptView, Description, WordScore


@dataclass(frozen=True)
class RobustnessRow:
    """One row: where the effect lies with other words, its ends, and the same in words."""

    label: str
    note: str
    at: float | None
    ends: tuple[float, float] | None
    evident: bool
    title: str


def robustness_rows(result: Result) -> list[RobustnessRow]:
    """Return the effect as it was found, then with shorter lists, other ones, equal frequency."""
    robustness = result.robustness
    if robustness is None:
        return []
    level = result.verdict.alpha
    interval = result.interval
    rows = [
        RobustnessRow(
            text.ALL_WORDS,
            "",
            result.effect,
            (interval.low, interval.high) if interval else None,
            is_significant(result.verdict.p, level),
            text.all_words_line(result),
        ),
        RobustnessRow(
            text.SHORTER_LISTS,
            text.shorter_lists_note(result, robustness),
            None,
            (robustness.low, robustness.high),
            False,
            text.shorter_lists_line(result, robustness),
        ),
    ]
    rows += [
        RobustnessRow(
            swap.source,
            text.swapped_lists(result, swap),
            swap.effect,
            None,
            is_significant(swap.p, level),
            text.other_lists_line(result, swap),
        )
        for swap in robustness.swaps
    ]
    if control := robustness.frequency:
        rows.append(
            RobustnessRow(
                text.EQUAL_FREQUENCY,
                "",
                control.effect,
                None,
                is_significant(control.p, level),
                text.equal_frequency_line(result, control),
            )
        )
    return rows


def robustness_scale(result: Result, rows: list[RobustnessRow]) -> Scale:
    """Return one axis that holds every row; d lies within ±2 for lists of equal size."""
    ends = [end for row in rows for end in row.ends or ()]
    usual = [0.0] if is_difference(result) else [-2.0, 2.0]
    return scale_of([*usual, *ends, *(row.at for row in rows if row.at is not None)])


@dataclass(frozen=True)
class SimilarityTable:
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
        shape = (
            f"{pluralize(len(self.rows), 'word')} by {pluralize(len(self.columns), 'attribute')}"
        )
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
        return format_number(self.shades.begins(-DEEPEST)), format_number(
            self.shades.begins(DEEPEST)
        )

    @property
    def about(self) -> str:
        """The table in two sentences: the mean of each quarter, and the two pairs at its ends."""
        cells = [
            (value, word, attribute)
            for word, row in zip(self.rows, self.table, strict=True)
            for attribute, value in zip(self.columns, row, strict=True)
        ]
        (least, *far), (most, *close) = min(cells), max(cells)
        means = {(target, to): self._mean(target, to) for target in "xy" for to in "ab"}
        return text.similarity_sentences(
            self.titles, means, (close[0], close[1], most), (far[0], far[1], least)
        )

    def _mean(self, target: str, to: str) -> float:
        rows = self.table[: self.of_x] if target == "x" else self.table[self.of_x :]
        return fmean(
            value for row in rows for value in (row[: self.of_a] if to == "a" else row[self.of_a :])
        )


def similarity_table(result: Result) -> SimilarityTable | None:
    """Return the similarities of a test; None if its record has none that fit its words."""
    attributes = [
        [*group.entries] for role in "ab" for group in result.coverage if group.role == role
    ]
    columns = [entry for entries in attributes for entry in entries]
    row_fits = [len(row) == len(columns) for row in result.similarities]
    if len(attributes) != 2 or not all(attributes) or len(row_fits) != len(result.words):
        return None
    scored_rows = zip(result.words, result.similarities, strict=True)
    # In the order of X and Y, and in each from A to B: so that a pattern is seen.
    ordered = sorted(scored_rows, key=lambda pair: (pair[0].role, -pair[0].score))
    if not all(row_fits) or {word.role for word, _ in ordered} != {"x", "y"}:
        return None
    return SimilarityTable(
        tuple(word.word for word, _ in ordered),
        tuple(columns),
        tuple(row for _, row in ordered),
        sum(word.role == "x" for word, _ in ordered),
        len(attributes[0]),
        text.list_titles(result),
    )


MOST_RANKED = 12
"""How many words are named at each end."""


@dataclass(frozen=True)
class RankingEnd:
    """One end of a ranking: what it is called, and its words, the outermost first."""

    title: str
    words: tuple[WordScore, ...]


@dataclass(frozen=True)
class Ranking:
    """All words of a description, and those at its two ends; `centred` if 0 parts the ends."""

    words: tuple[WordScore, ...]
    low: RankingEnd
    high: RankingEnd
    centred: bool


def ranking(description: Description) -> Ranking | None:
    """Return the words at both ends of a description; None if it has no number for every word.

    Numbers of both signs are parted at 0; others into the smaller and the larger half.
    """
    if (
        not description.words or description.test.kind == "movement"
    ):  # which names only the words that moved most
        return None
    ordered = sorted(description.words, key=lambda word: word.score)
    centred = ordered[0].score < 0 < ordered[-1].score
    half = len(ordered) // 2
    low = [word for word in ordered if word.score < 0] if centred else ordered[:half]
    high = [word for word in ordered if word.score > 0] if centred else ordered[half:]
    low_title, high_title = text.ranking_titles(description, centred=centred)
    return Ranking(
        tuple(ordered),
        RankingEnd(low_title, tuple(low[:MOST_RANKED])),
        RankingEnd(high_title, tuple(high[: -MOST_RANKED - 1 : -1])),
        centred,
    )


def views(outcomes: Sequence[Outcome]) -> list[ConceptView]:
    """Return the views among the outcomes."""
    return [outcome for outcome in outcomes if isinstance(outcome, ConceptView)]


def marks(view: ConceptView) -> list[Mark]:
    """Return the words of a view as marks; those that lean most get room for their words first."""
    ordered = sorted(view.words, key=lambda word: -abs(word.x))
    return [
        Mark(
            text=word.word,
            x=word.x,
            y=word.y,
            about=text.projected_word_label(word, view.axis),
            kind=f"{word.kind} {'positive' if word.x > 0 else 'negative'}",
            x_after=word.x_after,
        )
        for word in ordered
    ]


MOST_MARKS = 500
"""So many words are drawn, those farthest out."""


def agreement_marks(agreement: Agreement) -> list[Mark]:
    """Return the words as marks, x in the ball and y in flat space, as in Kumar's Figure 1.

    Those farthest out get room for their names first, and any at all.
    """
    placed = sorted(
        zip(agreement.words, agreement.flat, agreement.curved, strict=True),
        key=lambda row: -abs(row[1]) - abs(row[2]),
    )
    return [
        Mark(
            text=word.word,
            x=curved,
            y=flat,
            about=text.agreeing_word_label(word, flat, curved),
            kind="positive" if curved > 0 else "negative",
        )
        for word, flat, curved in placed[:MOST_MARKS]
    ]


def words_not_drawn(agreement: Agreement) -> int:
    """Return how many words have no mark, because there are very many."""
    return max(0, len(agreement.words) - MOST_MARKS)
