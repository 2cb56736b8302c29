"""The languages of a model: declared, or detected from its vocabulary or tokenizer."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from weakref import WeakKeyDictionary

from fairvec.embedding import Embedding
from fairvec.encoders import Encoder, Representation
from fairvec.languages.language import script, script_of_language
from fairvec.lexicon import Suite, coverage, shipped_suites

FITTING_COVERAGE = 0.5
"""A suite fits a model that knows at least this share of its words."""
MAIN_SCRIPT_SHARE = 0.5
"""A script with fewer keys than this share of the most used one has foreign words only."""
SIMILAR_PIECES = 1.25
"""Languages within this factor of the fewest pieces per word were as likely trained on."""


@dataclass(frozen=True)
class SuiteCoverage:
    """A suite and the share of its words that a model knows."""

    suite: Suite
    coverage: float


@dataclass(frozen=True)
class ModelLanguages:
    """The languages a model is measured in, and those that would fit it as well."""

    languages: tuple[str, ...]
    others: tuple[str, ...] = ()


_CACHE: WeakKeyDictionary[Embedding, ModelLanguages] = WeakKeyDictionary()
"""Embeddings are immutable, and the explorer needs the languages of one for every answer."""


def model_languages(model: Representation) -> ModelLanguages:
    """Return the languages a model declares, or else the one that is detected."""
    if model.languages:
        return ModelLanguages(model.languages)
    if not isinstance(model, Embedding):
        return _language_by_pieces(model)
    if model not in _CACHE:
        _CACHE[model] = _languages_by_keys(model)
    return _CACHE[model]


def _languages_by_keys(embedding: Embedding) -> ModelLanguages:
    """Return the language of an embedding's keys.

    Candidates are the languages with a shipped suite that fits, among those of the model's main
    scripts. The one whose tests have the largest share of known words is taken, and where two are
    equal the one whose script has more keys; none where no suite fits.
    """
    keys = keys_by_script(embedding)
    coverages = suite_coverages(embedding, languages_of_main_script(keys))
    fitting = {fit.suite.language for fit in coverages if fit.coverage >= FITTING_COVERAGE}
    if len(fitting) < 2:
        return ModelLanguages(tuple(fitting))

    def rank(language: str) -> tuple[float, int, str]:
        tests = [test for suite in _suites(language) for test in suite.tests]
        return -coverage(tests, embedding), -keys[_script(language)], language

    best, *others = sorted(fitting, key=rank)
    return ModelLanguages((best,), tuple(others))


def _language_by_pieces(encoder: Encoder) -> ModelLanguages:
    """Return the language whose words an encoder's tokenizer cuts into the fewest pieces.

    Others with about as few pieces fit as well. None where no language has fewer pieces than the
    rest, as in an encoder that reads letters, or in a function: nothing then tells what it was
    trained on.
    """
    pieces_per_word = {}
    for language in dict.fromkeys(suite.language for suite in shipped_suites()):
        sets = (wordset for suite in _suites(language) for wordset in suite.sets.values())
        words = dict.fromkeys(word.word for wordset in sets for word in wordset.words)
        tokenised = encoder.pieces([*words])
        known = [pieces.all for pieces in tokenised if pieces.unknown < pieces.all]
        if len(known) >= FITTING_COVERAGE * len(tokenised):
            pieces_per_word[language] = sum(known) / len(known)
    if not pieces_per_word or (
        len(pieces_per_word) > 1
        and max(pieces_per_word.values()) <= SIMILAR_PIECES * min(pieces_per_word.values())
    ):
        return ModelLanguages(())
    best, *others = sorted(pieces_per_word, key=pieces_per_word.__getitem__)
    return ModelLanguages(
        (best,),
        tuple(
            wordset
            for wordset in others
            if pieces_per_word[wordset] <= SIMILAR_PIECES * pieces_per_word[best]
        ),
    )


def languages_of(model: Representation) -> tuple[str, ...]:
    """Return the languages in which a model is measured; none if they are not known."""
    return model_languages(model).languages


def suite_coverages(model: Representation, languages: Sequence[str]) -> list[SuiteCoverage]:
    """Return the shipped suites of some languages, and how much of each a model knows."""
    suites = [suite for language in languages for suite in _suites(language)]
    suites.sort(key=lambda suite: suite.id)
    return [SuiteCoverage(suite, coverage(suite, model)) for suite in suites]


def keys_by_script(embedding: Embedding) -> Counter[str]:
    """Count the keys by the script of their first letter; tags such as _NOUN stand at the end."""
    counts: Counter[str] = Counter()
    for letter, count in Counter(key[:1] for key in embedding.keys).items():
        if letter and (script_name := script(letter)):
            counts[script_name] += count
    return counts


def languages_of_main_script(keys: Counter[str]) -> list[str]:
    """Return the languages of shipped suites in whose scripts many of the keys are written."""
    languages = dict.fromkeys(suite.language for suite in shipped_suites())
    threshold = MAIN_SCRIPT_SHARE * max(keys.values(), default=1)
    return [language for language in languages if keys[_script(language)] >= threshold]


def _suites(language: str) -> list[Suite]:
    return [suite for suite in shipped_suites() if suite.language == language]


def _script(language: str) -> str:
    sets = (wordset for suite in _suites(language) for wordset in suite.sets.values())
    return script_of_language(language, (word.word for wordset in sets for word in wordset.words))
