"""What a model knows: fairvec.neighbours, analogy, biased_analogies and benchmark."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from fairvec.api.measure import AskedBenchmarks
from fairvec.api.models import as_embedding, as_model
from fairvec.api.results import Results
from fairvec.benchmarks import benchmarks_for_language
from fairvec.core.errors import SettingError
from fairvec.core.settings import PositiveInt, Seed, Share, public_call
from fairvec.core.validation import as_list
from fairvec.embedding import Embedding
from fairvec.encoders import Representation
from fairvec.experiments.audit.languages import languages_of
from fairvec.experiments.audit.run import Progress
from fairvec.experiments.neighbours import keys_of_words, near_words, subset_note
from fairvec.experiments.remarks import Remarks, other_languages
from fairvec.geometry import default_similarity
from fairvec.geometry import similarity as similarity_named
from fairvec.languages.language import DEFAULT_LANGUAGE
from fairvec.lexicon import Concept, ConceptWords, shipped_concepts
from fairvec.lexicon import concept as concept_named
from fairvec.metrics.bias.biased_analogies import BiasedAnalogy, Manner
from fairvec.metrics.bias.biased_analogies import biased_analogies as find_biased_analogies
from fairvec.metrics.utility.analogy import Analogies, AnalogyMethod
from fairvec.metrics.utility.sembias import SemBiasDefinition
from fairvec.results import Outcome


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


@public_call()
def benchmark(
    model: Any,
    benchmarks: AskedBenchmarks | None = None,
    *,
    similarity: str | None = None,
    method: AnalogyMethod | None = None,
    t: float | None = None,
    definition: SemBiasDefinition | None = None,
    restrict: PositiveInt | None = None,
    min_coverage: Share = 0.25,
    language: str | Sequence[str] | None = None,
    seed: Seed = 0,
    progress: Progress | None = None,
    on_remark: Callable[[str], None] | None = None,
) -> Results:
    r"""Ask a model benchmarks: one record for each figure, and for each bias that they measure.

    Args:
        model: As in `fairvec.audit`; an encoder reads each word or sentence alone.
        benchmarks: Names of `fairvec.list_benchmarks`, fetched if they are not here, files, or
            benchmark sets; else those of the model's languages that are on this machine.
        similarity: Of words, sentences, documents and gyro-translation; else cosine in flat space,
            negative-distance in the ball and of analogies.
        method: Of analogies; else 3cosadd, and gyro-translation in the ball.
        t: Of gyro-translation, from 0 to 1; else 0.3 of analogies, chosen by cross-validation of
            SemBias.
        definition: Of SemBias; else offset-angle, and in the ball both.
        restrict: Of analogies: only so many of the commonest words.
        min_coverage: Skip a figure of which less than this share of the items is found.
        language: Of the model, or several; else what is known or found of it.
        seed: Of everything random.
        progress: Called with (done, in all, what) while asking.
        on_remark: Called with each remark as soon as it is known: other languages, absent ones.

    >>> import fairvec
    >>> from pathlib import Path
    >>> pairs = "king\tqueen\t9\ncar\troad\t6\nking\tcar\t1\nqueen\troad\t1\n"
    >>> _ = Path("pairs.tsv").write_text(pairs)
    >>> found, = fairvec.benchmark("glove-en-small", "pairs.tsv")
    >>> found.metric, found.coverage[0].found
    ('word-similarity', 4)
    """
    # Here and not above: near words ask no benchmark.
    from fairvec.experiments.benchmark_plan import benchmark_plan, with_chosen_t
    from fairvec.experiments.utility import USUAL, ask_benchmark, select_benchmarks

    settings = {
        "similarity": None if similarity is None else similarity_named(similarity),
        "method": method,
        "t": t,
        "definition": definition,
        "restrict": restrict,
    }
    statistics = replace(USUAL, min_coverage=min_coverage, seed=seed)
    opened = as_model(model, language=language)
    names = None if benchmarks is None else as_list(benchmarks)
    if not names:
        _remark_on_absent(opened, Remarks(on_remark))
    sets = select_benchmarks(opened, names or None)
    if not sets:
        raise SettingError(_why_no_benchmark(opened))
    plan = benchmark_plan(sets, opened, settings)
    outcomes: list[Outcome] = []
    for done, (asked, usual) in enumerate(plan):
        if progress:
            progress(done, len(plan), asked.name)
        metric = with_chosen_t(usual, asked, opened)
        outcomes += [answer.outcome for answer in ask_benchmark(metric, asked, opened, statistics)]
    return Results(outcomes)


_FETCH = "'fairvec benchmarks get NAME', or point FAIRVEC_DATA to a folder that has it"


def _absent(model: Representation) -> list[str]:
    return [
        name
        for language in languages_of(model)
        for name in benchmarks_for_language(language, at_hand=False)
    ]


def _remark_on_absent(model: Representation, remarks: Remarks) -> None:
    """Remark on the benchmarks that are not asked, because of their language or their absence."""
    remarks.add(other_languages(model))
    has_some = any(
        benchmarks_for_language(language, at_hand=True) for language in languages_of(model)
    )
    if has_some and (absent := _absent(model)):
        remarks.add(f"Not here: {', '.join(absent)}; fetch one with {_FETCH}.")


def _why_no_benchmark(model: Representation) -> str:
    languages = languages_of(model)
    if _absent(model):
        return f"No benchmark in a language of {model.name} is here; fetch one with {_FETCH}."
    if languages:
        return f"There is no benchmark in {', '.join(languages)}; name one to ask all the same."
    return (
        f"The language of {model.name} is not known; say --language (language=), or name the "
        "benchmarks to ask it."
    )
