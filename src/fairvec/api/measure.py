"""fairvec.audit and sample_size, and the arguments that calls share."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from os import PathLike
from pathlib import Path
from typing import Any

from fairvec.api.models import as_model_with
from fairvec.api.results import Results
from fairvec.benchmarks import BenchmarkSet
from fairvec.core.errors import LexiconError, SettingError, warn_user
from fairvec.core.settings import Seed, Share, public_call
from fairvec.core.text import short_repr
from fairvec.core.validation import as_list
from fairvec.encoders import Representation
from fairvec.encoders.contexts import Contexts
from fairvec.experiments.audit.audit import audit as audit_models
from fairvec.experiments.audit.languages import SuiteCoverage
from fairvec.experiments.audit.plan import (
    InnerShare,
    IntervalKind,
    MetricChoice,
    Resamples,
    Samples,
    Statistics,
)
from fairvec.experiments.audit.run import Progress
from fairvec.experiments.audit.suites import tests_in_language
from fairvec.experiments.audit.test_words import oov_test_words
from fairvec.experiments.remarks import check_language
from fairvec.experiments.sample_size import (
    Draws,
    Longest,
    Margin,
    Power,
    SizeCoverage,
    words_needed,
)
from fairvec.lexicon import ROLES, Concept, Selector, Selectors, Test
from fairvec.lexicon import concept as concept_named
from fairvec.lexicon.python_lists import ListOfWords
from fairvec.lexicon.suites import TestKind
from fairvec.metrics.bias.ceat import Answered
from fairvec.metrics.bias.seat import Permuted
from fairvec.results.sample_size import SampleSizeReport
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


LISTS_ARE_TESTS = {
    role: f"The call takes lists as a test; say tests=Test({role}=[...], ...) with all of them."
    for role in ROLES
}
"""What a call that takes tests answers to lists of words."""


def _as_selectors(name: str, selectors: Selectors | None) -> list[Selector]:
    nonempty = (
        [] if selectors is None else [selector for selector in as_list(selectors) if selector != ""]
    )
    if selectors is not None and not nonempty:
        raise SettingError(
            f"{name}= names no {name[:-1]}; leave it out to use the suites that fit."
        )
    return nonempty


_Benchmark = str | PathLike[str] | BenchmarkSet
AskedBenchmarks = _Benchmark | Iterable[_Benchmark]
"""Names, files, or benchmark sets; one or several."""


def find_concept(concept: str | Path | Concept) -> Concept:
    """Return a named or given concept."""
    if isinstance(concept, Concept):
        return concept
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


@public_call(
    {
        name: f"Models come first and without {name}=; say audit(model, ...), or several of them."
        for name in ("model", "models")
    }
)
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
    sides: Sides = "two",
    ties: Ties = ">=",
    method: PMethod = "auto",
    samples: Samples = 100_000,
    interval: IntervalKind = "permutation",
    resamples: Resamples = 50_000,
    level: InnerShare = 0.95,
    alpha: InnerShare = 0.05,
    min_coverage: Share = 0.5,
    robust: bool = False,
    categories: bool = True,
    language: str | Sequence[str] | None = None,
    seed: Seed = 0,
    progress: Progress | None = None,
    on_choice: Callable[[Representation, list[SuiteCoverage]], None] | None = None,
) -> Results:
    """Measure models with lists of words: one record for each of them and each test.

    Args:
        models: Each a name of the catalogue, a path, an Embedding, an Encoder, or what
            `fairvec.load` takes, such as gensim's KeyedVectors.
        x: Target words; are they associated with a rather than b more strongly than those of `y`?
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
        metrics: Names, or objects with settings, as in ["weat", DirectBias(strictness=2)]; else
            weat, or seat if one of the models is an encoder.
        similarity: How alike two points are; else cosine in flat space, negative-distance in the
            ball. This and the next four are settings of the metrics that are given by name.
        convention: How an effect size is scaled; else caliskan.
        permute: Whether SEAT regroups "words" (the default) or "sentences".
        contexts: The corpus of CEAT: what gives words sentences.
        answer: Whether CEAT's is that of "words" (the default) or "as-published".
        sides: Tails that p counts: "two", "greater" or "less"; verdicts stay two-sided.
        ties: Whether equal statistics count as extreme (">=") or not (">").
        method: How p is computed: "auto", "exact", "certified" or "sampled".
        samples: Regroupings drawn where p is sampled.
        interval: Of an effect: what its p allows ("permutation"), words drawn again ("bootstrap"),
            or "none".
        resamples: Lists drawn for an interval by bootstrap.
        level: The share of intervals that hold the true effect.
        alpha: The level of significance of verdicts.
        min_coverage: Skip a test of which less than this share of a list is found.
        robust: Also try other words, lists and equal frequency.
        categories: Whether one answer for each category follows the tests.
        language: Of the models, or several; else what is known or found of them.
        seed: Of everything random.
        progress: Called with (done, in all, what) while measuring.
        on_choice: Called with a model and the suites that fit it, where none is asked.

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
    if not models:
        raise SettingError("No model was given; name one, as in audit('glove-en-small', ...).")
    lists = {"x": x, "y": y, "words": words, "a": a, "b": b, "title": title, "titles": titles}
    options = lists | {"category": category, "kind": kind, "paired": paired}
    list_options = {name: value for name, value in options.items() if value is not None}
    selectors = collect_tests(suites=suites, tests=tests, **list_options)
    warn_user(check_language(language, selectors))
    find_oov = oov_test_words(selectors, language)
    opened = [as_model_with(find_oov, model, language=language) for model in models]
    return Results(
        audit_models(
            *opened,
            suites=None if selectors is None else tests_in_language(selectors, opened),
            metrics=metrics,
            similarity=similarity,
            convention=convention,
            permute=permute,
            contexts=contexts,
            answer=answer,
            categories=categories,
            progress=progress,
            on_choice=on_choice,
            statistics=Statistics(
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
            ),
        )
    )


