"""What was found in documents, in lines for a terminal: the summary first."""

from collections.abc import Iterator, Sequence

from fairvec.evaluation.documents import DocumentsJudged, JudgedDocument
from fairvec.ground.level import significant
from fairvec.ground.numbers import counted
from fairvec.results import DocumentFigure

_LEVEL = 0.05
_MOST_WORDS = 10
_MOST_DOCUMENTS = 40


def summary(judged: DocumentsJudged) -> Iterator[str]:
    """Give the lines about all documents, then about each."""
    one = judged.documents[0]
    if len(judged.documents) == 1:
        yield from _in_full(one.figures, _heading(one), one.record.groups)
        return
    languages = dict.fromkeys(one.document.language for one in judged.together)
    for language in languages:
        figures = [one for one in judged.together if one.document.language == language]
        of = figures[0].document
        yield from _in_full(
            figures,
            f"All documents in {language} together: {counted(of.words, 'word')}, "
            f"{counted(of.sentences, 'sentence')}",
            one.record.groups,
        )
        yield ""
    yield f"Each document ({judged.documents[0].record.groups[1]} of all mentions)"
    said = [(one, text) for one in judged.documents if (text := _briefly(one))]
    for one, text in said[:_MOST_DOCUMENTS]:
        yield f"  {one.record.document.name}: {text}"
    if len(said) > _MOST_DOCUMENTS:
        yield f"  and {len(said) - _MOST_DOCUMENTS:,} more; -o OUT keeps them all."
    if silent := len(judged.documents) - len(said):
        many = counted(silent, "document mentions", "documents mention")
        yield f"  {many} nobody of either group."


def _heading(one: JudgedDocument) -> str:
    of = one.record.document
    return (
        f"{of.name}: {counted(of.words, 'word', 'words')}, "
        f"{counted(of.sentences, 'sentence', 'sentences')}, "
        f"{counted(of.paragraphs, 'paragraph', 'paragraphs')}, language {of.language}"
    )


def _briefly(one: JudgedDocument) -> str:
    for figure in one.figures:
        if figure.measure == "mentions" and figure.what == "all":
            return f"{figure.count_b:,} of {figure.count_a + figure.count_b:,} ({figure.value:.0%})"
    return ""


def _in_full(
    figures: Sequence[DocumentFigure], heading: str, groups: tuple[str, str]
) -> Iterator[str]:
    a, b = groups
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
            yield f"    {by}: {a} {one.count_a:,}, {b} {one.count_b:,} ({one.value:.0%})"
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
