"""What was found in documents: records, document.jsonl, and changes that conflict.

TextFinding, Suggestion   words of a text, and what a rule would write there
Annotation, TextChange      the same with the place in a file, as document.jsonl has them
overlap                   the one rule by which two edits cannot both be made
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import product
from pathlib import Path
from typing import Annotated, Literal, get_args

from pydantic import Field, PositiveInt, TypeAdapter

from fairvec.core.errors import SettingError
from fairvec.core.text import short_repr
from fairvec.core.validation import Count, FileRecord, Record, Share
from fairvec.results.rows import Plain
from fairvec.results.store import RecordFile
from fairvec.stats.values import Interval

Side = Literal["a", "b", ""]
"""The group a mark or a figure leans to; empty: neither, or both."""

MarkKind = Literal["person", "describing", "occupation", "coded", "leaning"]
"""A word that names a person; one that describes; a job; a gender-coded word of an advertisement; a
word or sentence that leans in a model."""


ALPHA = 0.05
"""The level at which a figure is significant."""

Measure = Literal["mentions", "near", "near-overall", "coded", "leaning", "terms"]
MEASURES: tuple[Measure, ...] = get_args(Measure)
"""All that a figure may measure: who is mentioned; what stands near whom, word by word and in all;
gender-coded words; leanings in a model; terms that could be changed."""


class DocumentIdentity(Record):
    """Which text was read."""

    name: str = Field(description="File, with the row of a table; empty: all documents together")
    sha256: str = Field(description="Hash of the text; of all together, of their hashes")
    language: str = Field(description="ISO 639-1 code")
    characters: Count = Field(description="Length of the text")
    paragraphs: Count = Field(description="Paragraphs that hold a sentence")
    sentences: Count = Field(description="Sentences that hold a word")
    words: Count = Field(description="Words")


Aim = Literal["neutral", "swap"]
"""Whether gendered terms become neutral ones, or those of the other gender."""


class TextFinding(Record):
    """Words of a text and what is said of them."""

    start: Count = Field(description="First character of the text, from 0")
    end: Count = Field(description="The character after the last")
    side: Side = Field(default="", description="The group that the words are of or lean to")
    reason: str = Field(description="One sentence for the person who reads or decides")


class Edit(Record):
    """One place of the text and what would stand there."""

    start: Count = Field(description="First character, from 0")
    end: Count = Field(description="The character after the last")
    old: str = Field(description="What stands there")
    new: str = Field(description="What would stand there")


class Suggestion(TextFinding):
    """What a rule found at one place, and the edits that belong together there.

    A change of gender may touch several words (a noun, its adjective, the verb): they are accepted
    together or not at all. Without edits the place is flagged only: something gendered stands
    there, and no rule is certain what should.
    """

    rule: str = Field(description="Id of the rule in the language's table")
    term: str = Field(
        default="", description="Listed word that stands there, in its dictionary form; empty: none"
    )
    edits: tuple[Edit, ...] = Field(
        default=(), description="What changes together; empty: a flag only"
    )
    candidates: tuple[str, ...] = Field(
        default=(), description="Words that could stand there instead; empty: no list has one"
    )

    @property
    def certain(self) -> bool:
        """Whether it can be applied; else it is a flag."""
        return bool(self.edits)


class PlaceInFile(Record):
    """Where a linter would point to."""

    file: str = Field(description="Name of the document")
    line: PositiveInt = Field(description="Line of the text, from 1")
    column: PositiveInt = Field(description="Character of the line, from 1")


class Annotation(TextFinding, PlaceInFile):
    """Words that are counted or measured, and why they are marked."""

    kind: MarkKind = Field(description="What stands there")
    role: str = Field(default="", description="Of a person: pronoun, title, kinship, name, ...")
    score: float | None = Field(default=None, description="Leaning in the model, if one was asked")


class TextChange(Suggestion, PlaceInFile):
    """A suggestion in a document, to accept or not."""

    id: str = Field(description="Name of the change, by which it is accepted")
    aim: Aim = Field(description="Towards neutral words, or the other group")


Level = Literal["suggestion", "warning", "error"]
"""How much a finding matters: no rule is certain of a change; one is; the user says so."""
LEVELS: tuple[Level, ...] = get_args(Level)


class DocumentFinding(Suggestion, PlaceInFile):
    """A gendered wording at its place, as a linter reports it."""

    end_line: PositiveInt = Field(description="Line of the character after the last")
    end_column: PositiveInt = Field(description="Column of the character after the last")
    level: Level = Field(description="suggestion, warning (a rule is certain) or error")
    rule: str = Field(description="Stable id of the rule, as in en.salesman")
    kind: str = Field(description="Id of the kind of rule, as in en.job")
    message: str = Field(description="What could stand there, or why the place is reported")
    text: str = Field(description="The words that stand there")
    source_line: str = Field(description="The line of the text on which it begins")


class AnnotatedDocument(FileRecord):
    """One document: its text with every mark and every change that was proposed."""

    line: Literal["document"] = Field(default="document", description="Always document")
    document: DocumentIdentity = Field(description="Which text")
    groups: tuple[str, str] = Field(description="Titles of the groups a and b, e.g. men, women")
    text: str = Field(description="The text, as it was read")
    marks: tuple[Annotation, ...] = Field(description="In the order of the text")
    changes: tuple[TextChange, ...] = Field(default=(), description="What could be changed")
    remarks: tuple[str, ...] = Field(default=(), description="What a reader should know first")
    versions: dict[str, str] = Field(description="Versions of fairvec and of what it asked")


class DocumentMeasure(FileRecord):
    """One figure of one document, or of all together."""

    line: Literal["figure"] = Field(default="figure", description="Always figure")
    document: DocumentIdentity = Field(description="Which text, or all together")
    measure: Measure = Field(description="mentions, near, near-overall, coded, leaning or terms")
    what: str = Field(default="", description="Which role, word or list the figure is of")
    title: str = Field(description="The figure in plain words")
    value: float = Field(description="The figure")
    neutral: float | None = Field(description="The value that says: no difference; null if none")
    meaning: str = Field(description="What a large, small and neutral value say")
    count_a: Count = Field(description="Items of group a")
    count_b: Count = Field(description="Items of group b")
    unit: str = Field(description="What an interval and p regard as independent: paragraphs, ...")
    interval: Interval | None = Field(default=None, description="Null where there is none")
    p: Share | None = Field(default=None, description="Exact two-sided p; null where there is none")
    p_holm: Share | None = Field(
        default=None, description="p, Holm-corrected over the figures of its measure and document"
    )
    sentence: str = Field(description="The answer in one sentence")
    source: str = Field(default="", description="Citation of the lists behind it")
    model: str = Field(default="", description="Name of the model that scored, if one did")


DocumentLine = AnnotatedDocument | DocumentMeasure
"""All that a line of document.jsonl may be."""


DOCUMENT_FILE = "document.jsonl"

DOCUMENT_COLUMNS: dict[str, str] = {
    "document": "name of the document; empty: all documents together",
    "language": "ISO 639-1 code of the text",
    "characters": "length of the text",
    "paragraphs": "paragraphs that hold a sentence",
    "sentences": "sentences that hold a word",
    "words": "words",
    "measure": ", ".join(MEASURES[:-1]) + f" or {MEASURES[-1]}",
    "what": "the role, word or list that the figure is of; 'all' for all roles",
    "title": "the figure in plain words",
    "value": "the figure",
    "neutral": "the value that says: no difference",
    "count_a": "items of group a (men)",
    "count_b": "items of group b (women)",
    "unit": "what interval and p regard as independent",
    "interval_low": "lower end of the interval",
    "interval_high": "upper end of the interval",
    "p": "exact two-sided p",
    "p_holm": "p, Holm-corrected over the figures of its measure and document",
    "model": "name of the model that scored, if one did",
}

DOCUMENT_VALUES: dict[str, tuple[str, ...]] = {"measure": MEASURES}
"""All values that a column can have."""

_file: RecordFile[DocumentLine] = RecordFile(
    DOCUMENT_FILE,
    TypeAdapter(Annotated[DocumentLine, Field(discriminator="line")]),
    "a record of a document",
    "fairvec document",
    "FILE",
    "write_documents",
    "read_document_lines",
)


def write_documents(
    lines: Iterable[DocumentLine],
    folder: Path | str,
    others: Mapping[str, str | Callable[[], str | Iterable[str]]] | None = None,
) -> Path:
    """Write the records to document.jsonl in `folder`, one by one, completely or not at all.

    `others` are texts of the same run by file name, as its page, or what makes them once the
    records are written: all take their places together.
    """
    return _file.write(lines, folder, others)


def read_document_lines(path: Path | str) -> list[DocumentLine]:
    """Read the records of a document.jsonl, or of the folder that holds one."""
    return _file.read(path)


def document_row(figure: DocumentMeasure) -> dict[str, Plain]:
    """Return a figure as one row with every column of DOCUMENT_COLUMNS; None: it has no answer."""
    of, ends = figure.document, figure.interval
    return {
        "document": of.name,
        "language": of.language,
        "characters": of.characters,
        "paragraphs": of.paragraphs,
        "sentences": of.sentences,
        "words": of.words,
        "measure": figure.measure,
        "what": figure.what,
        "title": figure.title,
        "value": figure.value,
        "neutral": figure.neutral,
        "count_a": figure.count_a,
        "count_b": figure.count_b,
        "unit": figure.unit,
        "interval_low": ends.low if ends else None,
        "interval_high": ends.high if ends else None,
        "p": figure.p,
        "p_holm": figure.p_holm,
        "model": figure.model,
    }


def overlap(one: Edit, other: Edit) -> bool:
    """Return whether two edits cannot both be made; the same edit twice is made once."""
    if one == other:
        return False
    return one.start == other.start or (one.start < other.end and other.start < one.end)


def overlapping_edits(suggestions: Sequence[Suggestion]) -> list[list[Edit]]:
    """Return all edits in the order of the text, those that overlap one after another together."""
    distinct = {edit for suggestion in suggestions for edit in suggestion.edits}
    groups: list[list[Edit]] = []
    furthest: Edit | None = None
    for edit in sorted(distinct, key=lambda each: (each.start, each.end, each.new)):
        if furthest is not None and overlap(edit, furthest):
            groups[-1].append(edit)
        else:
            groups.append([edit])
            furthest = None
        furthest = edit if furthest is None else max(furthest, edit, key=lambda each: each.end)
    return groups


def conflicts(suggestions: Sequence[Suggestion]) -> list[list[int]]:
    """Return for each suggestion the numbers of those that cannot be accepted with it.

    Its own is among them if its edits overlap one another.
    """
    against: list[set[int]] = [set() for _ in suggestions]
    owners: dict[Edit, list[int]] = {}
    for number, suggestion in enumerate(suggestions):
        for edit in suggestion.edits:
            owners.setdefault(edit, []).append(number)
    for group in overlapping_edits(suggestions):
        near: list[Edit] = []
        for edit in group:
            near = [each for each in near if each.end > edit.start or each.start == edit.start]
            for other in near:
                if overlap(edit, other):
                    for one, rival in product(owners[edit], owners[other]):
                        against[one].add(rival)
                        against[rival].add(one)
            near.append(edit)
    return [sorted(numbers) for numbers in against]


def select_compatible(
    against: Sequence[Iterable[int]], suggestions: Sequence[Suggestion]
) -> list[bool]:
    """Return whether each is accepted before a person decides: the first of rivals is."""
    chosen: list[bool] = []
    for number, (suggestion, rivals) in enumerate(zip(suggestions, against, strict=True)):
        free = not any(rival == number or (rival < number and chosen[rival]) for rival in rivals)
        chosen.append(suggestion.certain and free)
    return chosen


def apply_edits(
    text: str, accepted: Iterable[Suggestion], first: int = 0, last: int | None = None
) -> str:
    """Return the text with the edits of what is accepted, and all else as it was.

    Of a part of the text from `first` to `last`, that part.
    """
    parts: list[str] = []
    done = first
    for edit, *others in overlapping_edits([*accepted]):
        if others:
            raise SettingError(
                f"Two accepted changes overlap at character {others[0].start}; accept one of them."
            )
        if text[edit.start : edit.end] != edit.old:
            raise SettingError(
                f"At character {edit.start} the text has {text[edit.start : edit.end]!r} and not "
                f"{short_repr(edit.old)}; it is not the text that the changes were made for."
            )
        parts += [text[done : edit.start], edit.new]
        done = edit.end
    return "".join([*parts, text[done:last]])


def check_places(read: AnnotatedDocument) -> None:
    """Raise an error that names the first mark or change that does not fit the text."""
    text, name = read.text, read.document.name
    for mark in read.marks:
        if not 0 <= mark.start < mark.end <= len(text):
            raise SettingError(
                f"{name}: a mark from character {mark.start} to {mark.end} does not lie in a text "
                f"of {len(text)}; read the document again."
            )
    for change in read.changes:
        for edit in change.edits:
            inside = 0 <= edit.start <= edit.end <= len(text)
            if not inside or text[edit.start : edit.end] != edit.old:
                raise SettingError(
                    f"{name}: the change {change.id!r} does not fit the text at character "
                    f"{edit.start}; read the document again."
                )
        if not 0 <= change.start <= change.end <= len(text):
            raise SettingError(
                f"{name}: the change {change.id!r} does not lie in the text; read the document "
                "again."
            )
