"""In which language lists are read of which nobody said one: that of the models they are put to."""

from collections.abc import Iterable, Sequence

from fairvec.encoders import Representation
from fairvec.evaluation.choosing.languages import languages_of
from fairvec.languages.scripts import script_of_language
from fairvec.lexicon import Concept, Selector, Suite, Test
from fairvec.lexicon.in_python import UNSAID
from fairvec.lexicon.words import Word


def tests_in_language(
    asked: Sequence[Selector], models: Sequence[Representation]
) -> list[Selector]:
    """Return tests and suites with the language of the models where they have none."""
    return [_in_language(one, models) for one in asked]


def concept_in_language(concept: Concept, model: Representation) -> Concept:
    """Return a concept with the language of the model where it has none."""
    if concept.language != UNSAID:
        return concept
    language = _language(concept.definition.entries, [model])
    return concept.model_copy(update={"language": language})


def language_of_words(words: Iterable[Word], spoken: Iterable[str]) -> str:
    """Return the one language of those spoken that is written as the words are; else unsaid."""
    texts = [word.word for word in words]
    written = script_of_language("", texts)
    fitting = [each for each in spoken if script_of_language(each, texts) == written]
    return fitting[0] if len(fitting) == 1 else UNSAID


def _in_language(one: Selector, models: Sequence[Representation]) -> Selector:
    if not isinstance(one, Suite | Test) or one.language != UNSAID:
        return one
    lists = (wordset for wordset in one.sets.values())
    language = _language((word for wordset in lists for word in wordset.words), models)
    if isinstance(one, Test):
        return one.model_copy(update={"language": language})
    tests = tuple(test.model_copy(update={"language": language}) for test in one.tests)
    return one.model_copy(update={"language": language, "tests": tests})


def _language(words: Iterable[Word], models: Sequence[Representation]) -> str:
    spoken = dict.fromkeys(language for model in models for language in languages_of(model))
    return language_of_words(words, spoken)
