"""What every file of words of one language says of itself."""

from fairvec.lexicon.suite_lists.suite import Language
from fairvec.lexicon.words import Frozen, Text


class WordsOfLanguage(Frozen):
    """Words of one language, who listed them, and on what terms."""

    version: Text
    language: Language
    source: Text
    licence: Text
    notes: str = ""
