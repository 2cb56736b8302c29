"""Debias an embedding or an encoder: fit a method, move the vectors, evaluate the change."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from os import PathLike

from fairvec.benchmarks import BenchmarkSet
from fairvec.core.format import pluralize
from fairvec.core.memory import format_size
from fairvec.core.settings import setting_types
from fairvec.embedding import Embedding, lost_by_saving
from fairvec.encoders import Encoder
from fairvec.encoders.contexts import Contexts
from fairvec.experiments.audit.run import Progress
from fairvec.experiments.audit.suites import fitting_suites, tests_for, what_is_left, words_of_tests
from fairvec.experiments.audit.test_words import restrict_to_tests
from fairvec.experiments.comparison.before_after import evaluate_change
from fairvec.experiments.debiasing.concept_view import concept_view
from fairvec.experiments.encoder_words import CorpusSentences, TemplateSentences
from fairvec.experiments.remarks import Remarks, missing_benchmarks_note, other_languages
from fairvec.lexicon import Concept, Selectors, as_list, select_tests
from fairvec.metrics import Weat, metric
from fairvec.mitigation import Debiaser, Transform, fit_checked, method_class
from fairvec.mitigation.methods.erasure import Words
from fairvec.mitigation.out_of_core import LazyVectors, transform_within_memory
from fairvec.mitigation.sentences import fit_on_sentences
from fairvec.results import Outcome


@dataclass(frozen=True, eq=False)
class Debiased:
    """A model before and after a concept was taken out of it, and all that was found of that."""

    before: Embedding
    after: Embedding
    """Within a limit of memory only the words of the tests; `write_debiased` moves them all.

    Where memory is short its vectors are computed whenever they are read."""
    transform: Transform
    outcomes: tuple[Outcome, ...]
    """What was measured, what became of each figure, and the concept's view."""
    remarks: tuple[str, ...] = ()
    """What a person should know before reading the outcomes, in sentences."""
    lost: tuple[str, ...] = ()
    """What the format of the file to be written does not keep."""
    max_memory: int | None = None

    @property
    def title(self) -> str:
        """What a page about it is called."""
        return f"{self.before.name} before and after {self.transform.name}"


def debias_model(
    model: Embedding,
    concept: Concept,
    method: Debiaser,
    *,
    suites: Selectors | None = None,
    benchmarks: Sequence[str | BenchmarkSet] | None = None,
    holdout: bool = False,
    max_memory: int | None = None,
    output: str | PathLike[str] | None = None,
    seed: int = 0,
    progress: Progress | None = None,
    on_remark: Callable[[str], None] | None = None,
) -> Debiased:
    """Fit a method, move the model, and judge the change by tests and benchmarks.

    Args:
        model: The embedding; it is left as it is.
        concept: What to take out.
        method: The method with its settings, as in debiaser("hard", strength=0.5).
        suites: What to judge by, as in `audit`; else the suites that fit the model.
        benchmarks: Those of usefulness; else some of the model's language that are at hand.
        holdout: Fit without any word of the tests.
        max_memory: With so many bytes the model is never held whole, and the change is judged by
            its tests alone.
        output: The file that is to be written, if one is: a format that cannot be is refused
            before any work, and `lost` says what it leaves out.
        seed: Of everything random.
        progress: Called with (done, in all, what) while measuring.
        on_remark: Called with each remark as soon as it is known.
    """
    lost = () if output is None else lost_by_saving(model, output)
    selectors = None if suites is None else as_list(suites)
    tests = select_tests(selectors) if selectors else tests_for(Weat(), fitting_suites(model))
    remarks = Remarks(on_remark)
    fitting_concept = concept.without(words_of_tests(tests)) if holdout else concept
    if holdout:
        remarks.add(what_is_left(concept, fitting_concept, model))
    transform = fit_checked(method, model, fitting_concept)
    # The rest of a model that is larger than memory is neither compared nor drawn.
    measured_part = restrict_to_tests(model, tests) if max_memory else model
    after = transform_within_memory(transform, measured_part).named(
        f"{model.name}, {transform.name}"
    )
    if isinstance(after.vectors, LazyVectors):
        remarks.add(
            f"The vectors of {model.name} ({format_size(after.vectors.nbytes)}) are too many for "
            "the memory that is free: they are moved block by block, which takes longer and "
            "changes no figure."
        )
    if selectors is None:
        remarks.add(other_languages(model))
    if benchmarks is None and not max_memory:
        remarks.add(missing_benchmarks_note(model))
    benchmark_sets = [] if max_memory else benchmarks
    outcomes = evaluate_change(
        measured_part,
        after,
        suites=selectors,
        benchmarks=benchmark_sets,
        progress=progress,
        seed=seed,
    ).all
    if max_memory:
        outcomes = [outcome for outcome in outcomes if outcome.test.kind != "movement"]
    elif view := concept_view(model, fitting_concept, after, seed=seed):
        outcomes.append(view)
    return Debiased(
        model, after, transform, tuple(outcomes), tuple(remarks.texts), lost, max_memory
    )


