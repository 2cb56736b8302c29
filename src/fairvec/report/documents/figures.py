"""The figures of one document, or of all together, as answers, a plot and a table."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

from markupsafe import Markup

from fairvec.core.format import (
    USUAL_LEVEL,
    format_count,
    format_number,
    format_p,
    format_percent,
    format_signed,
    is_significant,
)
from fairvec.core.text import escape_control
from fairvec.messages.figures import language_name
from fairvec.report.documents.changes import ChangesView, as_json, changes_views
from fairvec.report.documents.marked_text import KINDS, group_letters, is_dense, marked_text
from fairvec.report.plots import Scale, forest_row, scale_of
from fairvec.results.documents import AnnotatedDocument, DocumentIdentity, DocumentMeasure, MarkKind

WITHOUT_SIDE = ("near-overall", "terms", "leaning")
WORD_BY_WORD, MENTIONS, ALL_ROLES = "near", "mentions", ("", "all")
"""The measure with a table, the one with a plot, and the values of `what` for all roles."""


@dataclass(frozen=True)
class DocumentSection:
    """One document, or all together, with its figures, marks and changes."""

    address: str
    identity: DocumentIdentity
    groups: tuple[str, str]
    figures: tuple[DocumentMeasure, ...]
    read: AnnotatedDocument | None = None

    @property
    def title(self) -> str:
        """Its name; of all together their language."""
        return self.identity.name or f"All documents in {language_name(self.identity.language)}"

    @property
    def language(self) -> str:
        """The name of its language."""
        return language_name(self.identity.language)

    @property
    def letters(self) -> tuple[str, str]:
        """The letters of its groups in the text with marks."""
        return group_letters(self.groups)

    @property
    def kinds(self) -> dict[MarkKind, tuple[str, str]]:
        """The kinds of its marks, each with its letter and meaning."""
        present = {mark.kind for mark in self.read.marks} if self.read else set()
        return {kind: legend for kind, legend in KINDS.items() if kind in present}

    @property
    def answers(self) -> list[DocumentMeasure]:
        """The figures that come first, each in a sentence."""
        return [
            figure
            for figure in self.figures
            if figure.measure != WORD_BY_WORD and figure not in self.by_role
        ]

    @property
    def by_role(self) -> list[DocumentMeasure]:
        """The shares of mentions by role, whose sentences are under the plot."""
        return [figure for figure in self.mentions if figure.what not in ALL_ROLES]

    @property
    def near(self) -> list[DocumentMeasure]:
        """Words near each group, the smallest p first."""
        words = [figure for figure in self.figures if figure.measure == WORD_BY_WORD]
        return sorted(words, key=lambda figure: 2.0 if figure.p is None else figure.p)

    @property
    def mentions(self) -> list[DocumentMeasure]:
        """The shares of mentions, of all roles and by role."""
        return [figure for figure in self.figures if figure.measure == MENTIONS]

    @property
    def main(self) -> DocumentMeasure | None:
        """The figure that stands for the document in the list of documents."""
        overall = [figure for figure in self.mentions if figure.what in ALL_ROLES]
        return next(iter([*overall, *self.mentions]), None)

    @cached_property
    def is_dense(self) -> bool:
        """Whether its notes need more room than its text."""
        return self.read is not None and is_dense(self.read)

    @cached_property
    def text(self) -> Markup:
        """The text with marks."""
        return marked_text(self.read, self.address) if self.read else Markup()

    @cached_property
    def rewritings(self) -> list[ChangesView]:
        """The proposed changes, by aim."""
        return changes_views(self.read, self.address) if self.read else []

    @property
    def text_data(self) -> Markup:
        """The text for the browser, which makes the new one out of it."""
        return as_json(self.read.text if self.read else "")


def is_clear(figure: DocumentMeasure) -> bool:
    """Return whether a figure is significant, by the corrected p if it has one."""
    p = figure.p if figure.p_holm is None else figure.p_holm
    return p is not None and is_significant(p, USUAL_LEVEL)


def dominant_group(figure: DocumentMeasure) -> str:
    """Return the group that most items of a figure belong to; none if it has no side."""
    more = 0 if figure.measure in WITHOUT_SIDE else figure.count_a - figure.count_b
    return "a" if more > 0 else "b" if more < 0 else "none"


def is_share(figure: DocumentMeasure) -> bool:
    """Return whether a figure is a share of group b among its items, and so shown in percent."""
    return figure.measure == MENTIONS


def format_value(figure: DocumentMeasure) -> str:
    """Return the value of a figure as text."""
    if figure.neutral is None and figure.value == int(figure.value):
        return format_count(int(figure.value))
    return _format_in_kind(figure, figure.value)


def format_neutral(figure: DocumentMeasure) -> str:
    """Return the neutral value as text; empty if it is the usual one."""
    return "" if figure.neutral in (None, 0, 0.5) else _format_in_kind(figure, figure.neutral)


def format_interval(figure: DocumentMeasure) -> str:
    """Return the interval of a figure as text; empty if it has none."""
    if figure.interval is None:
        return ""
    low, high = figure.interval.low, figure.interval.high
    return f"{_format_in_kind(figure, low)} to {_format_in_kind(figure, high)}"


def _format_in_kind(figure: DocumentMeasure, value: float) -> str:
    if is_share(figure):
        return format_percent(round(value, 2))
    digits = 3 if figure.measure == "leaning" else 2
    return (
        format_number(value, digits)
        if figure.measure == "near-overall"
        else format_signed(value, digits)
    )


def format_p_values(figure: DocumentMeasure) -> str:
    """Return p and the corrected p as text; empty if there is none."""
    if figure.p is None:
        return ""
    holm = "" if figure.p_holm is None else f", corrected {format_p(figure.p_holm)}"
    return f"p = {format_p(figure.p)}{holm}"


def scale_for(figures: Iterable[DocumentMeasure]) -> Scale:
    """Return one axis for these figures; that of shares runs from 0 to 1."""
    figures = list(figures)
    if all(map(is_share, figures)):
        return Scale(0.0, 1.0, 0.5)
    ends = [end for one in figures if one.interval for end in (one.interval.low, one.interval.high)]
    neutral = [one.neutral for one in figures if one.neutral is not None]
    return scale_of([*(figure.value for figure in figures), *ends, *neutral])


def plot_figure(figure: DocumentMeasure, scale: Scale) -> Markup:
    """Draw a figure with its interval, in the colour of the group with most items."""
    facts = (figure.title, format_value(figure), format_interval(figure), format_p_values(figure))
    label = " · ".join(filter(None, facts))
    row = forest_row(
        figure.value,
        figure.interval,
        scale,
        significant=is_clear(figure),
        title=escape_control(label),
    )
    return Markup('<span class="way of-{}">{}</span>').format(dominant_group(figure), row)


def axis_labels(
    figures: Sequence[DocumentMeasure], groups: tuple[str, str]
) -> tuple[str, str] | None:
    """Return the labels of the two ends of an axis of shares; None for other figures."""
    if not figures or not all(map(is_share, figures)):
        return None
    return f"only {groups[0]}", f"only {groups[1]}"
