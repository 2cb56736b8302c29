"""Why no shipped suite fits a model, and what helps."""

import re
from collections.abc import Sequence
from itertools import islice

from fairvec.embedding import Embedding
from fairvec.encoders import Representation
from fairvec.evaluation.choosing.languages import FITTING_COVERAGE, Fit, fits_of, keys_by_script
from fairvec.ground.numbers import percent_reached
from fairvec.ground.text.shown_values import shown
from fairvec.lexicon import shipped_suites

STRANGE = 0.1
"""Of whose words less is known has keys of another kind, rather than too few words."""
SAMPLE = 200
TAGGED = re.compile(r".+[_|/#.][A-Z][A-Z0-9$]*")
"""A key with a part of speech, universal (woman_NOUN) or not (woman_NN, woman|NOUN)."""


def why_none(model: Representation, fits: Sequence[Fit]) -> str:
    """Say why no suite is chosen for a model, and what helps."""
    remedy = "Name a suite or write one with 'fairvec suites new'."
    said = ", ".join(model.languages)
    if said and not fits:
        return f"no shipped suite is in {said}. {remedy}"
    every = {suite.language: None for suite in shipped_suites()}
    best = max(fits or fits_of(model, list(every)), key=lambda fit: fit.coverage)
    if best.coverage >= FITTING_COVERAGE and not isinstance(model, Embedding):
        return (
            "what it is made of does not tell its language; say --language en (language='en'), or "
            "whichever it is."
        )
    if best.coverage >= FITTING_COVERAGE and isinstance(model, Embedding):
        ((written, _),) = keys_by_script(model).most_common(1)
        language = best.suite.language
        return (
            f"no shipped suite is in a language of its keys, which are {written} for the most "
            f"part; if it is to be measured in {language}, say --language {language} "
            f"(language={language!r})."
        )
    of_language = f" in {said}" if said else ""
    share = f"none{of_language} has a word"
    if best.coverage:
        many = percent_reached(best.coverage)
        share = f"the nearest{of_language}, {best.suite.id}, has {many} of its words"
    keys = _keys_in_words(model) if best.coverage < STRANGE else ""
    return f"no shipped suite fits; {share} in the model{keys}. {remedy}"


def _keys_in_words(model: Representation) -> str:
    """Say how the keys begin, which tells numbers, odd letters and tags from words."""
    if not isinstance(model, Embedding):
        return ""
    first = [*islice(model.keys, SAMPLE)]
    tagged = 2 * sum(TAGGED.fullmatch(key) is not None for key in first) > len(first)
    advice = "; of tags the universal ones are understood, as in woman_NOUN" if tagged else ""
    return f", whose keys begin with {', '.join(shown(key, 20) for key in first[:3])}{advice}"
