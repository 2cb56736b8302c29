"""spaCy's vectors, in which many words may share a row."""

from typing import Any

from fairvec.api.holding.numbers import numbers_of
from fairvec.api.holding.vocabularies import Held, at_rows
from fairvec.ground.errors import FileFormatError, SettingError

MANY_LANGUAGES = "xx"
"""How spaCy calls a pipeline that is of no one language."""


def spacy_held(held: Any, name: str) -> Held:
    """Return the words and vectors of a pipeline, a vocabulary or a table of vectors of spaCy.

    A pruned pipeline gives rare words the vector of a common one: the history says how many words
    share a row, and names two of them.
    """
    vocabulary = getattr(held, "vocab", held)
    table = getattr(vocabulary, "vectors", vocabulary)
    strings = getattr(vocabulary, "strings", None)
    if strings is None:
        raise SettingError(
            f"{name}: spaCy's {type(held).__name__} holds numbers for words and not their letters; "
            "give the pipeline (nlp)."
        )
    if "floret" in str(getattr(table, "mode", "")):
        raise SettingError(
            f"{name}: floret vectors have no list of words; give the words that you want with "
            "their vectors, {word: nlp.vocab[word].vector}."
        )
    places: dict[str, int] = {}
    for key, row in table.key2row.items():
        try:
            word = strings[key]
        except KeyError as error:
            raise FileFormatError(
                f"{name}: the vectors hold a word that spaCy's strings do not know ({error}); give "
                "the pipeline (nlp) that they belong to."
            ) from error
        if word:
            places[word] = int(row)
    if not places:
        raise FileFormatError(
            f"{name}: the pipeline has no vectors; small pipelines of spaCy have none: take one "
            "whose name ends in _md or _lg."
        )
    found = at_rows(places, numbers_of(table.data, name), "vectors of spaCy", name)
    about = getattr(held, "meta", {})
    title = f"{about.get('lang', '')}_{about['name']}" if about.get("name") else ""
    language = about.get("lang") if about.get("lang") != MANY_LANGUAGES else None
    return Held(found.words, found.vectors, found.source, found.notes, title, language)
