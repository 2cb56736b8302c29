"""Rewriting tables of a language, proposals of changes, and applying accepted ones."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from typing import Literal

from pydantic import Field

from fairvec.core.errors import SettingError
from fairvec.core.text import short_repr
from fairvec.core.validation import Frozen
from fairvec.languages.language import table_of_language
from fairvec.languages.words import Id, LanguageTable, Text


class GenderedTerm(Frozen):
    """A term of group a, its counterpart of group b, and the word for both.

    One that is empty has no certain counterpart: where it would be needed, the place is flagged.
    `why` is said to the person who decides.
    """

    a: str = ""
    b: str = ""
    neutral: str = ""
    rule: Id
    why: str = ""


class RewriteTable(LanguageTable):
    """The rules of one language: its gendered terms, and whatever tables its grammar needs."""

    rules: dict[Id, Text]
    """Each rule that a proposal may name, and what it does in one sentence."""
    terms: tuple[GenderedTerm, ...]
    tables: dict[str, dict[str, str]] = Field(default_factory=dict)
    lists: dict[str, tuple[str, ...]] = Field(default_factory=dict)


@cache
def rewrite_table(language: str) -> RewriteTable:
    """Return the table of a language, or raise UnknownNameError with those that there are."""
    return table_of_language(language, "rewrites", "rules to rewrite a text", RewriteTable)


Aim = Literal["neutral", "swap"]
"""Whether gendered terms become neutral ones, or those of the other gender."""


@dataclass(frozen=True)
class Edit:
    """One place of a text and what shall stand there."""

    start: int
    end: int
    old: str
    new: str


@dataclass(frozen=True)
class Proposal:
    """What a rule found at one place, and the edits that belong together there.

    A change of gender may touch several words (a noun, its adjective, the verb): they are accepted
    together or not at all. Without edits the place is flagged only: something gendered stands
    there, and no rule is certain what should.
    """

    start: int
    end: int
    """The words that gave rise to it."""
    rule: str
    """Id of the rule in the language's table."""
    why: str
    """One sentence for the person who decides."""
    edits: tuple[Edit, ...] = ()
    group: Literal["a", "b", ""] = ""
    """The side that the term is of; empty if of both or neither."""

    @property
    def certain(self) -> bool:
        """Whether it can be applied; else it is a flag."""
        return bool(self.edits)


def apply_edits(text: str, accepted: Iterable[Proposal]) -> str:
    """Return the text with the edits of the accepted proposals, and all else as it was."""
    edits = sorted(
        {edit for proposal in accepted for edit in proposal.edits}, key=lambda edit: edit.start
    )
    parts: list[str] = []
    done = 0
    for edit in edits:
        if text[edit.start : edit.end] != edit.old:
            raise SettingError(
                f"At character {edit.start} the text has {text[edit.start : edit.end]!r} and not "
                f"{short_repr(edit.old)}; it is not the text that the changes were made for."
            )
        if edit.start < done:
            raise SettingError(
                f"Two accepted changes overlap at character {edit.start}; accept one of them."
            )
        parts += [text[done : edit.start], edit.new]
        done = edit.end
    return "".join([*parts, text[done:]])
