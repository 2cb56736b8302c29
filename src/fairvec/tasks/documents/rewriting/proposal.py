"""A change to a text that a person may accept: what, where, by which rule, and how sure."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from fairvec.ground.errors import SettingError
from fairvec.ground.text.shown_values import shown

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


def rewritten(text: str, accepted: Iterable[Proposal]) -> str:
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
                f"{shown(edit.old)}; it is not the text that the changes were made for."
            )
        if edit.start < done:
            raise SettingError(
                f"Two accepted changes overlap at character {edit.start}; accept one of them."
            )
        parts += [text[done : edit.start], edit.new]
        done = edit.end
    return "".join([*parts, text[done:]])
