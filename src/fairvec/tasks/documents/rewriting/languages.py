"""Who rewrites which language."""

from collections.abc import Callable
from importlib import import_module

from fairvec.ground.errors import SettingError
from fairvec.ground.text.shown_values import shown
from fairvec.tasks.documents.document import Document
from fairvec.tasks.documents.rewriting.proposal import Aim, Proposal

Propose = Callable[..., tuple[Proposal, ...]]
"""Takes a document and an aim; in English also whether names are swapped."""

SWAPS_NAMES = ("en",)
"""Languages in which first names have counterparts."""

REWRITERS = {
    "en": "fairvec.tasks.documents.rewriting.english",
    "hi": "fairvec.tasks.documents.rewriting.hindi",
    "ru": "fairvec.tasks.documents.rewriting.russian.proposing",
}
"""The module of each language; its `propose` gives what could be changed."""


def proposals(document: Document, aim: Aim, *, swap_names: bool = False) -> tuple[Proposal, ...]:
    """Return every change that could make the document fairer, in the order of the text.

    Names are kept, unless `swap_names` asks that a swap changes first names too.
    """
    if document.language not in REWRITERS:
        raise SettingError(
            f"{document.name}: there are no rules to rewrite the language "
            f"{shown(document.language)}; there are for {', '.join(REWRITERS)}."
        )
    if swap_names and document.language not in SWAPS_NAMES:
        raise SettingError(
            f"{document.name}: first names have counterparts in {', '.join(SWAPS_NAMES)} alone, "
            f"not in {document.language}; keep the names."
        )
    propose: Propose = import_module(REWRITERS[document.language]).propose
    more = {"swap_names": True} if swap_names else {}
    found = propose(document, aim, **more)
    return tuple(sorted(found, key=lambda each: (each.start, each.end)))
