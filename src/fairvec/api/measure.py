"""fairvec.audit and fairvec.neighbours, and the arguments that calls share."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from inspect import signature
from numbers import Integral
from os import PathLike
from pathlib import Path
from typing import Any, NamedTuple, Never

from fairvec.api.models import as_embedding, as_model_with
from fairvec.api.results import Results
from fairvec.benchmarks import BenchmarkSet
from fairvec.core.errors import LexiconError, SettingError, UnknownNameError, warn_user
from fairvec.core.settings import check_arguments
from fairvec.core.text import short_repr
from fairvec.encoders import Representation
from fairvec.encoders.contexts import Contexts
from fairvec.experiments.audit.audit import audit as audit_models
from fairvec.experiments.audit.languages import SuiteCoverage
from fairvec.experiments.audit.plan import IntervalKind, MetricChoice, Statistics
from fairvec.experiments.audit.run import Progress
from fairvec.experiments.audit.suites import concept_in_language, tests_in_language
from fairvec.experiments.audit.test_words import oov_test_words
from fairvec.experiments.neighbours import keys_of_words, near_words, subset_note
from fairvec.experiments.remarks import check_language
from fairvec.geometry import default_similarity
from fairvec.geometry import similarity as similarity_named
from fairvec.lexicon import ROLES, Concept, Selector, Selectors, Test
from fairvec.lexicon import as_list as listed
from fairvec.lexicon import concept as concept_named
from fairvec.lexicon.python_lists import ListOfWords
from fairvec.lexicon.suites import TestKind
from fairvec.metrics.bias.ceat import Answered
from fairvec.metrics.bias.seat import Permuted
from fairvec.stats import PMethod, Sides, Ties


def requested_tests(
    models: Sequence[Representation],
    *,
    suites: Selectors | None = None,
    tests: Test | Iterable[Test] | None = None,
    **lists: Any,
) -> list[Selector] | None:
    """Return the requested tests, in the language of the models where they have none."""
    selectors = collect_tests(suites=suites, tests=tests, **lists)
    return None if selectors is None else tests_in_language(selectors, models)


def collect_tests(
    *, suites: Selectors | None = None, tests: Test | Iterable[Test] | None = None, **lists: Any
) -> list[Selector] | None:
    """Return all requested tests together; None where there are none and fitting ones are chosen.

    Lists that stand in the call are one more test, of the suite `own`.
    """
    if suites is None and tests is None and not lists:
        return None
    selectors = _as_selectors("suites", suites) + _as_selectors("tests", tests)
    if lists:
        if not any(role in lists for role in ROLES):
            raise SettingError(
                f"{next(iter(lists))}= describes lists, and the call has none; give x=, y=, a= and "
                "b=, or say it of the Test."
            )
        selectors.append(Test(**lists))
    return selectors


def refuse_lists(call: str, settings: Mapping[str, Any]) -> None:
    """Say how lists of words are given to a call that takes tests of them alone."""
    for role in ROLES:
        if role in settings:
            raise SettingError(
                f"{call} takes lists as a test; say tests=Test({role}=[...], ...) with all of them."
            )


def _as_selectors(name: str, selectors: Selectors | None) -> list[Selector]:
    nonempty = (
        [] if selectors is None else [selector for selector in listed(selectors) if selector != ""]
    )
    if selectors is not None and not nonempty:
        raise SettingError(
            f"{name}= names no {name[:-1]}; leave it out to use the suites that fit."
        )
    return nonempty


_Benchmark = str | PathLike[str] | BenchmarkSet
AskedBenchmarks = _Benchmark | Iterable[_Benchmark]
"""Names, files, or benchmark sets; one or several."""


def as_concept(concept: str | Path | Concept, model: Representation) -> Concept:
    """Return a named or given concept, in the language of the model if it has none."""
    if isinstance(concept, Concept):
        return concept_in_language(concept, model)
    if isinstance(concept, str | Path):
        return concept_named(concept)
    raise LexiconError(
        f"A concept is no object of the kind {type(concept).__name__}; give a name, as in "
        "'en/gender', or Concept(pairs=[('he', 'she')])."
    )


def refuse_no_method(method: Any) -> None:
    """Refuse what stands where the name of a method, or a method with its settings, should."""
    if isinstance(method, type) or not all(hasattr(method, part) for part in ("name", "fit")):
        raise SettingError(
            f"method= is {short_repr(method)}, which is no method; give a name, as in 'hard', or "
            "an object, as in HardDebiasing(k=2)."
        )


def refuse_others(call: Callable[..., Any], others: Iterable[str], *meant: str) -> None:
    """Refuse an argument that a call does not take, with the nearest of those that it does."""
    for name in others:
        known = {*signature(call).parameters} - {"models", "model", "others", "settings"}
        raise UnknownNameError("setting", name, known, meant=meant)


def as_list(value: Any) -> list[Any] | None:
    """Return one thing or several as a list; None stays, which leaves the choice to others."""
    if value is None:
        return None
    is_single = isinstance(value, str) or not isinstance(value, Iterable)
    return [value] if is_single else [*value]


def audit(
    *models: Any,
    x: ListOfWords | None = None,
    y: ListOfWords | None = None,
    words: ListOfWords | None = None,
    a: ListOfWords | None = None,
    b: ListOfWords | None = None,
    title: str | None = None,
    titles: Mapping[str, str] | None = None,
    category: str | None = None,
    kind: TestKind | None = None,
    paired: bool | None = None,
    suites: Selectors | None = None,
    tests: Test | Iterable[Test] | None = None,
    metrics: MetricChoice | None = None,
    similarity: str | None = None,
    convention: str | None = None,
    permute: Permuted | None = None,
    contexts: Contexts | None = None,
    answer: Answered | None = None,
    language: str | Sequence[str] | None = None,
    sides: Sides = "two",
    ties: Ties = ">=",
    method: PMethod = "auto",
    samples: int = 100_000,
    interval: IntervalKind = "permutation",
    resamples: int = 50_000,
    level: float = 0.95,
    alpha: float = 0.05,
    min_coverage: float = 0.5,
    robust: bool = False,
    seed: int = 0,
    categories: bool = True,
    on_choice: Callable[[Representation, list[SuiteCoverage]], None] | None = None,
    progress: Progress | None = None,
    **others: Never,
) -> Results:
    """Measure models with lists of words: one record for each of them and each test.

    Args:
        models: Each a name of the catalogue, a path, an Embedding, an Encoder, or what
            `fairvec.load` takes, such as gensim's KeyedVectors.
        x: Target words; do they lean more to a, and those of `y` to b?
        y: The other targets.
        words: One list of targets in the place of x and y, for the metrics that need no two.
        a: Attribute words.
        b: The other attributes.
        title: What the test of these lists is called; by it runs are compared.
        titles: What single lists are called in sentences, as in {"a": "male words"}.
        category: What the lists are about, as in "gender"; tests of one category are pooled.
        kind: "bias", or "meaningful-encoding" (should not be zero) or "baseline" (harmless).
        paired: Whether word i of a and word i of b are a pair, as he and she.
        suites: Names of suites, tests or languages, files, or Suite objects.
        tests: Test objects. Suites, tests and lists are measured together; without any of them
            the shipped suites that fit a model are.
        metrics: Names, or objects with settings, as in ["weat", DirectBias(strictness=2)].
        similarity: How points are compared: cosine (default in flat space), negative-distance
            (default in the ball) or negative-squared-distance.
        convention: Of effect sizes: caliskan (default), population or raw-similarity.
        permute: What SEAT regroups: "words" (default), or "sentences" as the papers did.
        contexts: The corpus of CEAT, which reads words in its sentences.
        answer: Of CEAT: that of "words" (default), or "as-published", without a verdict.
        language: Of the models, or several; else what is known or found of them.
        sides: Tails that p counts: "two", "greater" or "less"; verdicts stay two-sided.
        ties: Whether equal statistics count as extreme: ">=", or ">" if not.
        method: How p is computed: "exact", "certified" or "sampled"; "auto" is exact wherever that
            is possible.
        samples: Regroupings drawn when p is sampled.
        interval: Of an effect: "permutation" (what its p allows), "bootstrap" (words drawn again)
            or "none".
        resamples: How often words are drawn again for a bootstrap interval.
        level: Coverage of the interval.
        alpha: The level that p is held against.
        min_coverage: A test is skipped when less than this share of a list is found.
        robust: Also try other words, other published lists, and equal frequency.
        seed: Of everything random.
        categories: Whether each category of bias tests gets an answer of its own.
        on_choice: Called with a model and the suites that were chosen for it.
        progress: Called with (done, in all, what).
        others: There are none; a slip is answered with the nearest of these names.

    Words that a model does not have are named in `coverage` of each record, and a test with too
    few of them is a `Skipped` with the reason. A fastText model that is named by its file, or that
    gensim holds, composes them from pieces, as `fairvec audit` has it, and `how` in `coverage` says
    of which.

    >>> import fairvec
    >>> found, = fairvec.audit(
    ...     "glove-en-small",
    ...     x=["engineer", "mechanic", "carpenter", "captain", "programmer"],
    ...     y=["nurse", "receptionist", "librarian", "housekeeper", "secretary"],
    ...     a=["he", "man", "boy", "father"], b=["she", "woman", "girl", "mother"],
    ... )
    >>> f"d = {found.effect:.2f}, p = {found.p.value:.3f}"
    'd = 1.51, p = 0.024'
    """
    for name in {"model", "models"} & others.keys():
        raise SettingError(
            f"Models come first and without {name}=; say audit(model, ...), or several of them."
        )
    refuse_others(audit, others)
    check_arguments(audit, categories=categories, on_choice=on_choice, progress=progress)
    statistics = Statistics(
        sides=sides,
        ties=ties,
        method=method,
        samples=samples,
        interval=interval,
        resamples=resamples,
        level=level,
        alpha=alpha,
        min_coverage=min_coverage,
        robust=robust,
        seed=seed,
    )
    if not models:
        raise SettingError("No model was given; name one, as in audit('glove-en-small', ...).")
    lists = {"x": x, "y": y, "words": words, "a": a, "b": b, "title": title, "titles": titles}
    options = lists | {"category": category, "kind": kind, "paired": paired}
    list_options = {name: value for name, value in options.items() if value is not None}
    selectors = collect_tests(suites=suites, tests=tests, **list_options)
    warn_user(check_language(language, selectors))
    find_oov = oov_test_words(selectors, language)
    opened = [as_model_with(find_oov, model, language=language) for model in models]
    selected = None if selectors is None else tests_in_language(selectors, opened)
    found = audit_models(
        *opened,
        suites=selected,
        metrics=metrics,
        similarity=similarity,
        convention=convention,
        permute=permute,
        contexts=contexts,
        answer=answer,
        statistics=statistics,
        categories=categories,
        on_choice=on_choice,
        progress=progress,
    )
    return Results(found)


class Neighbour(NamedTuple):
    """A near word, and how similar it is."""

    word: str
    similarity: float


class NearestWords(list[Neighbour]):
    """The near words of a word, nearest first; `key` is how the model spells it.

    `similarity` names what was compared: large is near, also of a negative distance. `remarks` say
    how a word was found that is not there as typed, and whether words were left out of the model.
    """

    def __init__(
        self, near: Iterable[Neighbour], *, key: str, similarity: str, remarks: Sequence[str] = ()
    ) -> None:
        super().__init__(near)
        self.key = key
        self.similarity = similarity
        self.remarks = tuple(remarks)


def neighbours(
    model: Any, word: str, count: int = 10, *, similarity: str | None = None, **others: Never
) -> NearestWords:
    """Return the nearest words of a word, and how similar each is.

    Args:
        model: Word vectors, as in `fairvec.audit`.
        word: Looked up as those of tests are: by its case and the spelling rules of its script.
        count: How many.
        similarity: As in `fairvec.audit`; else cosine in flat space, negative distance in the ball.
        others: There are none; a slip is answered with the nearest of these names.

    >>> import fairvec
    >>> [near.word for near in fairvec.neighbours("glove-en-small", "doctor", 3)]
    ['physician', 'nurse', 'doctors']
    """
    # gensim's name for it, which is nearer than its letters say.
    refuse_others(neighbours, others, *(["count"] if "topn" in others else []))
    if not isinstance(word, str):
        raise SettingError(f"word= is {word!r}; give one word as text, and ask again for others.")
    if isinstance(count, bool) or not isinstance(count, Integral):
        raise SettingError(f"count= is {count!r}; give a whole number of 1 or more.")
    embedding = as_embedding(model)
    default = default_similarity(embedding.geometry)
    chosen_similarity = default if similarity is None else similarity_named(similarity)
    remarks: list[str] = []
    keys = keys_of_words([word], embedding, remarks.append)
    (found,) = near_words(embedding, keys, count, chosen_similarity)
    if note := subset_note(embedding):
        remarks.append(note)
    near = zip(found.near, map(float, found.similarities), strict=True)
    return NearestWords(
        (Neighbour(*neighbour) for neighbour in near),
        key=found.key,
        similarity=chosen_similarity.name,
        remarks=remarks,
    )
