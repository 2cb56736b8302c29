"""What a model makes of benchmarks, as outcomes: how useful it is, and whom it prefers."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from os import PathLike, fspath
from typing import Any, NamedTuple

import numpy as np

from fairvec.benchmarks import (
    BENCHMARK_KINDS,
    BenchmarkKind,
    BenchmarkSet,
    ReviewSet,
    benchmark,
    benchmark_kind,
    benchmarks_for_language,
    find_words,
    kind_of_file,
    needs_vocabulary,
    read_benchmark,
)
from fairvec.benchmarks.load import refuse_absent
from fairvec.core.errors import GeometryError, SettingError, UndefinedError
from fairvec.core.io.read_files import is_file, is_pipe
from fairvec.embedding import Embedding, Match
from fairvec.encoders import Representation
from fairvec.experiments.audit.languages import languages_of
from fairvec.experiments.audit.plan import Statistics
from fairvec.experiments.audit.run import Progress
from fairvec.experiments.comparison.paired import PAIR
from fairvec.experiments.pairs import PAIRED, PairsTest, pair_scores, results_of_pairs
from fairvec.experiments.provenance import among_words, record_fields
from fairvec.languages.sentences import Sentence
from fairvec.metrics.utility import (
    Analogies,
    BenchmarkScore,
    PreferenceScore,
    UtilityMetric,
    UtilityScore,
    metrics_for,
    similarity_name,
)
from fairvec.results import Interval, Outcome, Skipped
from fairvec.results.identities import TestIdentity, UtilityKind
from fairvec.results.records import Description, GroupCoverage
from fairvec.stats import bootstrap_interval, paired_test
from fairvec.stats.proportions import two_way_share_interval

NO_VECTOR = "not in the vocabulary, or its vector is zero"
UNREADABLE = "none of its words is known, or it is too long"
ONE_KEY = "two words of a question reach one key"

USUAL = Statistics(min_coverage=0.25)
"""A benchmark has so many items that a quarter of them says something; the record says how many."""

MOST_NUMBERS_DRAWN = 2**22
FEWEST_RESAMPLES = 1_000
"""The interval of a long benchmark is narrow: fewer resamples show it, and the record says so."""


class UtilityAnswer(NamedTuple):
    """What came of a figure, and the figure item by item; None where there is none."""

    outcome: Outcome
    figure: UtilityScore | None

    @property
    def what(self) -> tuple[str, str]:
        """The metric and the test: what is the same before and after a change."""
        return self.outcome.metric, self.outcome.test.id


def utility(
    model: Representation,
    benchmarks: Sequence[str | BenchmarkSet] | None = None,
    *,
    statistics: Statistics | None = None,
    on_absent: Callable[[tuple[str, ...]], None] | None = None,
    progress: Progress | None = None,
) -> list[Outcome]:
    """Ask the model the benchmarks and return a record of each figure.

    A benchmark that is named is fetched if it is not at hand. Without names those of the model's
    languages are asked that are on this machine; nothing is fetched, and `on_absent` hears which
    ones are not there. A figure that cannot be given, or of which too few items were found, is
    Skipped with the reason.
    """
    if benchmarks is None and on_absent:
        languages = languages_of(model)
        missing = tuple(
            name
            for language in languages
            for name in benchmarks_for_language(language, at_hand=False)
        )
        if missing:
            on_absent(missing)
    answered = answers(model, select_benchmarks(model, benchmarks), statistics, progress=progress)
    return [answer.outcome for answer in answered]


def answers(
    model: Representation,
    sets: Sequence[BenchmarkSet],
    statistics: Statistics | None = None,
    *,
    restrict: int | None = None,
    original: Representation | None = None,
    progress: Progress | None = None,
) -> list[UtilityAnswer]:
    """Ask the model the benchmarks; with `restrict` analogies know so many words only.

    What a metric settles by cross-validation it settles on the `original` model, if this one is a
    change of it: before and after are then asked alike.
    """
    answered: list[UtilityAnswer] = []
    for done, benchmark_set in enumerate(sets):
        if progress:
            progress(done, len(sets), f"{model.name}: {benchmark_set.name}")
        for metric in metrics_for(benchmark_set, original or model):
            if isinstance(metric, Analogies) and restrict:
                metric = replace(metric, restrict=restrict)
            answered += ask_benchmark(metric, benchmark_set, model, statistics or USUAL)
    return answered


def select_benchmarks(
    model: Representation, benchmarks: Sequence[str | PathLike[str] | BenchmarkSet] | None
) -> list[BenchmarkSet]:
    """Return the named benchmarks, or those of the model's languages that are on this machine.

    A file that is named holds pairs of words, or of sentences, with the score that people give, or
    what the columns say that its first line names (`kind_of_file`).
    """
    if benchmarks is None:
        languages = languages_of(model)
        benchmarks = [
            name
            for language in languages
            for name in benchmarks_for_language(language, at_hand=True)
            if isinstance(model, Embedding) or not needs_vocabulary(name)
        ]
    chosen = [
        _load_benchmark(fspath(selected), model)
        if isinstance(selected, str | PathLike)
        else selected
        for selected in benchmarks
    ]
    for selected in chosen:
        if not hasattr(selected, "kind"):
            raise SettingError(
                f"A benchmark is no object of the kind {type(selected).__name__}; name those of "
                "'fairvec benchmarks list', or a file."
            )
        if isinstance(selected, ReviewSet):
            raise SettingError(
                f"{selected.name} holds reviews, which a classifier has to learn: ask it with "
                f"'fairvec task sentiment --data {selected.name}', or as 'fairvec frontier --task "
                f"{selected.name}'."
            )
    return chosen


def _load_benchmark(name: str, model: Representation) -> BenchmarkSet:
    if not (is_file(name) or is_pipe(name)):
        refuse_absent(name, "benchmark")
        return benchmark(name)
    language, *_ = (*languages_of(model), "mul")
    return read_benchmark(name, kind_of_file(name), language)


def identity_of_benchmark(benchmark_set: BenchmarkSet, part: str = "") -> TestIdentity:
    """Name a benchmark, or a part of it, as a test; its version is a hash of its content."""
    part_id = part.replace(",", "").replace(" ", "-")
    kind = benchmark_kind(benchmark_set.kind)
    return TestIdentity(
        suite=benchmark_set.name,
        suite_version=benchmark_set.version,
        id=f"{benchmark_set.name}/{part_id}" if part else benchmark_set.name,
        title=f"{benchmark_set.title}: {part}" if part else benchmark_set.title,
        category="utility",
        kind=kind.name,
        use=kind_of_use(kind, part),
        language=benchmark_set.language,
        source=benchmark_set.source,
        positive_means="",
        negative_means="",
        sensitive=kind.sensitive,
    )


def _as_asked(test: TestIdentity, metric: UtilityMetric, model: Representation) -> TestIdentity:
    """Return a benchmark as it is asked of a model: analogies look at its whole vocabulary."""
    return among_words(test, model) if isinstance(metric, Analogies) else test


def kind_of_use(kind: BenchmarkKind, part: str = "") -> UtilityKind:
    """Return what a record says of the figures of a kind of benchmark."""
    return UtilityKind(
        title=kind.title,
        place=[*BENCHMARK_KINDS].index(kind.name),
        plain=kind.plain,
        family=kind.family,
        wanted=kind.wanted(part),
    )


def ask_benchmark(
    metric: UtilityMetric,
    benchmark_set: BenchmarkSet,
    model: Representation,
    statistics: Statistics,
) -> list[UtilityAnswer]:
    """Ask the model one benchmark by a metric of one's own choice."""
    matches = _matches(benchmark_set, model)
    fitted = {key for step in model.history for key in step.details.get("fitted_on", ())}
    whole = _as_asked(identity_of_benchmark(benchmark_set), metric, model)
    shared = record_fields(model, whole, metric, statistics) | {
        "similarity": similarity_name(metric, model.geometry),
        "fitted_words": tuple(word for word, match in matches.items() if fitted & {*match.keys}),
    }
    of_words = benchmark_set.reads == "words"
    lookup = {  # of every word of thousands of sentences it would be longer than they are
        "matched": {w: match.key for w, match in matches.items() if of_words and match.key != w},
        "how": {w: match.how for w, match in matches.items() if of_words and match.how != "exact"},
    }
    unknown = NO_VECTOR if of_words and isinstance(model, Embedding) else UNREADABLE
    coverage_of = partial(_coverage, benchmark_set, lookup, unknown)
    try:
        figures = metric.measure(benchmark_set, model)
    except (GeometryError, UndefinedError) as error:
        missing = [word for word in benchmark_set.texts if of_words and word not in matches]
        shared["coverage"] = (coverage_of(0, len(benchmark_set), missing),)
        return [UtilityAnswer(Skipped(cause="undefined", reason=str(error), **shared), None)]
    utility_answers: list[UtilityAnswer | PairsTest] = []
    for figure in figures:
        group = coverage_of(len(figure.items), figure.wanted, figure.missing)
        test = _as_asked(_identity_of_figure(benchmark_set, figure), metric, model)
        fields = shared | {"test": test, "coverage": (group,)}
        if isinstance(figure, PreferenceScore):
            fields |= _fields_of_preference(figure, shared, group)
        if figure.coverage < statistics.min_coverage:
            reason = (
                f"Only {len(figure.items)} of the {figure.wanted} {group.title} could be asked, "
                f"less than {statistics.min_coverage:.0%}; use a model that knows these words "
                "or lower the smallest coverage."
            )
            utility_answers.append(UtilityAnswer(Skipped(reason=reason, **fields), None))
        elif isinstance(figure, PreferenceScore):
            utility_answers.append(_preference(figure, fields, statistics.seed))
        else:
            described = Description(
                value=figure.value,
                neutral=None,
                meaning=metric.meaning,
                interval=_interval(figure, statistics),
                words=(),
                **fields,
            )
            utility_answers.append(UtilityAnswer(described, figure))
    tested = [one for one in utility_answers if isinstance(one, PairsTest)]
    results = iter(results_of_pairs(tested, statistics))
    return [
        UtilityAnswer(next(results), None) if isinstance(one, PairsTest) else one
        for one in utility_answers
    ]


