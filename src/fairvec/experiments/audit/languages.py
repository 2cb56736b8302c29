"""In which languages a model is measured when nobody names suites or benchmarks."""

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
AT_HOME = 0.5
"""A script with fewer keys than this share of the most used one's holds foreign words only."""
ALIKE = 1.25
"""Of a language it was trained on a tokenizer cuts words into fewer pieces than by this factor."""


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


_FOUND: WeakKeyDictionary[Embedding, ModelLanguages] = WeakKeyDictionary()
"""Embeddings never change, and a page asks the same one for every answer."""


def model_languages(model: Representation) -> ModelLanguages:
    """Return the languages a model is said to be in, or else the one that is found."""
    if model.languages:
        return ModelLanguages(model.languages)
    if not isinstance(model, Embedding):
        return _by_pieces(model)
    if model not in _FOUND:
        _FOUND[model] = _by_keys(model)
    return _FOUND[model]


def _by_keys(embedding: Embedding) -> ModelLanguages:
    """Return the language of an embedding's keys.

    Found are the languages with a shipped suite that fits, among those in whose script the model is
    at home. The one of all whose tests most words are known is taken, and where two are equal the
    one whose script has more keys; none where no suite fits.
    """
    keys = keys_by_script(embedding)
    fits = suite_coverages(embedding, languages_of_main_script(keys))
    fitting = {fit.suite.language for fit in fits if fit.coverage >= FITTING_COVERAGE}
    if len(fitting) < 2:
        return ModelLanguages(tuple(fitting))

    def rank(language: str) -> tuple[float, int, str]:
        tests = [test for suite in _suites(language) for test in suite.tests]
        return -coverage(tests, embedding), -keys[_script(language)], language

    best, *others = sorted(fitting, key=rank)
    return ModelLanguages((best,), tuple(others))


def _by_pieces(encoder: Encoder) -> ModelLanguages:
    """Return the language whose words an encoder's tokenizer cuts into the fewest pieces.

    Others that it cuts about as little fit as well. None where it cuts no language less than the
    rest, as of what reads letters, or of a function: nothing then tells what it was trained on.
    """
    cuts = {}
    for language in dict.fromkeys(suite.language for suite in shipped_suites()):
        sets = (each for suite in _suites(language) for each in suite.sets.values())
        words = dict.fromkeys(word.word for each in sets for word in each.words)
        read = encoder.pieces([*words])
        known = [pieces.all for pieces in read if pieces.unknown < pieces.all]
        if len(known) >= FITTING_COVERAGE * len(read):
            cuts[language] = sum(known) / len(known)
    if not cuts or (len(cuts) > 1 and max(cuts.values()) <= ALIKE * min(cuts.values())):
        return ModelLanguages(())
    best, *others = sorted(cuts, key=cuts.__getitem__)
    return ModelLanguages(
        (best,), tuple(each for each in others if cuts[each] <= ALIKE * cuts[best])
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
    found: Counter[str] = Counter()
    for letter, count in Counter(key[:1] for key in embedding.keys).items():
        if letter and (written := script(letter)):
            found[written] += count
    return found


def languages_of_main_script(keys: Counter[str]) -> list[str]:
    """Return the languages of shipped suites in whose scripts many of the keys are written."""
    languages = dict.fromkeys(suite.language for suite in shipped_suites())
    enough = AT_HOME * max(keys.values(), default=1)
    return [language for language in languages if keys[_script(language)] >= enough]


def _suites(language: str) -> list[Suite]:
    return [suite for suite in shipped_suites() if suite.language == language]


def _script(language: str) -> str:
    sets = (each for suite in _suites(language) for each in suite.sets.values())
    return script_of_language(language, (word.word for each in sets for word in each.words))
