"""Do nouns whose grammatical gender varies stand between the others?"""

import numpy as np
import numpy.typing as npt

from fairvec.encoders import Representation
from fairvec.evaluation.runs.describe import identity_of_model, versions
from fairvec.geometry import FloatArray, natural_similarity
from fairvec.geometry import similarity as similarity_named
from fairvec.ground.errors import UndefinedError
from fairvec.ground.level import significant
from fairvec.ground.numbers import number, p_value
from fairvec.lexicon import Group, Test, Word, resolve
from fairvec.lexicon.noun_gender import NounLists, noun_lists
from fairvec.metrics.bias.parts.association import closeness
from fairvec.metrics.bias.parts.effect_size import leanings
from fairvec.results import NounGenders, NounPlace, PValue
from fairvec.stats import permutation_test

FEWEST = 3
"""Nouns of each kind, and forms of each gender, that a model must know."""

KNOWN = 0.75
"""A model that tells fewer certain nouns right does not know their gender well enough to ask."""

LEVEL = 0.05

Chosen = npt.NDArray[np.bool_]


def noun_genders(
    model: Representation,
    *,
    language: str = "hi",
    lists: NounLists | None = None,
    similarity: str | None = None,
) -> NounGenders:
    """Say where nouns stand between masculine and feminine forms, and if varying ones are nearer.

    s(w) = mean sim(w, masculine forms) - mean sim(w, feminine forms); the middle m is half of the
    mean s of masculine nouns and that of feminine ones, and the distance |s(w) - m|. For a certain
    noun m is found without it, so that no noun is nearer for having made the middle. p regroups
    the distances of varying and certain nouns, two-sided. A small p with a smaller distance of the
    varying nouns says that the texts use them with both genders; or that the model knows them less
    well, as rare words: both bring a noun to the middle.

    Malik et al. (2022), doi:10.18653/v1/2022.naacl-main.76, section 2.1, ask the question.
    """
    nouns = lists or noun_lists(language)
    by = natural_similarity(model.geometry) if similarity is None else similarity_named(similarity)
    certain = (*nouns.masculine, *nouns.feminine)
    test = Test(
        x=nouns.varying,
        y=certain,
        a=nouns.masculine_forms,
        b=nouns.feminine_forms,
        language=nouns.language,
    )
    groups = resolve(test, model)
    forms = groups["a"].vectors, groups["b"].vectors
    if min(map(len, forms)) < FEWEST:
        raise UndefinedError(_too_few(model, "forms of verbs and adjectives"))

    def lean(group: Group) -> FloatArray:
        if not group.found:
            raise UndefinedError(_too_few(model, "nouns of each kind"))
        return leanings(closeness(group.vectors, *forms, by, model.geometry).means)

    varying, sure = lean(groups["x"]), lean(groups["y"])
    masculine = np.array([found.word in nouns.masculine for found in groups["y"].found])
    if min(len(varying), int(masculine.sum()), int((~masculine).sum())) < FEWEST:
        raise UndefinedError(_too_few(model, "nouns of each kind"))
    middle, apart = _middle(sure, masculine), from_others(sure, masculine)
    p = PValue.model_validate(
        permutation_test(np.abs(varying - middle), np.abs(apart)), from_attributes=True
    )
    right = float(((apart > 0) == masculine).mean())
    away = float(np.abs(varying - middle).mean()), float(np.abs(apart).mean())
    kinds = ["varying"] * len(varying) + np.where(masculine, "masculine", "feminine").tolist()
    places = map(
        _place,
        (found.word for role in "xy" for found in groups[role].found),
        kinds,
        np.concatenate([varying, sure]) - middle,
    )
    missing = [each.word.word for role in "xy" for each in groups[role].missing]
    return NounGenders(
        model=identity_of_model(model),
        language=nouns.language,
        lists=nouns.version,
        similarity=by.name,
        nouns=tuple(places),
        missing=tuple(missing),
        told_right=right,
        varying_away=away[0],
        certain_away=away[1],
        p=p,
        sentence=_sentence(right, away, p.value),
        versions=versions(model),
    )


def from_others(sure: FloatArray, masculine: Chosen) -> FloatArray:
    """Return how far each certain noun is from the middle of the others."""
    every = np.arange(len(sure))
    middles = [_middle(sure[every != one], masculine[every != one]) for one in every]
    away: FloatArray = sure - np.array(middles)
    return away


def _middle(sure: FloatArray, masculine: Chosen) -> float:
    return float(sure[masculine].mean() + sure[~masculine].mean()) / 2


def _place(word: Word, kind: str, leaning: float) -> NounPlace:
    said = {"transliteration": word.transliteration, "gloss": word.gloss}
    return NounPlace.model_validate(
        {"word": word.word, "kind": kind, "leaning": float(leaning), **said}
    )


def _too_few(model: Representation, what: str) -> str:
    return (
        f"{model.name} knows fewer than {FEWEST} of some {what}; use a model of that language with "
        "more words."
    )


def _sentence(right: float, away: tuple[float, float], p: float) -> str:
    known = f"{right:.0%} of the certain nouns stand on the side of their gender"
    if right < KNOWN:
        return f"Only {known}, so that this model cannot be asked about the varying ones."
    figures = f"{number(away[0], 3)} from the middle against {number(away[1], 3)}, p {p_value(p)}"
    if not significant(p, LEVEL):
        return (
            f"{known}; there is no evidence that varying ones stand nearer to or farther from the "
            f"middle ({figures})."
        )
    where = "nearer to" if away[0] < away[1] else "farther from"
    return f"{known}; varying ones stand {where} the middle ({figures})."
