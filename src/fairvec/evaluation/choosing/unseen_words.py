"""Words of tests that a vocabulary lacks, for models that compose words from pieces."""

from collections.abc import Sequence

from fairvec.embedding import Embedding
from fairvec.embedding.formats.reading import Raw, Unseen
from fairvec.evaluation.choosing.choose import fitting_suites
from fairvec.evaluation.choosing.own_lists import tests_in_language
from fairvec.evaluation.composed import composed_words
from fairvec.ground.errors import LexiconError
from fairvec.lexicon import Asked, Selected, listed, resolve, select


def unseen_words(suites: Asked | None, language: str | Sequence[str] | None = None) -> Unseen:
    """Return what names the words of the tests that no rule of look-up finds in a vocabulary.

    Without `suites` the tests are those of the shipped ones that fit the vocabulary as it is. A
    word of which another spelling is there keeps that one's vector, which was learnt; and of
    entries of several words nothing is composed.
    """

    def missing(known: Raw) -> list[str]:
        model = Embedding(known.keys, known.vectors, name="vocabulary")
        if language is not None or known.languages:
            model = model.speaking(known.languages if language is None else language)
        found = [
            absent.word.word
            for each in _tests(suites, model)
            for group in resolve(each.test, model).groups.values()
            for absent in group.missing
        ]
        return [word for word in dict.fromkeys(found) if len(word.split()) == 1]

    return missing


def composed_note(model: Embedding) -> str:
    """Say how many words were composed while a model was read; empty if none was."""
    words = composed_words(model)
    if not words:
        return ""
    return (
        f"{model.name}: {len(words)} of the words asked for are not in its vocabulary and were "
        "composed from their pieces; the history in each record names them."
    )


def _tests(suites: Asked | None, model: Embedding) -> list[Selected]:
    if suites is not None:
        return select(tests_in_language(listed(suites), [model]))
    try:
        return select([fit.suite.id for fit in fitting_suites(model)])
    except LexiconError:  # no suite fits, which the audit says itself
        return []
