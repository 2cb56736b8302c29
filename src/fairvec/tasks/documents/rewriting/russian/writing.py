"""New forms as the text writes its own: capitals kept, and ё only where the text uses it."""

from collections.abc import Mapping
from functools import lru_cache

from fairvec.tasks.documents.document import Document
from fairvec.tasks.documents.rewriting.proposal import Edit
from fairvec.tasks.documents.rewriting.russian.sentence import RussianSentence


def edits_of(
    document: Document, sentence: RussianSentence, changes: Mapping[int, str]
) -> tuple[Edit, ...]:
    """Return the edits that put each new word in the place of the old one."""
    dotted = _is_dotted(document.text)
    found = []
    for index, new in sorted(changes.items()):
        word = sentence.words[index]
        spelled = as_written(word.text, new if dotted else new.replace("ё", "е"))
        if spelled != word.text:
            found.append(Edit(word.start, word.end, word.text, spelled))
    return tuple(found)


@lru_cache(maxsize=1)
def _is_dotted(text: str) -> bool:
    """Whether a text uses ё; found once, for it is asked of every change of a long text."""
    return "ё" in text.lower()


def as_written(old: str, new: str) -> str:
    """Return a word with the capital letters of another."""
    if len(old) > 1 and old.isupper():
        return new.upper()
    return new[:1].upper() + new[1:] if old[:1].isupper() else new