@public_call()
def sample_size(
    model: Any,
    test: Selector,
    *,
    lists: str | Iterable[str] = ("targets", "attributes"),
    longest: Longest = 200,
    draws: Draws = 200,
    power: Power = 0.8,
    within: Margin = 0.2,
    alpha: InnerShare = 0.05,
    similarity: str | None = None,
    convention: str = "caliskan",
    min_coverage: SizeCoverage = 0.5,
    language: str | Sequence[str] | None = None,
    seed: Seed = 0,
    progress: Progress | None = None,
) -> SampleSizeReport:
    """Say how many words a test needs: how certainty grows with the length of its lists.

    Sub-lists are drawn from the lists at hand and share words, so that they agree more than lists
    written anew; new lists are a model, drawn with replacement.

    Args:
        model: As in `fairvec.audit`.
        test: One test by its name, as in "caliskan2017/weat-6", a file that holds one, or a Test.
        lists: Which vary: targets, attributes, x, y, a or b.
        longest: The longest lists to try.
        draws: Random lists of each length.
        power: Share of lists that shall be significant.
        within: Margin within which 95 % of effects shall lie.
        alpha: The level of significance.
        similarity: As in `fairvec.audit`.
        convention: How an effect size is scaled, as in `fairvec.audit`.
        min_coverage: Refuse a test of which less than this share of a list is found.
        language: Of the model, or several; else what is known or found of it.
        seed: Of everything random.
        progress: Called with (done, in all, what) while drawing.

    >>> import fairvec
    >>> found = fairvec.sample_size(
    ...     "glove-en-small", "caliskan2017/weat-6", longest=10, draws=40, lists="targets"
    ... )
    >>> [curve.roles for curve in found.lists]
    [('x', 'y')]
    """
    find_oov = oov_test_words(as_list(test), language)
    opened = as_model_with(find_oov, model, language=language)
    return words_needed(
        opened,
        test,
        lists=as_list(lists),
        longest=longest,
        draws=draws,
        power=power,
        within=within,
        alpha=alpha,
        similarity=similarity,
        convention=convention,
        min_coverage=min_coverage,
        seed=seed,
        progress=progress,
    )
