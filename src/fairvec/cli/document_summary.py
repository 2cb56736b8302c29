"""What was found in documents, in lines for a terminal: the summary first."""

from collections.abc import Iterator, Sequence

from fairvec.evaluation.documents import DocumentsJudged, JudgedDocument
from fairvec.ground.level import significant
from fairvec.results import DocumentFigure

_LEVEL = 0.05
_MOST_WORDS = 10
_MOST_DOCUMENTS = 40


def summary(judged: DocumentsJudged) -> Iterator[str]:
    """Give the lines about all documents, then about each."""
    if len(judged.documents) == 1:
        yield from _in_full(judged.documents[0].figures, _heading(judged.documents[0]))
        return
    languages = dict.fromkeys(one.document.language for one in judged.together)
    for language in languages:
        figures = [one for one in judged.together if one.document.language == language]
        of = figures[0].document
        yield from _in_full(
            figures,
            f"All documents in {language} together: {of.words:,} words, {of.sentences:,} sentences",
        )
        yield ""
    yield "Each document (women of all mentions):"
    for one in judged.documents[:_MOST_DOCUMENTS]:
        yield f"  {one.record.document.name}: {_briefly(one)}"
    if len(judged.documents) > _MOST_DOCUMENTS:
        yield f"  and {len(judged.documents) - _MOST_DOCUMENTS:,} more; -o OUT keeps them all."


def _heading(one: JudgedDocument) -> str:
    of = one.record.document
    return (
        f"{of.name}: {of.words:,} words, {of.sentences:,} sentences, {of.paragraphs:,} paragraphs, "
        f"language {of.language}"
    )


def _briefly(one: JudgedDocument) -> str:
    for figure in one.figures:
        if figure.measure == "mentions" and figure.what == "all":
            return f"{figure.count_b:,} of {figure.count_a + figure.count_b:,} ({figure.value:.0%})"
    return "nobody of either group is mentioned"


def _in_full(figures: Sequence[DocumentFigure], heading: str) -> Iterator[str]:
    yield heading
    yield "Who is mentioned"
    mentions = [one for one in figures if one.measure == "mentions"]
    if not mentions:
        yield "  Nobody of either group is mentioned."
    for one in mentions:
        if one.what == "all":
            yield f"  {one.sentence}"
        else:
            by = one.title.partition(" by ")[2]
            yield f"    {by}: {one.count_a:,} men, {one.count_b:,} women ({one.value:.0%} women)"
    yield "What stands near whom"
    yield from _near(figures)
    for measure, title in (("coded", "Coded words"), ("leaning", "What leans in the model")):
        for one in figures:
            if one.measure == measure:
                yield title
                yield f"  {one.sentence}"
    yield "What could be changed"
    terms = [one for one in figures if one.measure == "terms"]
    for one in terms:
        yield f"  {one.sentence}"
    if not terms:
        yield "  No rules were asked; see the remarks."


def _near(figures: Sequence[DocumentFigure]) -> Iterator[str]:
    near = [one for one in figures if one.measure == "near"]
    asked = [one for one in near if one.p_holm is not None]
    clear = [one for one in asked if one.p_holm is not None and significant(one.p_holm, _LEVEL)]
    if not near:
        yield "  No sentences of both groups with describing words or occupations to compare."
    elif not clear:
        yield (
            f"  No word stands near one group more than chance alone could make, among "
            f"{len(asked):,} that could be tested ({len(near):,} found)."
        )
    for one in sorted(clear, key=lambda each: each.p_holm or 0)[:_MOST_WORDS]:
        yield f"  {one.sentence}"
    if len(clear) > _MOST_WORDS:
        yield f"  and {len(clear) - _MOST_WORDS:,} more; -o OUT keeps them all."
    for one in figures:
        if one.measure == "near-overall":
            yield f"  {one.sentence}"
