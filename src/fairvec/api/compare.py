"""Side by side: two runs (fairvec.compare), a model and published sets (fairvec.benchmark)."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from os import PathLike
from pathlib import Path
from typing import Any

from fairvec.api.measure import AskedBenchmarks
from fairvec.api.models import as_model
from fairvec.api.results import Results
from fairvec.benchmarks import benchmarks_for_language
from fairvec.core.errors import SettingError
from fairvec.core.settings import PositiveInt, Seed, Share, public_call
from fairvec.core.validation import as_list, records_in
from fairvec.encoders import Representation
from fairvec.experiments.audit.languages import languages_of
from fairvec.experiments.audit.run import Progress
from fairvec.experiments.benchmark_plan import benchmark_plan, with_chosen_t
from fairvec.experiments.comparison.across_geometries import compare_across
from fairvec.experiments.comparison.compare import RunComparison, of_changed_model
from fairvec.experiments.comparison.compare import compare as compare_runs
from fairvec.experiments.remarks import Remarks, other_languages
from fairvec.experiments.utility import USUAL, ask_benchmark, select_benchmarks
from fairvec.geometry import similarity as similarity_named
from fairvec.metrics.utility.analogy import AnalogyMethod
from fairvec.metrics.utility.sembias import SemBiasDefinition
from fairvec.results import Outcome, read_results

Run = Sequence[Outcome] | str | PathLike[str]
"""What was found: Results, a list of records, or the folder or file that holds them."""


def compare(before: Run, after: Run, *, across_geometries: str | None = None) -> RunComparison:
    """Say of each test that two runs share whether its effect was removed, reversed, ...

    Args:
        before: Results, a list of records, or the folder or file of a run.
        after: The same; of what `fairvec.debias` found the debiased model is compared.
        across_geometries: For models whose similarities differ, as in flat space and the ball:
            "ranks" or "standardised", the unit of every figure.

    Runs are paired by test and by every setting: `pairs` holds both records of a test, `changes` a
    record of what became of each test and each category (`Results(found.changes)` shows them and
    checks conditions on them). A label names a change that its test shows. Lower
    d is not better d: an effect that turned around is REVERSED or OVERSHOT, a new one INTRODUCED.

    >>> import fairvec
    >>> was = fairvec.audit("glove-en-small", suites="caliskan2017/weat-6")
    >>> now = fairvec.audit("glove-en-twin-small", suites="caliskan2017/weat-6")
    >>> found = fairvec.compare(was, now)
    >>> [(pair.before.test.id, pair.change) for pair in found.pairs]
    [('caliskan2017/weat-6', 'not-shown')]
    >>> ball = fairvec.audit("poincare-glove-en-small", suites="caliskan2017/weat-6")
    >>> across = fairvec.compare(now, ball, across_geometries="ranks").changes[0]
    >>> print(str(across).partition(" (")[2])
    weat across geometries, by ranks): no change shown, +1.61 → +1.61, paired p = 1
    """
    runs = [of_changed_model(_outcomes(run)) for run in (before, after)]
    if across_geometries is None:
        return compare_runs(*runs)
    return compare_across(*runs, by=across_geometries)


def _outcomes(run: Any) -> Sequence[Outcome]:
    if isinstance(run, str | PathLike):
        return read_results(Path(run))
    if isinstance(run, list | tuple):
        return records_in(run, "A run holds records, not")
    remedy = "; give its .results" if hasattr(run, "results") else ""
    raise SettingError(
        f"An object of the kind {type(run).__name__} is no run{remedy or '; give results'}, a list "
        "of records, or the folder of a run."
    )


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
