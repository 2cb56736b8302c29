"""Documents judged: every figure of each of them and of all together."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from hashlib import sha256

from fairvec.embedding import Embedding
from fairvec.encoders import Representation
from fairvec.evaluation.documents.marks import MOST_MARKS, marks_of
from fairvec.evaluation.documents.proposing import Named, as_record, proposed_changes
from fairvec.evaluation.documents.reading import DocumentsRead, ReadText
from fairvec.evaluation.runs.describe import versions
from fairvec.ground.errors import SettingError
from fairvec.ground.numbers import counted
from fairvec.lexicon.people import coded_words, people_lists
from fairvec.results import DocumentFigure, DocumentIdentity, DocumentLine, ReadDocument
from fairvec.tasks.documents.measures.coded import coded_figures
from fairvec.tasks.documents.measures.leaning import ModelLeanings, leaning_figures, model_leanings
from fairvec.tasks.documents.measures.mentions import mention_figures
from fairvec.tasks.documents.measures.near import near_figures
from fairvec.tasks.documents.measures.terms import term_figures
from fairvec.tasks.documents.measures.texts import Texts, WordsOfText, words_of_text
from fairvec.tasks.documents.rewriting.proposal import Aim, Proposal

MOST_IN_FULL = 200
"""With more documents, what stands near whom is said of all together and not of each."""


@dataclass(frozen=True)
class JudgedDocument:
    """A document, its figures, and the changes that were proposed, by aim and id."""

    text: ReadText
    words: WordsOfText
    record: ReadDocument
    figures: tuple[DocumentFigure, ...]
    changes: dict[Aim, Named] = field(default_factory=dict)
    lacking: str = ""
    """Why no changes were proposed; empty if they were."""


@dataclass(frozen=True)
class DocumentsJudged:
    """Every document, and the figures of all together where there are several of a language."""

    documents: tuple[JudgedDocument, ...]
    together: tuple[DocumentFigure, ...] = ()
    remarks: tuple[str, ...] = ()

    @property
    def lines(self) -> tuple[DocumentLine, ...]:
        """All records, as document.jsonl has them: all together first."""
        lines: list[DocumentLine] = [*self.together]
        for one in self.documents:
            lines += [one.record, *one.figures]
        return tuple(lines)


_NAMES_TOO = "A swap changes first names that have a counterpart too (--swap-names)."


def judge_documents(
    read: DocumentsRead,
    *,
    model: Representation | None = None,
    names: bool = True,
    swap_names: bool = False,
) -> DocumentsJudged:
    """Judge documents: who is mentioned, what stands near whom, and what could be changed.

    With a `model` of words, also how describing words and occupations lean in it. First `names` may
    be left out of the mentions; with `swap_names` a swap changes those of an English text too.
    """
    if model is not None and not isinstance(model, Embedding):
        raise SettingError(
            f"{model.name} is an encoder, and words of a document are looked up in word vectors; "
            "make some of it with 'fairvec distil'."
        )
    languages = {text.document.language for text in read.texts}
    leans = {}
    if model is not None:
        for language in sorted(languages):
            leans[language] = model_leanings(model, people_lists(language))
    full = len(read.texts) <= MOST_IN_FULL
    judged = tuple(
        _judged(text, leans, names=names, swap_names=swap_names, full=full) for text in read.texts
    )
    # A copy is no more evidence than what it is a copy of.
    distinct = [*{one.text.document.sha256: one for one in reversed(judged)}.values()][::-1]
    together: list[DocumentFigure] = []
    for language in sorted(languages):
        some = [one for one in distinct if one.text.document.language == language]
        if len(some) > 1:
            together += _together(some, leans.get(language))
    remarks = [*read.remarks]
    if copies := len(judged) - len(distinct):
        remarks.append(
            f"{counted(copies, 'document repeats', 'documents repeat')} another, and all together "
            "counts each text once."
        )
    if not full:
        remarks.append(
            f"There are more than {MOST_IN_FULL} documents: what stands near whom is said of all "
            "together only."
        )
    return DocumentsJudged(judged, tuple(together), tuple(remarks))


def _judged(
    text: ReadText,
    leans: dict[str, ModelLeanings],
    *,
    names: bool,
    swap_names: bool,
    full: bool,
) -> JudgedDocument:
    language = text.document.language
    lists, model = people_lists(language), leans.get(language)
    words = words_of_text(text.document, names=names)
    changes, lacking = proposed_changes(text, swap_names=swap_names)
    marks = marks_of(words, lists, model)
    records = [as_record(id, aim, one) for aim in changes for id, one in changes[aim].items()]
    remarks = [text.remark, lacking, _NAMES_TOO if swap_names else ""]
    if len(marks) == MOST_MARKS:
        remarks.append(f"Only the first {MOST_MARKS:,} places are marked; all are counted.")
    if len(records) > MOST_MARKS:
        remarks.append(f"Only the first {MOST_MARKS:,} changes are listed.")
    record = ReadDocument(
        document=_identity(words),
        groups=lists.groups,
        text=text.document.text,
        marks=marks,
        changes=tuple(records[:MOST_MARKS]),
        remarks=tuple(filter(None, remarks)),
        versions=versions(),
    )
    texts = Texts((words,))
    figures = [*_figures(record.document, texts, model, full=full)]
    for aim, named in changes.items():
        figures += term_figures(record.document, [*named.values()], aim, lists, texts.unit)
    return JudgedDocument(text, words, record, tuple(figures), changes, lacking)


def _together(
    judged: list[JudgedDocument], model: ModelLeanings | None
) -> Iterator[DocumentFigure]:
    each = [one.record.document for one in judged]
    of = DocumentIdentity(
        name="",
        sha256=sha256("".join(one.sha256 for one in each).encode()).hexdigest(),
        language=each[0].language,
        characters=sum(one.characters for one in each),
        paragraphs=sum(one.paragraphs for one in each),
        sentences=sum(one.sentences for one in each),
        words=sum(one.words for one in each),
    )
    texts = Texts(tuple(one.words for one in judged))
    yield from _figures(of, texts, model, full=True)
    for aim in judged[0].changes:
        every: list[Proposal] = [
            proposal for one in judged for proposal in one.changes.get(aim, {}).values()
        ]
        yield from term_figures(of, every, aim, people_lists(of.language), texts.unit)


def _figures(
    of: DocumentIdentity, texts: Texts, model: ModelLeanings | None, *, full: bool
) -> Iterator[DocumentFigure]:
    lists = people_lists(of.language)
    yield from mention_figures(of, texts, lists)
    if full:
        yield from near_figures(of, texts, lists)
    yield from coded_figures(of, texts, coded_words(of.language))
    if model:
        yield from leaning_figures(of, texts, lists, model)


def _identity(words: WordsOfText) -> DocumentIdentity:
    document = words.document
    return DocumentIdentity(
        name=document.name,
        sha256=document.sha256,
        language=document.language,
        characters=len(document.text),
        paragraphs=len({sentence.paragraph for sentence in document.sentences}),
        sentences=len(document.sentences),
        words=sum(len(sentence.tokens) for sentence in document.sentences),
    )
