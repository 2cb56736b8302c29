"""Check documents: figures, marks with reasons, and changes that could be accepted.

check_documents      every document, and all documents of a language together
marks_of             the counted words of a text, each with the reason why it is marked
fitting_suggestions  neutral and swapped wordings, by the rules of the language
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cached_property
from hashlib import sha256
from itertools import chain, groupby, islice
from operator import add
from typing import Any

from fairvec.core.errors import MissingExtraError, SettingError
from fairvec.core.text import short_repr
from fairvec.documents.find import WordMatch
from fairvec.documents.markup import CUT
from fairvec.documents.measure import (
    MatchedDocument,
    ModelLeanings,
    Sample,
    TermCounts,
    coded_figures,
    count_terms,
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
from fairvec.encoders.encoder import versions
from fairvec.languages.language import language as language_named
from fairvec.languages.language import languages_with
from fairvec.languages.people import PeopleLists, coded_words, people_lists
from fairvec.languages.text import Document, wrapped_paragraphs
from fairvec.messages.documents import (
    MARKUP_IN_PARAGRAPH,
    MARKUP_WITHIN,
    WORD_CUT,
    coded_reason,
    copies_remark,
    cut_remarks,
    mention_reason,
    names_remark,
    near_reason,
    no_rules_remark,
    sentence_reason,
    together_only_remark,
)
from fairvec.results.documents import (
    Aim,
    AnnotatedDocument,
    Annotation,
    DocumentIdentity,
    DocumentLine,
    DocumentMeasure,
    Edit,
    Side,
    Suggestion,
    TextChange,
)

MOST_MARKS = 20_000
"""At most this many places of a document are marked; the counts do not depend on it."""


def marks_of(
    text: MatchedDocument, lists: PeopleLists, model: ModelLeanings | None
) -> tuple[Annotation, ...]:
    """Return the first MOST_MARKS marks of a text, in its order.

    With a model those of leaning sentences too.
    """
    kinds: list[Iterator[Annotation]] = [
        (_word_mark(text.document, match, lists, model) for match in matches)
        for matches in (text.found, text.coded)
    ]
    if model:
        kinds.append(_sentence_marks(text, model))
    # Each kind is in the order of the text, so that what is cut here would be cut below.
    marks = [mark for kind in kinds for mark in islice(kind, MOST_MARKS)]
    marks.sort(key=lambda mark: (mark.start, -mark.end, mark.kind))
    return tuple(marks[:MOST_MARKS])


def count_marks(text: MatchedDocument, model: ModelLeanings | None) -> int:
    """Return how many marks a text would have without an end."""
    sentences = sum(1 for _ in _scored_sentences(text, model)) if model else 0
    return len(text.found) + len(text.coded) + sentences


def _word_mark(
    document: Document, found: WordMatch, lists: PeopleLists, model: ModelLeanings | None
) -> Annotation:
    entry, side, score = found.entry, found.entry.side, None
    if entry.kind == "person":
        group = lists.groups[entry.side == "b"]
        reason = mention_reason(group, entry.role)
    elif entry.kind == "coded":
        reason = coded_reason(entry.word, entry.side)
    else:
        score = model.scores.get(entry.word) if model else None
        unknown_to = model.model if model and score is None else ""
        reason = near_reason(entry.kind, entry.role, lists.groups, unknown_to)
        side = _side(score, model)
    return Annotation(
        **place_in_file(document, found.start),
        start=found.start,
        end=found.end,
        kind=entry.kind,
        side=side,
        role=entry.role,
        score=score,
        reason=reason,
    )


def _scored_sentences(
    text: MatchedDocument, model: ModelLeanings
) -> Iterator[tuple[int, Iterator[WordMatch]]]:
    """Give the number of each sentence with words that the model knows, and these words."""
    scored = (
        found
        for found in text.found
        if found.entry.kind != "person" and found.entry.word in model.scores
    )
    return groupby(scored, key=lambda found: found.sentence)


def _sentence_marks(text: MatchedDocument, model: ModelLeanings) -> Iterator[Annotation]:
    """Give a mark for each sentence with words that the model knows: their mean leaning.

    It is of neither group: a few words of one sentence tell no direction from chance.
    """
    for number, words in _scored_sentences(text, model):
        scores = [model.scores[found.entry.word] for found in words]
        sentence = text.document.sentences[number]
        mean = sum(scores) / len(scores)
        yield Annotation(
            **place_in_file(text.document, sentence.start),
            start=sentence.start,
            end=sentence.end,
            kind="leaning",
            score=mean,
            reason=sentence_reason(len(scores), mean, model.model, model.baseline),
        )


def _side(score: float | None, model: ModelLeanings | None) -> Side:
    if score is None or model is None or score == model.baseline:
        return ""
    return "a" if score > model.baseline else "b"


Suggest = Callable[..., Iterable[Suggestion]]
"""Takes a document and an aim; in a language with paired first names also `swap_names`."""


def swaps_names(language: str) -> bool:
    """Return whether first names have counterparts in a language."""
    return language in languages_with("first_names")


def _with_names() -> str:
    return ", ".join(languages_with("first_names"))


def suggestions(document: Document, aim: Aim, *, swap_names: bool = False) -> Iterator[Suggestion]:
    """Give every change that could make the document fairer, in the order of the text.

    Names are kept, unless `swap_names` asks that a swap changes first names too.
    """
    suggest: Suggest | None = language_named(document.language).from_module("rewriting", "suggest")
    if suggest is None:
        rewritable = ", ".join(languages_with("rewrites"))
        raise SettingError(
            f"{document.name}: there are no rules to rewrite the language "
            f"{short_repr(document.language)}; there are for {rewritable}."
        )
    if swap_names and not swaps_names(document.language):
        raise SettingError(
            f"{document.name}: first names have counterparts in {_with_names()} alone, not in "
            f"{document.language}; keep the names."
        )
    options = {"swap_names": True} if swap_names else {}
    return iter(suggest(document, aim, **options))


AIMS: tuple[Aim, ...] = ("neutral", "swap")


def fitting_suggestions(
    text: ParsedDocument, document: Document, aim: Aim, *, swap_names: bool = False
) -> Iterator[Suggestion]:
    """Give the suggestions of an aim, without edits where these do not fit the file.

    Rules see what people read and nothing of the markup; where an edit would touch markup, or a
    word that goes on as an entity, the place is flagged only.
    """
    visible = replace(document, text=text.source.read)
    found = suggestions(visible, aim, swap_names=swap_names)
    if text.source.text != text.source.read:
        found = _without_markup(found, visible, text.source, aim)
    yield from found


def as_change(suggestion: Suggestion, document: Document, aim: Aim, number: int) -> TextChange:
    """Return a suggestion with its place and the id by which it is accepted: n1, n2 ..., s1 ..."""
    where = place_in_file(document, suggestion.start)
    return TextChange(id=f"{aim[0]}{number}", aim=aim, **where, **dict(suggestion))


def _without_markup(
    found: Iterable[Suggestion], visible: Document, source: Source, aim: Aim
) -> Iterator[Suggestion]:
    """Give suggestions, as flags where markup stands within; with them a swap's whole paragraph.

    Of a word that markup cuts nothing is known: no swap of its paragraph is certain, and else no
    change of its sentence.
    """
    spans = _sentences(visible) if aim == "neutral" else _paragraphs(visible)
    for group, cut in _with_cuts(found, spans, source):
        fitting = [_fits_raw_text(suggestion, source) for suggestion in group]
        for suggestion, fits in zip(group, fitting, strict=True):
            changes = fits and not cut and (aim != "swap" or all(fitting))
            if not suggestion.certain or changes:
                yield suggestion
            else:
                cause = WORD_CUT if cut else MARKUP_IN_PARAGRAPH
                reason = cause if fits else MARKUP_WITHIN
                yield suggestion.model_copy(update={"edits": (), "reason": reason})


def _sentences(document: Document) -> Iterator[tuple[int, int]]:
    yield from ((sentence.start, sentence.end) for sentence in document.sentences)


def _paragraphs(document: Document) -> Iterator[tuple[int, int]]:
    sentences = document.sentences
    for first, last in wrapped_paragraphs(document):
        yield sentences[first].start, sentences[last - 1].end


def _with_cuts(
    found: Iterable[Suggestion], spans: Iterator[tuple[int, int]], source: Source
) -> Iterator[tuple[list[Suggestion], bool]]:
    """Give the suggestions of each span, and whether markup cuts a word of it or at its ends.

    Flags that come first are given alone, as they may be many.
    """
    start = end = -1
    cut = False
    group: list[Suggestion] = []
    for suggestion in found:
        if suggestion.start >= end:
            if group:
                yield group, cut
            start, end = next(
                (span for span in spans if span[1] > suggestion.start), (end, len(source.text))
            )
            cut = _has_cut_word(source, start, end)
            group = []
        if group or suggestion.certain:
            group.append(suggestion)
        else:
            yield [suggestion], cut
    if group:
        yield group, cut


def _has_cut_word(source: Source, start: int, end: int) -> bool:
    """Whether markup cuts a word from start to end, or in the blanks of the line around."""
    read = source.read
    while start and read[start - 1] not in "\r\n" and read[start - 1].isspace():
        start -= 1
    while end < len(read) and read[end] not in "\r\n" and read[end].isspace():
        end += 1
    while (place := read.find(CUT, start, end)) >= 0:
        if source.text[place] != CUT:
            return True
        start = place + 1
    return False


def _fits_raw_text(suggestion: Suggestion, source: Source) -> bool:
    """Whether the words of a suggestion are all that stands there.

    Of `he&#39;s` a rule sees he alone, and would write they before what is left.
    """

    def is_unbroken(edit: Edit) -> bool:
        after = slice(edit.end, edit.end + 1)
        continues = source.text[after] == "&" != source.read[after]
        return source.text[edit.start : edit.end] == edit.old and not continues

    return all(map(is_unbroken, suggestion.edits))


def place_in_file(document: Document, place: int) -> dict[str, Any]:
    """Return the fields of PlaceInFile for a character of a document."""
    line, column = document.position(place)
    return {"file": document.name, "line": line, "column": column}


MOST_IN_FULL = 200
"""With more documents, words near people are measured for all together and not for each."""


@dataclass(frozen=True)
class CheckedDocument:
    """What was found in one document."""

    words: MatchedDocument
    identity: DocumentIdentity
    terms: dict[Aim, TermCounts]
    """Of each aim; empty if there are no rules."""
    proposed: dict[Aim, tuple[Suggestion, ...]]
    """The first MOST_MARKS changes, by aim."""
    no_rules_reason: str = ""
    """Why no changes were proposed; empty if they were."""
    model: ModelLeanings | None = None
    in_full: bool = True

    @cached_property
    def figures(self) -> tuple[DocumentMeasure, ...]:
        """Its figures, in the order of a report."""
        sample = Sample((self.words,))
        found = [*_figures(self.identity, sample, self.model, in_full=self.in_full)]
        lists = people_lists(self.identity.language)
        for aim, counts in self.terms.items():
            found += term_figures(self.identity, counts, aim, lists, sample.unit)
        return tuple(found)

    @property
    def mentions(self) -> tuple[int, int]:
        """How often the two groups are mentioned."""
        found = self.words.found
        counts = Counter(found.numbers)
        of = [(entry, counts[number]) for number, entry in enumerate(found.entries)]
        a, b = (
            sum(count for entry, count in of if entry.kind == "person" and entry.side == side)
            for side in ("a", "b")
        )
        return a, b


@dataclass(frozen=True)
class Checker:
    """How documents are checked: with which models by language, and how names are treated."""

    leanings: dict[str, ModelLeanings]
    names: bool = True
    swap_names: bool = False
    in_full: bool = True

    def check(self, text: ParsedDocument) -> CheckedDocument:
        """Return what is found in a document."""
        document = text.document
        words = match_document(document, names=self.names)
        identity = _identity(document)
        terms: dict[Aim, TermCounts] = {}
        proposed: dict[Aim, tuple[Suggestion, ...]] = {}
        reason = ""
        try:
            for aim in AIMS if self._has_rules(document) else ():
                found = self._suggestions(text, document, aim)
                # Of the others, which may be millions, no change is made: they are only counted.
                first = tuple(islice(found, MOST_MARKS - sum(map(len, proposed.values()))))
                proposed[aim] = first
                terms[aim] = count_terms(chain(first, found))
        except MissingExtraError as error:
            terms, proposed, reason = {}, {}, str(error)
        if not terms and not reason:
            reason = no_rules_remark(document.language)
        model = self.leanings.get(document.language)
        return CheckedDocument(
            words, identity, terms, proposed, reason, model, in_full=self.in_full
        )

    def neutral(self, text: ParsedDocument, document: Document) -> tuple[Suggestion, ...]:
        """Return the first MOST_MARKS changes towards neutral words; none where none are made."""
        if self._has_rules(document):
            with suppress(MissingExtraError):  # which a remark of the document names
                return tuple(islice(self._suggestions(text, document, "neutral"), MOST_MARKS))
        return ()

    def changes(self, text: ParsedDocument, document: Document, aim: Aim) -> Iterator[TextChange]:
        """Give all changes of an aim."""
        for number, one in enumerate(self._suggestions(text, document, aim), 1):
            yield as_change(one, document, aim, number)

    def _suggestions(
        self, text: ParsedDocument, document: Document, aim: Aim
    ) -> Iterator[Suggestion]:
        swap_names = self.swap_names and swaps_names(text.language)
        return fitting_suggestions(text, document, aim, swap_names=swap_names)

    def record(self, text: ParsedDocument, checked: CheckedDocument) -> AnnotatedDocument:
        """Return a document as it is written down."""
        language = checked.identity.language
        lists = people_lists(language)
        return AnnotatedDocument(
            document=checked.identity,
            groups=lists.groups,
            text=text.source.text,
            marks=marks_of(checked.words, lists, self.leanings.get(language)),
            changes=tuple(
                as_change(one, checked.words.document, aim, number)
                for aim, suggested in checked.proposed.items()
                for number, one in enumerate(suggested, 1)
            ),
            remarks=tuple(self.remarks(text, checked)),
            versions=versions(),
        )

    def remarks(self, text: ParsedDocument, checked: CheckedDocument) -> Iterator[str]:
        """Give what a reader should know first."""
        of_names = ""
        if self.swap_names:
            of_names = names_remark(swaps_names(text.language), languages_with("first_names"))
        yield from filter(None, (text.remark, checked.no_rules_reason, of_names))
        marks = count_marks(checked.words, self.leanings.get(checked.identity.language))
        proposed = sum(counts.certain + counts.flagged for counts in checked.terms.values())
        yield from cut_remarks(MOST_MARKS, marks, proposed)

    def _has_rules(self, document: Document) -> bool:
        return language_named(document.language).has_module("rewriting")


@dataclass(frozen=True, slots=True)
class DocumentReport:
    """A document and what was found in it; of many documents it is found anew when it is asked."""

    text: ParsedDocument
    checker: Checker
    mentions: tuple[int, int]
    """How often the two groups are mentioned."""
    remarks: tuple[str, ...]
    """What a reader should know first."""
    found: CheckedDocument | None = None

    @property
    def checked(self) -> CheckedDocument:
        """What was found."""
        return self.found or self.checker.check(self.text)

    @property
    def record(self) -> AnnotatedDocument:
        """The document as it is written down."""
        return self.checker.record(self.text, self.checked)

    @property
    def figures(self) -> tuple[DocumentMeasure, ...]:
        """Its figures."""
        return self.checked.figures

    @property
    def groups(self) -> tuple[str, str]:
        """The titles of the two groups."""
        return people_lists(self.text.language).groups

    def changes(self, aim: Aim) -> Iterator[TextChange]:
        """Give all changes of an aim."""
        return self.checker.changes(self.text, self.text.document, aim)

    @property
    def neutral(self) -> tuple[Document, tuple[Suggestion, ...]]:
        """The document, and its first MOST_MARKS changes towards neutral words."""
        if self.found:
            return self.found.words.document, self.found.proposed.get("neutral", ())
        document = self.text.document
        return document, self.checker.neutral(self.text, document)


@dataclass(frozen=True)
class DocumentsReport:
    """Every document, and the figures of all together where there are several of a language."""

    documents: tuple[DocumentReport, ...]
    overall: tuple[DocumentMeasure, ...] = ()
    remarks: tuple[str, ...] = ()

    @property
    def lines(self) -> Iterator[DocumentLine]:
        """All records one by one, as document.jsonl has them: all together first."""
        yield from self.overall
        for one in self.documents:
            checked = one.checked
            yield one.checker.record(one.text, checked)
            yield from checked.figures


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
    languages = sorted({text.language for text in read.texts})
    leanings = {}
    if model is not None:
        for language in languages:
            leanings[language] = model_leanings(model, people_lists(language))
    in_full = len(read.texts) <= MOST_IN_FULL
    checker = Checker(leanings, names=names, swap_names=swap_names, in_full=in_full)
    pooled = {language: _Pool() for language in languages}
    # A copy is no more evidence than what it is a copy of.
    distinct: set[bytes] = set()
    reports: list[DocumentReport] = []
    for text in read.texts:
        checked = checker.check(text)
        digest = bytes.fromhex(checked.identity.sha256)
        if digest not in distinct:
            pooled[text.language].add(checked)
        distinct.add(digest)
        reports.append(
            DocumentReport(
                text,
                checker,
                checked.mentions,
                tuple(checker.remarks(text, checked)),
                checked if in_full else None,
            )
        )
    overall: list[DocumentMeasure] = []
    for language, pool in pooled.items():
        if pool.sample.texts > 1:
            overall += pool.figures(language, leanings.get(language))
    remarks = [*read.remarks]
    if copies := len(reports) - len(distinct):
        remarks.append(copies_remark(copies))
    if not in_full:
        remarks.append(together_only_remark(MOST_IN_FULL))
    return DocumentsReport(tuple(reports), tuple(overall), tuple(remarks))


class _Pool:
    """What is counted over all documents of a language."""

    def __init__(self) -> None:
        self.sample = Sample(unit="documents")
        self._terms: dict[Aim, TermCounts] = {}
        self._sizes = [0, 0, 0, 0]
        self._hash = sha256()

    def add(self, checked: CheckedDocument) -> None:
        """Add a document."""
        of = checked.identity
        if not self.sample.texts:
            self._terms = dict.fromkeys(checked.terms, TermCounts())
        self.sample.add(checked.words)
        self._hash.update(of.sha256.encode())
        sizes = (of.characters, of.paragraphs, of.sentences, of.words)
        self._sizes = [*map(add, self._sizes, sizes)]
        for aim in self._terms:
            self._terms[aim] += checked.terms.get(aim, TermCounts())

    def figures(self, language: str, model: ModelLeanings | None) -> Iterator[DocumentMeasure]:
        """Give the figures of all together."""
        characters, paragraphs, sentences, words = self._sizes
        of = DocumentIdentity(
            name="",
            sha256=self._hash.hexdigest(),
            language=language,
            characters=characters,
            paragraphs=paragraphs,
            sentences=sentences,
            words=words,
        )
        yield from _figures(of, self.sample, model, in_full=True)
        for aim, counts in self._terms.items():
            yield from term_figures(of, counts, aim, people_lists(language), self.sample.unit)


def _figures(
    of: DocumentIdentity, sample: Sample, model: ModelLeanings | None, *, in_full: bool
) -> Iterator[DocumentMeasure]:
    lists = people_lists(of.language)
    yield from mention_figures(of, sample, lists)
    if in_full:
        yield from near_figures(of, sample, lists)
    yield from coded_figures(of, sample, coded_words(of.language))
    if model:
        yield from leaning_figures(of, sample, lists, model)


def _identity(document: Document) -> DocumentIdentity:
    sentences = document.sentences
    return DocumentIdentity(
        name=document.name,
        sha256=document.sha256,
        language=document.language,
        characters=len(document.text),
        paragraphs=sum(1 for _ in sentences.paragraph_ranges),
        sentences=len(sentences),
        words=sum(sentences.word_counts),
    )
