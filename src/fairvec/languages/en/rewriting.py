"""A fairer version of an English text.

No word is tagged by a model: closed lists and strict conditions decide, and what they do not
decide is flagged. Gendered words within quotation marks are what somebody said and only flagged;
fixed expressions (no man's land) are left alone, and so are pronouns of a person with a name.
"""

from collections.abc import Iterator

from fairvec.languages.en.nouns import neutral_nouns
from fairvec.languages.en.pronouns import bound_pronouns, neutral_pronouns
from fairvec.languages.en.sentences import read_paragraphs
from fairvec.languages.en.swap import swap_paragraph
from fairvec.languages.rewriting import in_order
from fairvec.languages.text import Document
from fairvec.results.documents import Aim, Suggestion


def suggest(document: Document, aim: Aim, *, swap_names: bool = False) -> Iterator[Suggestion]:
    """Give what could be changed in an English document, certain or flagged, in its order.

    With `swap_names` a swap takes the first names that have a counterpart with it.
    """
    if aim == "swap":
        for paragraph in read_paragraphs(document, swap_names=swap_names):
            yield from in_order(swap_paragraph(document.text, paragraph, swap_names=swap_names))
        return
    for paragraph in read_paragraphs(document):
        for sentence in paragraph.gendered:
            found = [*neutral_pronouns(sentence), *neutral_nouns(sentence)]
            yield from in_order([*found, *bound_pronouns(sentence, found)])
