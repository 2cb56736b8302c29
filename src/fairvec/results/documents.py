"""What was found in documents: their marks, their figures and what could be changed."""

from typing import Literal

from pydantic import Field

from fairvec.results.certainty import Interval
from fairvec.results.record import SCHEMA_VERSION, Count, Record, SchemaVersion, Share

Side = Literal["a", "b", ""]
"""The group a mark or a figure leans to; empty: neither, or both."""

MarkKind = Literal["person", "describing", "occupation", "coded", "leaning"]
"""A word that names a person; one that describes; a job; a gender-coded word of an advertisement; a
word or sentence that leans in a model."""


MEASURES = ("mentions", "near", "near-overall", "coded", "leaning", "terms")
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


class TextMark(Record):
    """A place in the text and why it is marked."""

    start: Count = Field(description="First character, from 0")
    end: Count = Field(description="The character after the last")
    kind: MarkKind = Field(description="What stands there")
    side: Side = Field(default="", description="The group it is of or leans to")
    role: str = Field(default="", description="Of a person: pronoun, title, kinship, name, ...")
    score: float | None = Field(default=None, description="Leaning in the model, if one was asked")
    why: str = Field(description="One sentence for the margin")


class ProposedEdit(Record):
    """One place of the text and what would stand there."""

    start: Count = Field(description="First character, from 0")
    end: Count = Field(description="The character after the last")
    old: str = Field(description="What stands there")
    new: str = Field(description="What would stand there")


class ProposedChange(Record):
    """A change to accept or not; without edits a flag."""

    id: str = Field(description="Name of the change, by which it is accepted")
    start: Count = Field(description="First character of the words that gave rise to it")
    end: Count = Field(description="The character after their last")
    aim: Literal["neutral", "swap"] = Field(description="Towards neutral words, or the other group")
    rule: str = Field(description="Id of the rule")
    why: str = Field(description="One sentence for the person who decides")
    side: Side = Field(default="", description="The group that the words are of")
    edits: tuple[ProposedEdit, ...] = Field(description="What changes together; empty: a flag only")


class ReadDocument(Record):
    """One document: its text with every mark and every change that was proposed."""

    line: Literal["document"] = Field(default="document", description="Always document")
    schema_version: SchemaVersion = Field(
        default=SCHEMA_VERSION, description="Version of this schema"
    )
    document: DocumentIdentity = Field(description="Which text")
    groups: tuple[str, str] = Field(description="Titles of the groups a and b, e.g. men, women")
    text: str = Field(description="The text, as it was read")
    marks: tuple[TextMark, ...] = Field(description="In the order of the text")
    changes: tuple[ProposedChange, ...] = Field(default=(), description="What could be changed")
    remarks: tuple[str, ...] = Field(default=(), description="What a reader should know first")
    versions: dict[str, str] = Field(description="Versions of fairvec and of what it asked")


class DocumentFigure(Record):
    """One figure of one document, or of all together."""

    line: Literal["figure"] = Field(default="figure", description="Always figure")
    schema_version: SchemaVersion = Field(
        default=SCHEMA_VERSION, description="Version of this schema"
    )
    document: DocumentIdentity = Field(description="Which text, or all together")
    measure: str = Field(description="mentions, near, near-overall, coded, leaning or terms")
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


DocumentLine = ReadDocument | DocumentFigure
"""All that a line of document.jsonl may be."""
