"""What a model knows: fairvec.neighbours, analogy, biased_analogies and benchmark."""

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from fairvec.api.models import as_embedding
from fairvec.core.errors import SettingError
from fairvec.core.settings import PositiveInt, public_call
from fairvec.embedding import Embedding
from fairvec.experiments.audit.languages import languages_of
from fairvec.experiments.neighbours import keys_of_words, near_words, subset_note
from fairvec.geometry import default_similarity
from fairvec.geometry import similarity as similarity_named
from fairvec.languages.language import DEFAULT_LANGUAGE
from fairvec.lexicon import Concept, ConceptWords, shipped_concepts
from fairvec.lexicon import concept as concept_named
from fairvec.metrics.bias.biased_analogies import BiasedAnalogy, Manner
from fairvec.metrics.bias.biased_analogies import biased_analogies as find_biased_analogies
from fairvec.metrics.utility.analogy import Analogies


class Neighbour(NamedTuple):
    """A near word, and how similar it is."""

    word: str
    similarity: float


class NearestWords(list[Neighbour]):
    """The near words of a word, nearest first; `key` is how the `model` of that name spells it.

    `similarity` names what was compared: large is near, also of a negative distance. `remarks` say
    how a word was found that is not there as typed, and whether words were left out of the model.
    """

    def __init__(
        self,
        near: Iterable[Neighbour],
        *,
        model: str,
        key: str,
        similarity: str,
        remarks: Sequence[str] = (),
    ) -> None:
        super().__init__(near)
        self.model = model
        self.key = key
        self.similarity = similarity
        self.remarks = tuple(remarks)


@public_call({"topn": "There is no setting named 'topn'; did you mean count?"})
def neighbours(
    model: Any, word: str, count: PositiveInt = 10, *, similarity: str | None = None
) -> NearestWords:
    """Return the nearest words of a word, and how similar each is.

    Args:
        model: Word vectors, as in `fairvec.audit`.
        word: Looked up as those of tests are: by its case and the spelling rules of its script.
        count: How many.
        similarity: As in `fairvec.audit`; else cosine in flat space, negative distance in the ball.

    >>> import fairvec
    >>> [near.word for near in fairvec.neighbours("glove-en-small", "doctor", 3)]
    ['physician', 'nurse', 'doctors']
    """
    _check_word("word", word)
    chosen = None if similarity is None else similarity_named(similarity)
    embedding = as_embedding(model)
    chosen = chosen or default_similarity(embedding.geometry)
    remarks: list[str] = []
    keys = keys_of_words([word], embedding, remarks.append)
    (found,) = near_words(embedding, keys, count, chosen)
    near = zip(found.near, map(float, found.similarities), strict=True)
    return NearestWords(
        (Neighbour(*neighbour) for neighbour in near),
        model=embedding.name,
        key=found.key,
        similarity=chosen.name,
        remarks=[*remarks, *filter(None, [subset_note(embedding)])],
    )


class AnalogyAnswers(NearestWords):
    """The words that complete an analogy, the best first.

    `question` has the three words as the model spells them, and `key` is the last of them; `method`
    and `t` say how the answers were found. `t` is None of a method that has none.
    """

    def __init__(
        self,
        near: Iterable[Neighbour],
        *,
        model: str,
        question: tuple[str, str, str],
        method: str,
        t: float | None,
        similarity: str,
        remarks: Sequence[str] = (),
    ) -> None:
        super().__init__(near, model=model, key=question[2], similarity=similarity, remarks=remarks)
        self.question = question
        self.method = method
        self.t = t


@public_call({"topn": "There is no setting named 'topn'; did you mean count?"})
def analogy(
    model: Any,
    a: str,
    b: str,
    c: str,
    count: PositiveInt = 10,
    *,
    method: str | None = None,
    similarity: str | None = None,
    t: float | None = None,
) -> AnalogyAnswers:
    """Return the words that complete "a is to b as c is to ..." best, without these three.

    Args:
        model: Word vectors, as in `fairvec.audit`.
        a: Looked up as in `fairvec.neighbours`, as are b and c.
        b: What a is to.
        c: What is to the answer as a is to b.
        count: How many answers.
        method: As in "3cosadd", the default in flat space, or "gyro-translation", that of the ball.
        similarity: Of gyro-translation; else negative-distance.
        t: Of gyro-translation in the ball, from 0 to 1; else 0.3.

    >>> import fairvec
    >>> [near.word for near in fairvec.analogy("glove-en-small", "man", "king", "woman", 2)]
    ['queen', 'monarch']
    """
    words = {"a": a, "b": b, "c": c}
    for name, word in words.items():
        _check_word(name, word)
    settings: dict[str, Any] = {
        "similarity": None if similarity is None else similarity_named(similarity)
    }
    embedding = as_embedding(model)
    natural = "gyro-translation" if embedding.geometry.curvature else "3cosadd"
    if t is not None:
        settings["t"] = t
    metric = Analogies(method or natural, **settings)  # type: ignore[arg-type]
    if t is not None and not (metric.method == natural == "gyro-translation"):
        where = "in flat space" if natural == "3cosadd" else f"by {metric.method}"
        raise SettingError(
            f"The setting t has no meaning {where}, only for gyro-translation in the ball; leave "
            "it out."
        )
    remarks: list[str] = []
    first, second, third = keys_of_words(words.values(), embedding, remarks.append)
    question = np.array([[embedding.positions[key] for key in (first, second, third)]])
    answers = metric.best_answers(question, embedding, count)
    return AnalogyAnswers(
        (
            Neighbour(embedding.keys[row], float(number))
            for row, number in zip(answers.rows[0], answers.similarities[0], strict=True)
        ),
        model=embedding.name,
        question=(first, second, third),
        method=metric.method,
        t=metric.t if metric.method == "gyro-translation" else None,
        similarity=metric.score_name,
        remarks=[*remarks, *filter(None, [subset_note(embedding)])],
    )


