"""Documents in the order of the page, and their figures as answers, a plot and a table."""

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
from fairvec.report.documents.changes import RewritingView, as_json, rewriting_views
from fairvec.report.documents.marked_text import KINDS, group_letters, is_dense, marked_text
from fairvec.report.plots import Scale, forest_row, scale_of
from fairvec.results.documents import DocumentFigure, DocumentIdentity, MarkKind, ReadDocument

WITHOUT_SIDE = ("near-overall", "terms")
WORD_BY_WORD, MENTIONS, WHOLE = "near", "mentions", ("", "all")
"""The measure that has a table, the one that has a plot, and what a figure of all roles is of."""


@dataclass(frozen=True)
class DocumentPart:
    """One document, or all together, with what was found in it."""

    address: str
    identity: DocumentIdentity
    groups: tuple[str, str]
    figures: tuple[DocumentFigure, ...]
    read: ReadDocument | None = None

    @property
    def title(self) -> str:
        """Its name; of all together the language, if it is known."""
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
        """The kinds of its marks, each with its letter and what it says."""
        there = {mark.kind for mark in self.read.marks} if self.read else set()
        return {kind: said for kind, said in KINDS.items() if kind in there}

    @property
    def answers(self) -> list[DocumentFigure]:
        """The figures that are told in a sentence each, in the first place."""
        return [
            figure
            for figure in self.figures
            if figure.measure != WORD_BY_WORD and figure not in self.by_role
        ]

    @property
    def by_role(self) -> list[DocumentFigure]:
        """The shares of mentions by role, whose sentences stand under the plot."""
        return [figure for figure in self.mentions if figure.what not in WHOLE]

    @property
    def near(self) -> list[DocumentFigure]:
        """What stands near whom, word by word: the surest first."""
        words = [figure for figure in self.figures if figure.measure == WORD_BY_WORD]
        return sorted(words, key=lambda figure: 2.0 if figure.p is None else figure.p)

    @property
    def mentions(self) -> list[DocumentFigure]:
        """The shares of mentions, of all roles and by role."""
        return [figure for figure in self.figures if figure.measure == MENTIONS]

    @property
    def main(self) -> DocumentFigure | None:
        """The figure that stands for the document in the list of documents."""
        overall = [figure for figure in self.mentions if figure.what in WHOLE]
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
    def rewritings(self) -> list[RewritingView]:
        """The changes that were proposed, by aim."""
        return rewriting_views(self.read, self.address) if self.read else []

    @property
    def text_data(self) -> Markup:
        """The text for the browser, which makes the new one out of it."""
        return as_json(self.read.text if self.read else "")


def evident(figure: DocumentFigure) -> bool:
    """Return whether chance hardly gives such a figure, corrected where it can be."""
    p = figure.p if figure.p_holm is None else figure.p_holm
    return p is not None and is_significant(p, USUAL_LEVEL)


def leaning_side(figure: DocumentFigure) -> str:
    """Return the group that most of a figure's items are of, where that is what it is about."""
    more = 0 if figure.measure in WITHOUT_SIDE else figure.count_a - figure.count_b
    return "a" if more > 0 else "b" if more < 0 else "none"


def is_share(figure: DocumentFigure) -> bool:
    """Return whether a figure is a share of its items, which percent say best."""
    return bool(_whose_share(figure))


def shown(figure: DocumentFigure) -> str:
    """Return a figure as people write it."""
    if figure.neutral is None and figure.value == int(figure.value):
        return format_count(int(figure.value))
    return _written(figure, figure.value)


def shown_neutral(figure: DocumentFigure) -> str:
    """Return the value that says no difference, where nobody would guess it."""
    return "" if figure.neutral in (None, 0, 0.5) else _written(figure, figure.neutral)


def shown_interval(figure: DocumentFigure) -> str:
    """Return from where to where it may lie; empty if that is not known."""
    if figure.interval is None:
        return ""
    return f"{_written(figure, figure.interval.low)} to {_written(figure, figure.interval.high)}"


def _written(figure: DocumentFigure, value: float) -> str:
    if is_share(figure):
        return format_percent(round(value, 2))
    digits = 3 if figure.measure == "leaning" else 2
    return (
        format_number(value, digits)
        if figure.measure == "near-overall"
        else format_signed(value, digits)
    )


def shown_p(figure: DocumentFigure) -> str:
    """Return p, and corrected beside it; empty if there is none."""
    if figure.p is None:
        return ""
    holm = "" if figure.p_holm is None else f", corrected {format_p(figure.p_holm)}"
    return f"p = {format_p(figure.p)}{holm}"


def scale_for(figures: Iterable[DocumentFigure]) -> Scale:
    """Return one axis for these figures; shares have that from none to all."""
    figures = list(figures)
    if all(map(is_share, figures)):
        return Scale(0.0, 1.0, 0.5)
    ends = [end for one in figures if one.interval for end in (one.interval.low, one.interval.high)]
    neutral = [one.neutral for one in figures if one.neutral is not None]
    return scale_of([*(figure.value for figure in figures), *ends, *neutral])


def plotted(figure: DocumentFigure, scale: Scale) -> Markup:
    """Draw a figure with its interval, in the colour of the group that most items are of."""
    said = " · ".join(
        filter(None, [figure.title, shown(figure), shown_interval(figure), shown_p(figure)])
    )
    drawn = forest_row(
        figure.value,
        figure.interval,
        scale,
        significant=evident(figure),
        title=escape_control(said),
    )
    return Markup('<span class="way of-{}">{}</span>').format(leaning_side(figure), drawn)


def ends_of_axis(
    figures: Sequence[DocumentFigure], groups: tuple[str, str]
) -> tuple[str, str] | None:
    """Say what the two ends of an axis of shares mean; None if the figures do not tell."""
    whose = {_whose_share(figure) for figure in figures} - {"both"}
    if whose == {"a"}:
        return f"only {groups[1]}", f"only {groups[0]}"
    if whose == {"b"}:
        return f"only {groups[0]}", f"only {groups[1]}"
    return None


def _whose_share(figure: DocumentFigure) -> str:
    """Return the group whose share of the items a figure is: a, b, both, or nothing."""
    items = figure.count_a + figure.count_b
    if not items or figure.neutral != 0.5:
        return ""
    of_a, of_b = (
        abs(figure.value - count / items) < 1e-9 for count in (figure.count_a, figure.count_b)
    )
    return "both" if of_a and of_b else "a" if of_a else "b" if of_b else ""