def _identity_of_figure(benchmark_set: BenchmarkSet, figure: BenchmarkScore) -> TestIdentity:
    """Name a figure of a benchmark as a test; a preference is a test of bias."""
    identity = identity_of_benchmark(benchmark_set, figure.part)
    if not isinstance(figure, PreferenceScore):
        return identity
    return identity.model_copy(
        update={
            "category": figure.category,
            "kind": "bias",
            "tags": ("benchmark",),
            "use": None,
            "positive_means": figure.positive_means,
            "negative_means": figure.negative_means,
        }
    )


def _fields_of_preference(
    figure: PreferenceScore, shared: Mapping[str, Any], group: GroupCoverage
) -> dict[str, Any]:
    """Return what the record of a preference has otherwise than that of another figure."""
    described = shared["described"].model_copy(
        update={"neutral": 0.0, "positive": figure.positive_means, "convention": PAIRED}
    )
    pairs = group.model_copy(update={"role": PAIR})
    return {"described": described, "coverage": (pairs,), "convention": PAIRED}


def _preference(
    figure: PreferenceScore, fields: Mapping[str, Any], seed: int
) -> UtilityAnswer | PairsTest:
    """Return the test of a preference, or why it has no effect size."""
    differences, count = figure.differences, len(figure.differences)
    if count < 2 or not np.ptp(differences):
        reason = (
            f"The {figure.what} of {fields['coverage'][0].title} all lean alike, so that their "
            "effect has no spread to be measured in; use another set."
        )
        return UtilityAnswer(Skipped(cause="no-spread", reason=reason, **fields), None)
    return PairsTest(
        fields,
        pair_scores(figure.labels, differences, standardised=True),
        paired_test(np.zeros(count), differences, seed=seed),
        what=figure.what,
        more={"parts": {f"{figure.what} one way, less the other": figure.majority}},
    )


