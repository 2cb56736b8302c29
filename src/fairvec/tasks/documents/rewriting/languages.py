"""Who rewrites which language."""

from collections.abc import Callable
from importlib import import_module

from fairvec.ground.errors import SettingError
from fairvec.tasks.documents.document import Document
from fairvec.tasks.documents.rewriting.proposal import Aim, Proposal

Propose = Callable[[Document, Aim], tuple[Proposal, ...]]

REWRITERS = {
    "en": "fairvec.tasks.documents.rewriting.english",
    "hi": "fairvec.tasks.documents.rewriting.hindi",
    "ru": "fairvec.tasks.documents.rewriting.russian.proposing",
}
"""The module of each language; its `propose` gives what could be changed."""


def proposals(document: Document, aim: Aim) -> tuple[Proposal, ...]:
    """Return every change that could make the document fairer, in the order of the text."""
    if document.language not in REWRITERS:
        raise SettingError(
            f"{document.name}: there are no rules to rewrite the language {document.language!r}; "
            f"there are for {', '.join(REWRITERS)}."
        )
    propose: Propose = import_module(REWRITERS[document.language]).propose
    return tuple(sorted(propose(document, aim), key=lambda found: (found.start, found.end)))
