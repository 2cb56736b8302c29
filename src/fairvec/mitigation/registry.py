"""The debiasing methods that come with fairvec, and the one that is used where none is named."""

from fairvec.lexicon import Concept
from fairvec.mitigation.base import Debiaser
from fairvec.mitigation.methods import (
    conceptor,
    double_hard,
    erasure,
    hard,
    pgd,
    projection,
    ran,
)

DEBIASERS: tuple[type[Debiaser], ...] = (
    projection.LinearProjection,
    hard.HardDebiasing,
    projection.LPSG,
    erasure.INLP,
    erasure.LEACE,
    projection.OSCaR,
    conceptor.ConceptorNegation,
    conceptor.HalfSibling,
    hard.MultiClassHard,
    double_hard.DoubleHard,
    ran.RAN,
    pgd.PGD,
)
"""Every method; the name of each is unique."""

DEFAULT_FOR_SENTENCES = projection.LinearProjection.name
"""The method for what stands for no word, where none is named."""


def default_method(concept: Concept, *, of_words: bool = True) -> str:
    """Return the name of the method that is used where none is named.

    vectors of words                              hard
    the same, and a concept of sets of three      multiclass-hard: the steps of hard for such sets
    sentences or rows that stand for no word      linear-projection

    Of the shipped models `hard` takes out as much as linear projection does, or more, and leaves
    nearly all of the information (docs/debiasing.md has the figures); it treats single words by
    name, which sentences do not have.
    """
    if not of_words:
        return DEFAULT_FOR_SENTENCES
    has_larger = any(len(words) > 2 for words in concept.equality_sets)
    return hard.MultiClassHard.name if has_larger else hard.HardDebiasing.name