class BiasedAnalogies(list[BiasedAnalogy]):
    """The analogies `pair[0]` : x :: `pair[1]` : y that the `model` of that name draws.

    `remarks` say how words were found that are not there as typed, and what is sensitive.
    """

    def __init__(
        self,
        analogies: Iterable[BiasedAnalogy],
        *,
        model: str,
        pair: tuple[str, str],
        remarks: Sequence[str] = (),
    ) -> None:
        super().__init__(analogies)
        self.model = model
        self.pair = pair
        self.remarks = tuple(remarks)


@public_call()
def biased_analogies(
    model: Any,
    concept: str | Path | Concept | None = None,
    *,
    count: PositiveInt = 20,
    manner: Manner = "pairs",
    words: PositiveInt = 10_000,
    among: Sequence[str] = (),
    language: str | Sequence[str] | None = None,
) -> BiasedAnalogies:
    """Return the analogies by which a model sets two groups apart, the strongest first.

    Words that mean the concept itself (defining, equality and specific words) are left out, so
    that what is found is what the model adds.

    Args:
        model: Word vectors, as in `fairvec.audit`.
        concept: Its first pair is a and b; else one pair of gender in the model's language.
        count: How many.
        manner: "pairs": any two words that differ as a and b do (Bolukbasi et al. 2016);
            "answers": what the model answers to a : x :: b : ? (as in Kumar et al. 2020).
        words: Look among so many of the frequent words.
        among: Only these words as x, each with its own y.
        language: Of the model, or several; else what is known or found of it.

    >>> import fairvec
    >>> found = fairvec.biased_analogies("glove-en-small", count=5)
    >>> found.pair, len(found)
    (('he', 'she'), 5)
    """
    own_concept = None if concept is None else concept_with_pairs(concept)
    embedding = as_embedding(model, language=language)
    chosen = own_concept or _gender_of(embedding)
    concept_words = ConceptWords(chosen, embedding)
    pair = concept_words.pairs_of(chosen.definition, chosen.name).pairs[0]
    definitions = [word for each in chosen.variants.values() for word in each.entries]
    equal = [word for each in chosen.equalise for word in each]
    excluded = concept_words.words([*definitions, *equal, *chosen.specific]).keys
    remarks: list[str] = []
    x = keys_of_words(among, embedding, remarks.append)
    if chosen.sensitive:
        remarks.append(f"Sensitive: {chosen.sensitive_reason}")
    remarks += filter(None, [subset_note(embedding)])
    found = find_biased_analogies(
        embedding,
        pair,
        count=max(count, len(x)),
        manner=manner,
        words=words,
        among=x,
        without=excluded,
    )
    return BiasedAnalogies(found, model=embedding.name, pair=pair, remarks=remarks)


def concept_with_pairs(concept: str | Path | Concept) -> Concept:
    """Return a concept that is defined by pairs; else refuse it and name a variant that is."""
    chosen = concept if isinstance(concept, Concept) else concept_named(concept)
    if chosen.definition.pairs:
        return chosen
    name = chosen.name if isinstance(concept, Concept) else str(concept)
    base = name.removesuffix(f":{chosen.variant}")
    others = [f"{base}:{variant}" for variant, each in chosen.variants.items() if each.pairs]
    raise SettingError(
        f"{chosen.name} is defined by no pairs, so there is nothing to set apart; choose "
        f"{' or '.join(others) or 'another concept'}."
    )


def _gender_of(embedding: Embedding) -> Concept:
    """Return one pair of gender in the model's language; English if that is unknown."""
    concepts = {each.id: each for each in shipped_concepts()}
    languages = languages_of(embedding) or (DEFAULT_LANGUAGE,)
    ids = (f"{language}/gender" for language in languages)
    concept = next((concepts[one] for one in ids if one in concepts), None)
    if concept is None:
        raise SettingError(
            f"There are no pairs of gender in {', '.join(languages)}, the language of "
            f"{embedding.name}; name a concept (concept=, --concept)."
        )
    return concept.choosing("one-pair")


def _check_word(name: str, word: str) -> None:
    if not isinstance(word, str):
        raise SettingError(f"{name}= is {word!r}; give one word as text, and ask again for others.")
