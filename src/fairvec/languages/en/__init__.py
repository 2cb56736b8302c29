"""A fairer version of an English text.

No word is tagged by a model: closed lists and strict conditions decide, and what they do not
decide is flagged. Gendered words within quotation marks are what somebody said and only flagged;
fixed expressions (no man's land) are left alone, and so are pronouns of a person with a name.
"""

from fairvec.languages.en.nouns import neutral_nouns
from fairvec.languages.en.pronouns import neutral_pronouns
from fairvec.languages.en.sentences import read_paragraphs
from fairvec.languages.en.swap import swap_paragraph
from fairvec.languages.rewriting import Aim, Proposal
from fairvec.languages.text import Document

__all__ = ["propose"]


def propose(document: Document, aim: Aim, *, swap_names: bool = False) -> tuple[Proposal, ...]:
    """Return what could be changed in an English document, certain or flagged.

    With `swap_names` a swap takes the first names that have a counterpart with it.
    """
    found: list[Proposal] = []
    for paragraph in read_paragraphs(document, swap_names=swap_names and aim == "swap"):
        if aim == "swap":
            found += swap_paragraph(document.text, paragraph, swap_names=swap_names)
        else:
            for sentence in paragraph:
                found += neutral_pronouns(sentence)
                found += neutral_nouns(sentence)
    return tuple(found)