def _matches(benchmark_set: BenchmarkSet, model: Representation) -> dict[str, Match]:
    """Return the key that each word of a benchmark reaches; an encoder reads texts as they are."""
    if not isinstance(model, Embedding):
        return {text: Match(text, "exact") for text in benchmark_set.texts}
    words: Iterable[str] = benchmark_set.texts
    if benchmark_set.reads == "sentences":
        words = (word for text in benchmark_set.texts for word in Sentence.alone(text).words)
    return find_words(words, model, benchmark_set.language)


def _coverage(
    benchmark_set: BenchmarkSet,
    lookup: Mapping[str, Any],
    unknown: str,
    found: int,
    wanted: int,
    missing: Sequence[str],
) -> GroupCoverage:
    texts = {*benchmark_set.texts}
    return GroupCoverage(
        role="items",
        title=f"{benchmark_set.items} of {benchmark_set.title}",
        wanted=wanted,
        found=found,
        missing={text: unknown if text in texts else ONE_KEY for text in missing},
        merged=(),
        **lookup,
    )


def _interval(figure: UtilityScore, statistics: Statistics) -> Interval | None:
    if statistics.interval == "none":
        return None
    if figure.shared:
        return two_way_share_interval(
            figure.samples.rows[:, 0], figure.shared, level=statistics.level
        )
    affordable = max(FEWEST_RESAMPLES, MOST_NUMBERS_DRAWN // figure.samples.rows.size)
    return bootstrap_interval(
        [figure.samples.rows],
        figure.samples.effect,
        level=statistics.level,
        resamples=min(statistics.resamples, affordable),
        seed=statistics.seed,
    )