def settings_for_encoders(method: str) -> dict[str, str]:
    """Return the settings that a method has of an encoder, unless others are said.

    Of an encoder there is no vocabulary to label: what learns from labelled words has the defining
    ones alone.
    """
    learns_from_labels = setting_types(method_class(method)).get("words") == Words
    return {"words": "defining"} if learns_from_labels else {}


@dataclass(frozen=True, eq=False)
class DebiasedEncoder:
    """An encoder before and after a concept was taken out of it, and all that was found of that."""

    before: Encoder
    after: Encoder
    transform: Transform
    outcomes: tuple[Outcome, ...]
    remarks: tuple[str, ...] = ()

    @property
    def title(self) -> str:
        """What a page about it is called."""
        return f"{self.before.name} before and after {self.transform.name}"


def debias_encoder(
    encoder: Encoder,
    concept: Concept,
    method: Debiaser,
    *,
    suites: Selectors | None = None,
    benchmarks: Sequence[str | BenchmarkSet] | None = None,
    contexts: Contexts | None = None,
    holdout: bool = False,
    seed: int = 0,
    progress: Progress | None = None,
    on_remark: Callable[[str], None] | None = None,
) -> DebiasedEncoder:
    """Fit a method on sentences of a concept, move the encoder, and judge that by SEAT.

    Args:
        encoder: It is left as it is.
        concept: What to take out.
        method: The method with its settings, as in debiaser("leace", words="defining").
        suites: What to judge by, as in `audit`; else the suites that fit the encoder.
        benchmarks: Pairs of words or sentences rated by people; else those of words at hand.
        contexts: Gives words sentences of a corpus (as a Corpus does), in which the words that
            define the concept change places; else they stand in templates.
        holdout: Fit without any word of the tests.
        seed: Of everything random.
        progress: Called with (done, in all, what) while measuring.
        on_remark: Called with each remark as soon as it is known.
    """
    selectors = None if suites is None else as_list(suites)
    tests = (
        select_tests(selectors) if selectors else tests_for(metric("seat"), fitting_suites(encoder))
    )
    remarks = Remarks(on_remark)
    fitting_concept = concept.without(words_of_tests(tests)) if holdout else concept
    if fitting_concept.definition != concept.definition:
        word_count, words_left = (
            len(version.definition.entries) for version in (concept, fitting_concept)
        )
        defining = pluralize(word_count, "word that defines", "words that define")
        remarks.add(
            f"Fitted without any tested word: of the {defining} {concept.name} "
            f"{pluralize(words_left, 'is', 'are')} left, and few words make a poor direction."
        )
    if contexts:
        lists = (fitting_concept.definition, *fitting_concept.keep.values())
        words = (word for word_list in lists for word in word_list.entries)
        sentences: CorpusSentences | TemplateSentences = CorpusSentences(contexts, words)
    else:
        sentences = TemplateSentences(concept.language)
    transform = fit_on_sentences(method, encoder, fitting_concept, sentences.aligned)
    after = transform.on(encoder).named(f"{encoder.name}, {transform.name}")
    if selectors is None:
        remarks.add(other_languages(encoder))
    if benchmarks is None:
        remarks.add(missing_benchmarks_note(encoder))
    report = evaluate_change(
        encoder, after, suites=selectors, benchmarks=benchmarks, progress=progress, seed=seed
    )
    return DebiasedEncoder(encoder, after, transform, tuple(report.all), tuple(remarks.texts))
