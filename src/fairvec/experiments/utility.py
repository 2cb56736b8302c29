"""The utility of an embedding: benchmarks of similarity, analogy and SemBias as outcomes."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from os import PathLike, fspath
from typing import Any, NamedTuple

from fairvec.benchmarks import (
    BENCHMARK_KINDS,
    BenchmarkKind,
    BenchmarkSet,
    ReviewSet,
    SimilaritySet,
    benchmark,
    benchmark_kind,
    benchmarks_for_language,
    find_words,
    read_benchmark,
)
from fairvec.benchmarks.load import refuse_absent
from fairvec.core.errors import GeometryError, SettingError, UndefinedError
from fairvec.core.io.read_files import is_file, is_pipe
from fairvec.embedding import Embedding
from fairvec.encoders import Encoder, Representation
from fairvec.encoders.distil import alone, distilled
from fairvec.experiments.audit.languages import languages_of
from fairvec.experiments.audit.plan import Statistics
from fairvec.experiments.audit.run import Progress
from fairvec.experiments.provenance import among_words, describe_model, record_fields
from fairvec.metrics.utility import (
    Analogies,
    UtilityMetric,
    UtilityScore,
    metrics_for,
    similarity_name,
)
from fairvec.results import Interval, Outcome, Skipped
from fairvec.results.identities import TestIdentity, UtilityKind
from fairvec.results.records import Description, GroupCoverage
from fairvec.stats import bootstrap_interval
from fairvec.stats.proportions import two_way_share_interval

NO_VECTOR = "not in the vocabulary, or its vector is zero"
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
    embedding: Embedding,
    benchmarks: Sequence[str | BenchmarkSet] | None = None,
    *,
    statistics: Statistics | None = None,
    on_absent: Callable[[tuple[str, ...]], None] | None = None,
    progress: Progress | None = None,
) -> list[Outcome]:
    """Ask the embedding the benchmarks and return a Description of each figure.

    A benchmark that is named is fetched if it is not at hand. Without names those of the model's
    languages are asked that are on this machine; nothing is fetched, and `on_absent` hears which
    ones are not there. A figure that cannot be given, or of which too few items were found, is
    Skipped with the reason.
    """
    if benchmarks is None and on_absent:
        languages = languages_of(embedding)
        missing = tuple(
            name
            for language in languages
            for name in benchmarks_for_language(language, at_hand=False)
        )
        if missing:
            on_absent(missing)
    answered = answers(
        embedding, select_benchmarks(embedding, benchmarks), statistics, progress=progress
    )
    return [answer.outcome for answer in answered]


def answers(
    embedding: Embedding,
    sets: Sequence[BenchmarkSet],
    statistics: Statistics | None = None,
    *,
    restrict: int | None = None,
    original: Embedding | None = None,
    progress: Progress | None = None,
) -> list[UtilityAnswer]:
    """Ask the embedding the benchmarks; with `restrict` analogies know so many words only.

    What a metric settles by cross-validation it settles on the `original` embedding, if this one is
    a change of it: before and after are then asked alike.
    """
    answered: list[UtilityAnswer] = []
    for done, benchmark_set in enumerate(sets):
        if progress:
            progress(done, len(sets), f"{embedding.name}: {benchmark_set.name}")
        for metric in metrics_for(benchmark_set, original or embedding):
            if isinstance(metric, Analogies) and restrict:
                metric = replace(metric, restrict=restrict)
            answered += ask_benchmark(metric, benchmark_set, embedding, statistics or USUAL)
    return answered


def answers_of_encoder(
    encoder: Encoder,
    sets: Sequence[BenchmarkSet],
    statistics: Statistics | None = None,
    *,
    progress: Progress | None = None,
) -> list[UtilityAnswer]:
    """Ask an encoder the benchmarks of similarity, with each word or sentence read alone."""
    pairs = [benchmark_set for benchmark_set in sets if isinstance(benchmark_set, SimilaritySet)]
    words = dict.fromkeys(word for benchmark_set in pairs for word in benchmark_set.words)
    if not words:
        return []
    embedding = distilled(encoder, alone([*words]), "each word alone")
    model = describe_model(encoder)
    return [
        UtilityAnswer(answer.outcome.model_copy(update={"model": model}), answer.figure)
        for answer in answers(embedding, pairs, statistics, progress=progress)
    ]


def select_benchmarks(
    model: Representation, benchmarks: Sequence[str | PathLike[str] | BenchmarkSet] | None
) -> list[BenchmarkSet]:
    """Return the named benchmarks, or those of the model's languages that are on this machine.

    A file that is named holds pairs of words, or of sentences, with the score that people give.
    """
    if benchmarks is None:
        languages = languages_of(model)
        benchmarks = [
            name
            for language in languages
            for name in benchmarks_for_language(language, at_hand=True)
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
    return read_benchmark(name, SimilaritySet.kind, language)


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
    )


def _identity_on(
    embedding: Embedding, metric: UtilityMetric, benchmark_set: BenchmarkSet, part: str = ""
) -> TestIdentity:
    """Name a benchmark as it is asked of a model: analogies look at its whole vocabulary."""
    test = identity_of_benchmark(benchmark_set, part)
    return among_words(test, embedding) if isinstance(metric, Analogies) else test


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
    metric: UtilityMetric, benchmark_set: BenchmarkSet, embedding: Embedding, statistics: Statistics
) -> list[UtilityAnswer]:
    """Ask the embedding one benchmark by a metric of one's own choice."""
    matches = find_words(benchmark_set.words, embedding, benchmark_set.language)
    fitted = {key for step in embedding.history for key in step.details.get("fitted_on", ())}
    whole = _identity_on(embedding, metric, benchmark_set)
    shared = record_fields(embedding, whole, metric, statistics) | {
        "similarity": similarity_name(metric, embedding.geometry),
        "fitted_words": tuple(word for word, match in matches.items() if fitted & {*match.keys}),
    }
    lookup = {
        "matched": {word: match.key for word, match in matches.items() if match.key != word},
        "how": {word: match.how for word, match in matches.items() if match.how != "exact"},
    }
    try:
        figures = metric.measure(benchmark_set, embedding)
    except (GeometryError, UndefinedError) as error:
        missing = [word for word in benchmark_set.words if word not in matches]
        group = _coverage(benchmark_set, 0, len(benchmark_set), missing, lookup)
        shared["coverage"] = (group,)
        return [UtilityAnswer(Skipped(cause="undefined", reason=str(error), **shared), None)]
    utility_answers: list[UtilityAnswer] = []
    for figure in figures:
        part = figure.part
        shared["test"] = _identity_on(embedding, metric, benchmark_set, part) if part else whole
        group = _coverage(benchmark_set, len(figure.items), figure.wanted, figure.missing, lookup)
        shared["coverage"] = (group,)
        if figure.coverage < statistics.min_coverage:
            reason = (
                f"Only {len(figure.items)} of the {figure.wanted} {group.title} could be asked, "
                f"less than {statistics.min_coverage:.0%}; use a model that knows these words "
                "or lower the smallest coverage."
            )
            utility_answers.append(UtilityAnswer(Skipped(reason=reason, **shared), None))
            continue
        described = Description(
            value=figure.value,
            neutral=None,
            meaning=metric.meaning,
            interval=_interval(figure, statistics),
            words=(),
            **shared,
        )
        utility_answers.append(UtilityAnswer(described, figure))
    return utility_answers


def _coverage(
    benchmark_set: BenchmarkSet,
    found: int,
    wanted: int,
    missing: Sequence[str],
    lookup: dict[str, Any],
) -> GroupCoverage:
    words = {*benchmark_set.words}
    return GroupCoverage(
        role="items",
        title=f"{benchmark_set.items} of {benchmark_set.title}",
        wanted=wanted,
        found=found,
        missing={word: NO_VECTOR if word in words else ONE_KEY for word in missing},
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
