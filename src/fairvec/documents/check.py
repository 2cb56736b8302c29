"""Check documents: figures, marks with reasons, and changes that could be accepted.

check_documents   every document, and all documents of a language together
marks_of          the counted words of a text, each with the reason why it is marked
suggest_changes   neutral and swapped wordings by id (n1, s1 ...), by the rules of the language
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from hashlib import sha256
from importlib import import_module
from importlib.util import find_spec

from fairvec.core.errors import MissingExtraError, SettingError
from fairvec.core.format import format_signed, pluralize
from fairvec.core.text import short_repr
from fairvec.documents.find import WordMatch
from fairvec.documents.measure import (
    MatchedDocument,
    ModelLeanings,
    Sample,
    coded_figures,
    leaning_figures,
    match_document,
    mention_figures,
    model_leanings,
    near_figures,
    term_figures,
)
from fairvec.documents.read import ParsedDocument, ParsedDocuments, Source
from fairvec.embedding import Embedding
from fairvec.encoders import Representation
from fairvec.encoders.versions import versions
from fairvec.languages.people import ROLE_TITLES, PeopleLists, coded_words, people_lists
from fairvec.languages.rewriting import Aim, Proposal
from fairvec.languages.text import Document
from fairvec.results import (
    DocumentFigure,
    DocumentIdentity,
    DocumentLine,
    ProposedChange,
    ProposedEdit,
    ReadDocument,
    Side,
    TextMark,
)

MOST_MARKS = 20_000
"""At most this many places of a document are marked; the counts do not depend on it."""

_CODED = {"a": "masculine", "b": "feminine"}


def marks_of(
    text: MatchedDocument, lists: PeopleLists, model: ModelLeanings | None
) -> tuple[TextMark, ...]:
    """Return the marks of a text, in its order; with a model those of leaning sentences too."""
    marks = [_word_mark(match, lists, model) for match in (*text.found, *text.coded)]
    if model:
        marks += _sentence_marks(text, lists, model)
    marks.sort(key=lambda mark: (mark.start, -mark.end, mark.kind))
    return tuple(marks[:MOST_MARKS])


def _word_mark(found: WordMatch, lists: PeopleLists, model: ModelLeanings | None) -> TextMark:
    entry = found.entry
    if entry.kind == "person":
        group = lists.groups[entry.side == "b"]
        why = f"Counted as a mention of {group}, among the {ROLE_TITLES[entry.role]}."  # type: ignore[index]
        return TextMark(
            start=found.start,
            end=found.end,
            kind="person",
            side=entry.side,
            role=entry.role,
            why=why,
        )
    if entry.kind == "coded":
        why = (
            f"Coded {_CODED[entry.side]} in job advertisements ({entry.word}; Gaucher, Friesen & "
            "Kay 2011)."
        )
        return TextMark(start=found.start, end=found.end, kind="coded", side=entry.side, why=why)
    what = "An occupation" if entry.kind == "occupation" else f"A word of {entry.role}"
    why = f"{what}; where it stands near {lists.groups[0]} or {lists.groups[1]}, that is counted."
    score = model.scores.get(entry.word) if model else None
    if model and score is None:
        why += f" {model.model} does not know it."
    return TextMark(
        start=found.start,
        end=found.end,
        kind=entry.kind,
        side=_side(score, model),
        role=entry.role,
        score=score,
        why=why,
    )


def _sentence_marks(
    text: MatchedDocument, lists: PeopleLists, model: ModelLeanings
) -> list[TextMark]:
    """Return a mark for each sentence with words that the model knows: their mean leaning."""
    scores: dict[int, list[float]] = {}
    for found in text.found:
        if found.entry.kind != "person" and found.entry.word in model.scores:
            scores.setdefault(found.sentence, []).append(model.scores[found.entry.word])
    marks = []
    for number, sentence_scores in scores.items():
        sentence = text.document.sentences[number]
        mean = sum(sentence_scores) / len(sentence_scores)
        side = _side(mean, model)
        comparison = f"more to {lists.groups[side == 'b']} than" if side else "as"
        marks.append(
            TextMark(
                start=sentence.start,
                end=sentence.end,
                kind="leaning",
                side=side,
                score=mean,
                why=(
                    f"{_leaning_subject(len(sentence_scores))} {format_signed(mean, 3)} in "
                    f"{model.model}, {comparison} listed words do "
                    f"({format_signed(model.baseline, 3)})."
                ),
            )
        )
    return marks


def _leaning_subject(words: int) -> str:
    if words == 1:
        return "The describing word or occupation of this sentence leans"
    return f"The {words} describing words and occupations of this sentence lean on average"


def _side(score: float | None, model: ModelLeanings | None) -> Side:
    if score is None or model is None or score == model.baseline:
        return ""
    return "a" if score > model.baseline else "b"


Propose = Callable[..., tuple[Proposal, ...]]
"""Takes a document and an aim; in English also `swap_names`."""

SWAPS_NAMES = ("en",)
"""Languages in which first names have counterparts."""

REWRITERS = {
    "en": "fairvec.languages.en",
    "hi": "fairvec.languages.hi",
    "ru": "fairvec.languages.ru.rewriting",
}
"""The module of each language; its `propose` gives what could be changed."""


def proposals(document: Document, aim: Aim, *, swap_names: bool = False) -> tuple[Proposal, ...]:
    """Return every change that could make the document fairer, in the order of the text.

    Names are kept, unless `swap_names` asks that a swap changes first names too.
    """
    if document.language not in REWRITERS:
        raise SettingError(
            f"{document.name}: there are no rules to rewrite the language "
            f"{short_repr(document.language)}; there are for {', '.join(REWRITERS)}."
        )
    if swap_names and document.language not in SWAPS_NAMES:
        raise SettingError(
            f"{document.name}: first names have counterparts in {', '.join(SWAPS_NAMES)} alone, "
            f"not in {document.language}; keep the names."
        )
    propose: Propose = import_module(REWRITERS[document.language]).propose
    options = {"swap_names": True} if swap_names else {}
    found = propose(document, aim, **options)
    return tuple(sorted(found, key=lambda proposal: (proposal.start, proposal.end)))


AIMS: tuple[Aim, ...] = ("neutral", "swap")

ChangesById = dict[str, Proposal]
"""Proposals by the id under which they are accepted: n1 and so on for neutral, s1 for swap."""


def suggest_changes(
    text: ParsedDocument, *, swap_names: bool = False
) -> tuple[dict[Aim, ChangesById], str]:
    """Return the proposals of each aim, and what is missing for others.

    Rules see what people read and nothing of the markup; where an edit would touch markup, or a
    word that goes on as an entity, the place is flagged only.
    """
    if find_spec(REWRITERS.get(text.document.language, "fairvec.no_rules")) is None:
        return {}, f"There are no rules to rewrite the language {text.document.language!r}."
    visible = replace(text.document, text=text.source.read)
    found: dict[Aim, ChangesById] = {}
    try:
        for aim in AIMS:
            proposed = proposals(visible, aim, swap_names=swap_names)
            placed = (_in_raw_text(proposal, text.source) for proposal in proposed)
            found[aim] = {
                f"{aim[0]}{number}": proposal for number, proposal in enumerate(placed, 1)
            }
    except MissingExtraError as error:
        return {}, str(error)
    return found, ""


def _in_raw_text(proposal: Proposal, source: Source) -> Proposal:
    """Return a proposal, or a flag where its words are not all that stands there.

    Of `he&#39;s` a rule sees he alone, and would write they before what is left.
    """

    def is_unbroken(start: int, end: int, old: str) -> bool:
        continues = source.text[end : end + 1] == "&" != source.read[end : end + 1]
        return source.text[start:end] == old and not continues

    if all(is_unbroken(edit.start, edit.end, edit.old) for edit in proposal.edits):
        return proposal
    return replace(proposal, edits=())


def as_record(id: str, aim: Aim, proposal: Proposal) -> ProposedChange:
    """Return a proposal as it is written down."""
    return ProposedChange(
        id=id,
        start=proposal.start,
        end=proposal.end,
        aim=aim,
        rule=proposal.rule,
        why=proposal.why,
        side=proposal.group,
        edits=tuple(
            ProposedEdit(start=edit.start, end=edit.end, old=edit.old, new=edit.new)
            for edit in proposal.edits
        ),
    )


MOST_IN_FULL = 200
"""With more documents, words near people are measured for all together and not for each."""


@dataclass(frozen=True)
class DocumentReport:
    """A document, its figures, and the changes that were proposed, by aim and id."""

    text: ParsedDocument
    words: MatchedDocument
    record: ReadDocument
    figures: tuple[DocumentFigure, ...]
    changes: dict[Aim, ChangesById] = field(default_factory=dict)
    no_rules_reason: str = ""
    """Why no changes were proposed; empty if they were."""


@dataclass(frozen=True)
class DocumentsReport:
    """Every document, and the figures of all together where there are several of a language."""

    documents: tuple[DocumentReport, ...]
    overall: tuple[DocumentFigure, ...] = ()
    remarks: tuple[str, ...] = ()

    @property
    def lines(self) -> tuple[DocumentLine, ...]:
        """All records, as document.jsonl has them: all together first."""
        lines: list[DocumentLine] = [*self.overall]
        for one in self.documents:
            lines += [one.record, *one.figures]
        return tuple(lines)


_NAMES_SWAPPED = "A swap changes first names that have a counterpart too (--swap-names)."


def check_documents(
    read: ParsedDocuments,
    *,
    model: Representation | None = None,
    names: bool = True,
    swap_names: bool = False,
) -> DocumentsReport:
    """Check documents: who is mentioned, which words stand near whom, and what could be changed.

    With a `model` of words, also how describing words and occupations lean in it. First `names` may
    be left out of the mentions; with `swap_names` a swap changes those of an English text too.
    """
    if model is not None and not isinstance(model, Embedding):
        raise SettingError(
            f"{model.name} is an encoder, and words of a document are looked up in word vectors; "
            "make some of it with 'fairvec distil'."
        )
    languages = {text.document.language for text in read.texts}
    leanings = {}
    if model is not None:
        for language in sorted(languages):
            leanings[language] = model_leanings(model, people_lists(language))
    in_full = len(read.texts) <= MOST_IN_FULL
    reports = tuple(
        _check_document(text, leanings, names=names, swap_names=swap_names, in_full=in_full)
        for text in read.texts
    )
    # A copy is no more evidence than what it is a copy of.
    distinct = [*{report.text.document.sha256: report for report in reversed(reports)}.values()][
        ::-1
    ]
    overall: list[DocumentFigure] = []
    for language in sorted(languages):
        same_language = [report for report in distinct if report.text.document.language == language]
        if len(same_language) > 1:
            overall += _overall_figures(same_language, leanings.get(language))
    remarks = [*read.remarks]
    if copies := len(reports) - len(distinct):
        remarks.append(
            f"{pluralize(copies, 'document repeats', 'documents repeat')} another, and all "
            "together counts each text once."
        )
    if not in_full:
        remarks.append(
            f"There are more than {MOST_IN_FULL} documents: what stands near whom is said of all "
            "together only."
        )
    return DocumentsReport(reports, tuple(overall), tuple(remarks))


def _check_document(
    text: ParsedDocument,
    leanings: dict[str, ModelLeanings],
    *,
    names: bool,
    swap_names: bool,
    in_full: bool,
) -> DocumentReport:
    language = text.document.language
    lists, model = people_lists(language), leanings.get(language)
    words = match_document(text.document, names=names)
    changes, no_rules_reason = suggest_changes(text, swap_names=swap_names)
    marks = marks_of(words, lists, model)
    records = [
        as_record(id, aim, proposal) for aim in changes for id, proposal in changes[aim].items()
    ]
    remarks = [text.remark, no_rules_reason, _NAMES_SWAPPED if swap_names else ""]
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
    sample = Sample((words,))
    figures = [*_figures(record.document, sample, model, in_full=in_full)]
    for aim, by_id in changes.items():
        figures += term_figures(record.document, [*by_id.values()], aim, lists, sample.unit)
    return DocumentReport(text, words, record, tuple(figures), changes, no_rules_reason)


def _overall_figures(
    reports: list[DocumentReport], model: ModelLeanings | None
) -> Iterator[DocumentFigure]:
    identities = [item.record.document for item in reports]
    of = DocumentIdentity(
        name="",
        sha256=sha256("".join(item.sha256 for item in identities).encode()).hexdigest(),
        language=identities[0].language,
        characters=sum(item.characters for item in identities),
        paragraphs=sum(item.paragraphs for item in identities),
        sentences=sum(item.sentences for item in identities),
        words=sum(item.words for item in identities),
    )
    sample = Sample(tuple(item.words for item in reports))
    yield from _figures(of, sample, model, in_full=True)
    for aim in reports[0].changes:
        all_proposals: list[Proposal] = [
            proposal for item in reports for proposal in item.changes.get(aim, {}).values()
        ]
        yield from term_figures(of, all_proposals, aim, people_lists(of.language), sample.unit)


def _figures(
    of: DocumentIdentity, sample: Sample, model: ModelLeanings | None, *, in_full: bool
) -> Iterator[DocumentFigure]:
    lists = people_lists(of.language)
    yield from mention_figures(of, sample, lists)
    if in_full:
        yield from near_figures(of, sample, lists)
    yield from coded_figures(of, sample, coded_words(of.language))
    if model:
        yield from leaning_figures(of, sample, lists, model)


def _identity(words: MatchedDocument) -> DocumentIdentity:
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
