"""Parts of the page about one test, description or concept.

The effect with other words, the heat map of similarities, the words at both ends of a description,
a concept's components and plane, and the agreement of a flat and a curved model.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean

from markupsafe import Markup

from fairvec.core.format import (
    format_count,
    format_number,
    format_p,
    format_percent,
    format_signed,
    is_significant,
    join_words,
    pluralize,
)
from fairvec.messages.figures import (
    effect_symbol,
    format_effect,
    format_effect_interval,
    format_plain_effect,
    is_difference,
)
from fairvec.messages.test_details import list_titles
from fairvec.report.plots import Mark
from fairvec.report.plots.svg import Scale, scale_of
from fairvec.report.plots.words import DEEPEST, Shades, heat_map, shade_class, shades_of
from fairvec.results import Outcome, Result
from fairvec.results.derived import Agreement
from fairvec.results.records import ConceptView, Description, ProjectedWord, WordScore
from fairvec.results.verdicts import FrequencyControl, ListSwap, Robustness


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
    rows = [_original_row(result), _with_shorter_lists(result, robustness)]
    rows += [_with_other_lists(result, swap, level) for swap in robustness.swaps]
    if robustness.frequency:
        effect_and_p = _effect_and_p(result, robustness.frequency.effect, robustness.frequency.p)
        evident = is_significant(robustness.frequency.p, level)
        label = "At equal word frequency"
        rows.append(
            RobustnessRow(
                label, "", robustness.frequency.effect, None, evident, f"{label}: {effect_and_p}"
            )
        )
    return rows


def robustness_scale(result: Result, rows: list[RobustnessRow]) -> Scale:
    """Return one axis that holds every row; d lies within ±2 for lists of equal size."""
    ends = [end for row in rows for end in row.ends or ()]
    usual = [0.0] if is_difference(result) else [-2.0, 2.0]
    return scale_of([*usual, *ends, *(row.at for row in rows if row.at is not None)])


def _original_row(result: Result) -> RobustnessRow:
    interval = result.interval
    between = (
        f", {format_percent(interval.level)} interval {format_effect_interval(result, interval)}"
        if interval
        else ""
    )
    return RobustnessRow(
        "With all words",
        "",
        result.effect,
        (interval.low, interval.high) if interval else None,
        is_significant(result.verdict.p, result.verdict.alpha),
        f"With all words: {_effect_and_p(result, result.effect, result.verdict.p)}{between}",
    )


def _with_shorter_lists(result: Result, robustness: Robustness) -> RobustnessRow:
    note = f"significant in {format_percent(robustness.significant)}{_expected(result)}"
    between = f"{format_effect(result, robustness.low)} to {format_effect(result, robustness.high)}"
    title = f"Shorter lists: {effect_symbol(result)} mostly from {between}, {note}"
    return RobustnessRow(
        "Shorter lists", note, None, (robustness.low, robustness.high), False, title
    )


def _with_other_lists(result: Result, swap: ListSwap, level: float) -> RobustnessRow:
    names = join_words([list_titles(result).get(role, role) for role in swap.lists])
    effect_and_p = _effect_and_p(result, swap.effect, swap.p)
    title = f"{names} of {swap.source}: {effect_and_p}"
    return RobustnessRow(
        swap.source, names, swap.effect, None, is_significant(swap.p, level), title
    )


def _effect_and_p(result: Result, effect: float, p: float) -> str:
    return f"{effect_symbol(result)} = {format_effect(result, effect)}, p = {format_p(p)}"


def _expected(result: Result) -> str:
    """Return what lists so short would show of it anyway, if there is something and it is known."""
    share = result.robustness.expected if result.robustness else None
    if share is None or not is_significant(result.verdict.p, result.verdict.alpha):
        return ""
    return f", about {format_percent(round(share, 2))} expected of lists so short"


def robustness_notes(result: Result) -> list[str]:
    """Return what was seen with shorter lists, other lists and at equal frequency."""
    robustness = result.robustness
    if robustness is None:
        return []
    titles = list_titles(result)
    swaps = [
        f"With the {join_words([titles.get(role, role) for role in swap.lists])} of {swap.source}: "
        f"{_effect_and_p(result, swap.effect, swap.p)}."
        for swap in robustness.swaps
    ]
    if robustness.untried:
        swaps.append(f"Not tried, too few of their words found: {', '.join(robustness.untried)}.")
    if robustness.frequency:
        evident = is_significant(result.verdict.p, result.verdict.alpha)
        frequency = _frequency_sentence(robustness.frequency, result, evident)
    else:
        frequency = "Not compared at equal frequency: no word counts, or nothing left to compare."
    return [_draws_sentence(robustness, result), *swaps, frequency]


def _draws_sentence(robustness: Robustness, result: Result) -> str:
    low, high = (format_plain_effect(result, end) for end in (robustness.low, robustness.high))
    name = "the difference" if is_difference(result) else "d"
    return (
        f"With {format_percent(robustness.kept)} of the words drawn at random "
        f"({robustness.draws} times) {name} lies between {low} and {high} in "
        f"{format_percent(0.95)} of the draws, keeps its sign in "
        f"{format_percent(robustness.same_sign)} and is significant alone in "
        f"{format_percent(robustness.significant)}{_expected(result)}."
    )


def _frequency_sentence(frequency: FrequencyControl, result: Result, evident: bool) -> str:
    explains = (
        "frequency may explain the effect"
        if frequency.accounts_for(result.effect)
        else "the evidence is lost, half of the effect or more is left"
        if frequency.explains
        else "frequency does not explain the effect"
    )
    return (
        f"Word scores and log frequency correlate at {format_number(frequency.correlation)}; at "
        f"equal frequency {_effect_and_p(result, frequency.effect, frequency.p)}"
        f"{f': {explains}' if evident else ''}."
    )


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
        quarters = [
            f"{self.titles.get(target, target.upper())} to {self.titles.get(to, to.upper())} "
            f"{format_number(self._mean(target, to), 3)}"
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
            f"({format_number(most, 3)}); farthest: {far[0]} and {far[1]} "
            f"({format_number(least, 3)})."
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
        list_titles(result),
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
    low_title, high_title = _titles(description, centred=centred)
    return Ranking(
        tuple(ordered),
        RankingEnd(low_title, tuple(low[:MOST_RANKED])),
        RankingEnd(high_title, tuple(high[: -MOST_RANKED - 1 : -1])),
        centred,
    )


def ranked_word_label(word: WordScore) -> str:
    """Return what is known of one word, for its dot."""
    facts = (word.word, word.transliteration, f"“{word.gloss}”" * bool(word.gloss))
    return " · ".join([*(part for part in facts if part), format_number(word.score, 3)])


def _titles(description: Description, *, centred: bool) -> tuple[str, str]:
    """Return what the low and the high end are called: by the lists to which the signs lean.

    A measure that does not declare to which list a sign leans has no names for its ends.
    """
    side = description.described.positive_words if description.described else ""
    if not (centred and side):
        return "Smallest", "Largest"
    lists = {group.role: group.title for group in description.coverage}
    low, high = (lists.get(role, role.upper()) for role in ("ba" if side == "a" else "ab"))
    return f"Lean most to {low}", f"Lean most to {high}"


WORD_KINDS = {
    "listed": "listed as specific",
    "learnt": "specific by the plane",
    "neutral": "neutral",
}


def views(outcomes: Sequence[Outcome]) -> list[ConceptView]:
    """Return the views among the outcomes."""
    return [outcome for outcome in outcomes if isinstance(outcome, ConceptView)]


def components_sentence(view: ConceptView) -> str:
    """Return what the first component says, in one sentence."""
    first = view.components[0]
    most = format_percent(first.by_chance_high)
    return (
        f"One direction holds {format_percent(first.share)} of what {len(view.pairs)} pairs differ "
        "in; of as many random pairs of words one direction holds "
        f"{format_percent(first.by_chance)}, and at most {most} in {format_percent(0.975)} of "
        f"{format_count(view.draws)} draws."
    )


def plane_sentence(view: ConceptView) -> str:
    """Return how well the plane parts specific words from the others."""
    recognised, taught = view.recognised
    return f"The plane is that of {view.plane}, and {recognised} of the {taught} below."


def marks(view: ConceptView) -> list[Mark]:
    """Return the words of a view as marks; those that lean most get room for their words first."""
    ordered = sorted(view.words, key=lambda word: -abs(word.x))
    return [
        Mark(
            text=word.word,
            x=word.x,
            y=word.y,
            about=projected_word_label(word, view.axis),
            kind=f"{word.kind} {'positive' if word.x > 0 else 'negative'}",
            x_after=word.x_after,
        )
        for word in ordered
    ]


def projected_word_label(word: ProjectedWord, axis: tuple[str, str]) -> str:
    """Return all that is known of one word, for its dot."""
    facts = [
        word.word,
        word.transliteration,
        f"“{word.gloss}”" * bool(word.gloss),
        f"found as {word.key}" * (word.key != word.word),
        WORD_KINDS[word.kind],
        f"{format_signed(word.x, 3)} towards {axis[0] if word.x > 0 else axis[1]}",
        f"after the change {format_signed(word.x_after, 3)}" if word.x_after is not None else "",
        f"{format_number(abs(word.y))} {'above' if word.y > 0 else 'below'} the plane",
    ]
    return " · ".join(part for part in facts if part)


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
            about=(
                f"{word.word} · {format_signed(curved, 3)} in the ball · "
                f"{format_signed(flat, 3)} flat"
            ),
            kind="positive" if curved > 0 else "negative",
        )
        for word, flat, curved in placed[:MOST_MARKS]
    ]


def words_not_drawn(agreement: Agreement) -> int:
    """Return how many words have no mark, because there are very many."""
    return max(0, len(agreement.words) - MOST_MARKS)
