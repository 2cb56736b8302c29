"""Do nouns whose grammatical gender varies lie between masculine and feminine ones?"""

from typing import Literal

import numpy as np
import numpy.typing as npt
from pydantic import Field

from fairvec.core.errors import UndefinedError
from fairvec.core.validation import Record
from fairvec.encoders import Representation
from fairvec.encoders.encoder import versions
from fairvec.experiments.audit.languages import languages_of
from fairvec.experiments.provenance import describe_model
from fairvec.geometry import FloatArray, default_similarity
from fairvec.geometry import similarity as similarity_named
from fairvec.languages.people import NounLists, noun_lists
from fairvec.languages.words import Word
from fairvec.lexicon import Group, Test, resolve
from fairvec.messages.remarks import noun_gender_sentence
from fairvec.metrics.bias.weat import attribute_similarities, leanings
from fairvec.results.identities import ModelIdentity
from fairvec.stats import PValue, permutation_test

NounKind = Literal["varying", "masculine", "feminine"]


class NounPlace(Record):
    """One noun, and how it leans."""

    word: str = Field(description="The noun as listed")
    kind: NounKind = Field(description="Its gender in the list")
    leaning: float = Field(
        description="Mean similarity to masculine forms minus that to feminine ones, less that of "
        "the middle: positive leans to masculine"
    )
    transliteration: str = Field(default="", description="In Latin letters")
    gloss: str = Field(default="", description="In English")


class NounGenders(Record):
    """Whether nouns whose gender varies stand nearer to the middle than certain ones."""

    model: ModelIdentity = Field(description="The embedding")
    language: str = Field(description="ISO 639-1 code of the nouns")
    lists: str = Field(description="Version of the lists")
    similarity: str = Field(description="How two points are compared")
    nouns: tuple[NounPlace, ...] = Field(description="Every noun that was found")
    missing: tuple[str, ...] = Field(description="Nouns that were not")
    told_right: float = Field(
        description="Share of the certain nouns on the right side of a middle found without them; "
        "a half is a guess, and then nothing else here means anything"
    )
    varying_away: float = Field(description="Mean distance of varying nouns from the middle")
    certain_away: float = Field(description="The same of certain ones")
    p: PValue = Field(description="How often regrouping the nouns makes as large a difference")
    sentence: str = Field(description="The answer in one sentence")
    versions: dict[str, str] = Field(description="Versions of fairvec, Python, numpy and scipy")


FEWEST_NOUNS = 3
"""Nouns of each kind, and forms of each gender, that a model must know."""

LEAST_TOLD_RIGHT = 0.75
"""A model that tells fewer certain nouns right does not know their gender well enough to ask."""

LEVEL = 0.05

Mask = npt.NDArray[np.bool_]


def noun_genders(
    model: Representation,
    *,
    language: str | None = None,
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

    Without a language the lists are those of the model's. Malik et al. (2022),
    doi:10.18653/v1/2022.naacl-main.76, section 2.1, ask the question.
    """
    nouns = lists or noun_lists(language or next(iter(languages_of(model)), ""))
    by = default_similarity(model.geometry) if similarity is None else similarity_named(similarity)
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
    if min(map(len, forms)) < FEWEST_NOUNS:
        raise UndefinedError(_too_few(model, "forms of verbs and adjectives"))

    def group_leanings(group: Group) -> FloatArray:
        if not group.found:
            raise UndefinedError(_too_few(model, "nouns of each kind"))
        return leanings(attribute_similarities(group.vectors, *forms, by, model.geometry).means)

    varying, certain_leanings = group_leanings(groups["x"]), group_leanings(groups["y"])
    masculine = np.array([found.word in nouns.masculine for found in groups["y"].found])
    if min(len(varying), int(masculine.sum()), int((~masculine).sum())) < FEWEST_NOUNS:
        raise UndefinedError(_too_few(model, "nouns of each kind"))
    middle, certain_distances = (
        _middle(certain_leanings, masculine),
        leave_one_out_distance(certain_leanings, masculine),
    )
    p = permutation_test(np.abs(varying - middle), np.abs(certain_distances))
    told_right = float(((certain_distances > 0) == masculine).mean())
    mean_distances = float(np.abs(varying - middle).mean()), float(np.abs(certain_distances).mean())
    kinds = ["varying"] * len(varying) + np.where(masculine, "masculine", "feminine").tolist()
    places = map(
        _place,
        (found.word for role in "xy" for found in groups[role].found),
        kinds,
        np.concatenate([varying, certain_leanings]) - middle,
    )
    missing = [missing_word.word.word for role in "xy" for missing_word in groups[role].missing]
    return NounGenders(
        model=describe_model(model),
        language=nouns.language,
        lists=nouns.version,
        similarity=by.name,
        nouns=tuple(places),
        missing=tuple(missing),
        told_right=told_right,
        varying_away=mean_distances[0],
        certain_away=mean_distances[1],
        p=p,
        sentence=noun_gender_sentence(
            told_right, mean_distances, p.value, fewest=LEAST_TOLD_RIGHT, alpha=LEVEL
        ),
        versions=versions(model),
    )


def leave_one_out_distance(sure: FloatArray, masculine: Mask) -> FloatArray:
    """Return how far each certain noun is from the middle of the others."""
    indices = np.arange(len(sure))
    middles = [_middle(sure[indices != index], masculine[indices != index]) for index in indices]
    distances: FloatArray = sure - np.array(middles)
    return distances


def _middle(sure: FloatArray, masculine: Mask) -> float:
    return float(sure[masculine].mean() + sure[~masculine].mean()) / 2


def _place(word: Word, kind: str, leaning: float) -> NounPlace:
    extra = {"transliteration": word.transliteration, "gloss": word.gloss}
    return NounPlace.model_validate(
        {"word": word.word, "kind": kind, "leaning": float(leaning), **extra}
    )


def _too_few(model: Representation, what: str) -> str:
    return (
        f"{model.name} knows fewer than {FEWEST_NOUNS} of some {what}; use a model of that "
        "language with more words."
    )
