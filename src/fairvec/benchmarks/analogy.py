"""Word analogies: a is to b as c is to d, in sections of one relation each."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Literal, NamedTuple

from fairvec.benchmarks.base import (
    About,
    BenchmarkKind,
    BenchmarkSet,
    distinct,
    empty_error,
    numbered_lines,
)
from fairvec.core.errors import LexiconError
from fairvec.core.text import short_repr

SectionKind = Literal["semantic", "syntactic", ""]


class AnalogyQuestion(NamedTuple):
    """a is to b as c is to d, where d is the answer."""

    a: str
    b: str
    c: str
    d: str


@dataclass(frozen=True)
class Section:
    """Questions about one relation, as a published file groups them."""

    name: str
    kind: SectionKind
    questions: tuple[AnalogyQuestion, ...]


@dataclass(frozen=True)
class AnalogySet(BenchmarkSet):
    """Analogy questions, section by section."""

    kind: ClassVar[str] = "analogy"
    items: ClassVar[str] = "questions"

    sections: tuple[Section, ...]

    @property
    def questions(self) -> tuple[AnalogyQuestion, ...]:
        """The questions of all sections, in their order."""
        return tuple(question for section in self.sections for question in section.questions)

    def __len__(self) -> int:
        return len(self.questions)

    @property
    def texts(self) -> tuple[str, ...]:
        """Every word once."""
        return distinct(word for question in self.questions for word in question)


def parse_analogies(text: str, where: str, kinds: Mapping[str, SectionKind]) -> tuple[Section, ...]:
    """Return the sections of a file of four words a line, headed by lines like `: family`.

    `kinds` says which sections are semantic and which syntactic. Blank lines mean nothing, and
    questions before the first heading are a section without a name.
    """
    questions_by_section: dict[str, list[AnalogyQuestion]] = {}
    current = ""
    for number, line in numbered_lines(text):
        if line.startswith(":"):
            current = line.removeprefix(":").strip()
            if current in questions_by_section:
                raise LexiconError(
                    f"{where}, line {number}: the section {short_repr(current)} begins twice; "
                    "rename one."
                )
            questions_by_section[current] = []
            continue
        words = line.split()
        if len(words) != 4:
            raise LexiconError(
                f"{where}, line {number}: a question has four words, not {len(words)}; a heading "
                "begins with a colon."
            )
        questions_by_section.setdefault(current, []).append(AnalogyQuestion(*words))
    sections = tuple(
        Section(name, kinds.get(name, ""), tuple(questions))
        for name, questions in questions_by_section.items()
        if questions
    )
    if not sections:
        raise empty_error(where, "questions")
    return sections


def _read(
    about: About, text: str, where: str, *, sections: Mapping[str, SectionKind], **_: Any
) -> AnalogySet:
    return AnalogySet(*about, parse_analogies(text, where, sections))


ANALOGY = BenchmarkKind(
    AnalogySet.kind,
    title="Word analogy",
    plain="word analogy",
    family="analogy",
    shares="mean",
    read=_read,
    needs_vocabulary=True,
)
