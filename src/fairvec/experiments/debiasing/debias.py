"""Debias an embedding or an encoder: fit a method, move the vectors, evaluate the change."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar, cast

from fairvec.benchmarks import BenchmarkSet
from fairvec.core.memory import format_size
from fairvec.core.settings import setting_types
from fairvec.core.validation import as_list
from fairvec.embedding import Embedding
from fairvec.encoders import Representation
from fairvec.encoders.contexts import Contexts
from fairvec.experiments.audit.plan import Statistics
from fairvec.experiments.audit.run import Progress
from fairvec.experiments.audit.suites import (
    Holdout,
    describe_holdout,
    fitting_suites,
    hold_out,
    tests_for,
)
from fairvec.experiments.audit.test_words import restrict_to_tests
from fairvec.experiments.comparison.before_after import evaluate_change
from fairvec.experiments.debiasing.concept_view import concept_view
from fairvec.experiments.encoder_words import CorpusSentences, TemplateSentences
from fairvec.experiments.remarks import Remarks, missing_benchmarks_note, other_languages
from fairvec.lexicon import Concept, Selectors, select_tests
from fairvec.messages.remarks import block_by_block_note, default_method_note, holdout_note
from fairvec.metrics import metric
from fairvec.metrics.bias.weat import Weat
from fairvec.mitigation import Debiaser, Transform, fit_checked, method_class
from fairvec.mitigation.methods.erasure import Words
from fairvec.mitigation.out_of_core import LazyVectors, transform_within_memory
from fairvec.mitigation.sentences import fit_on_sentences
from fairvec.results import Outcome

Model = TypeVar("Model", bound=Representation)


@dataclass(frozen=True, eq=False)
class Debiased(Generic[Model]):
    """A model before and after a concept was taken out of it, and all that was found of that."""

    before: Model
    after: Model
    """Of an embedding within a limit of memory only the words of the tests; `write_debiased` moves
    them all. Where memory is short its vectors are computed whenever they are read."""
    transform: Transform
    outcomes: tuple[Outcome, ...]
    """What was measured, what became of each figure, and the concept's view."""
    remarks: tuple[str, ...] = ()
    """What a person should know before reading the outcomes, in sentences."""
    max_memory: int | None = None

    @property
    def title(self) -> str:
        """What a page about it is called."""
        return f"{self.before.name} before and after {self.transform.name}"


def debias_model(
    model: Model,
    concept: Concept,
    method: Debiaser,
    *,
    suites: Selectors | None = None,
    benchmarks: Sequence[str | BenchmarkSet] | None = None,
    contexts: Contexts | None = None,
    holdout: Holdout = False,
    max_memory: int | None = None,
    by_default: bool = False,
    seed: int = 0,
    progress: Progress | None = None,
    on_remark: Callable[[str], None] | None = None,
) -> Debiased[Model]:
    """Fit a method, move the model, and judge the change by tests and benchmarks.

    Of an encoder the method is fitted on sentences of the concept, and judged by SEAT.

    Args:
        model: The embedding or encoder; it is left as it is.
        concept: What to take out.
        method: The method with its settings, as in debiaser("hard", strength=0.5).
        suites: What to judge by, as in `audit`; else the suites that fit the model.
        benchmarks: Those of usefulness; else some of the model's language that are at hand.
        contexts: Of an encoder: gives words sentences of a corpus (as a Corpus does), in which the
            words that define the concept change places; else they stand in templates.
        holdout: Fit without any word of the tests.
        max_memory: With so many bytes an embedding is never held whole, and the change is judged by
            its tests alone.
        by_default: Whether nobody named the method, which a remark then says.
        seed: Of everything random.
        progress: Called with (done, in all, what) while measuring.
        on_remark: Called with each remark as soon as it is known.
    """
    of_words = isinstance(model, Embedding)
    selectors = None if suites is None else as_list(suites)
    by = Weat() if of_words else metric("seat")
    tests = select_tests(selectors) if selectors else tests_for(by, fitting_suites(model))
    remarks = Remarks(on_remark)
    fitting_concept = hold_out(concept, tests) if holdout else concept
    if holdout:
        remarks.add(_holdout_note(concept, fitting_concept, model))
    measured: Representation = model
    moved: Representation
    if isinstance(model, Embedding):
        transform = fit_checked(method, model, fitting_concept)
        # The rest of a model that is larger than memory is neither compared nor drawn.
        measured = restrict_to_tests(model, tests) if max_memory else model
        moved = transform_within_memory(transform, measured)
    else:
        sentences = _sentences(concept, fitting_concept, contexts)
        transform = fit_on_sentences(method, model, fitting_concept, sentences.aligned)
        moved = transform.on(model)
    after = moved.with_name(f"{model.name}, {transform.name}")
    if by_default:
        remarks.add(default_method_note(method.name, of_words))
    if isinstance(after, Embedding) and isinstance(after.vectors, LazyVectors):
        remarks.add(block_by_block_note(model.name, format_size(after.vectors.nbytes)))
    if selectors is None:
        remarks.add(other_languages(model))
    if benchmarks is None and not max_memory:
        remarks.add(missing_benchmarks_note(model))
    outcomes = evaluate_change(
        measured,
        after,
        suites=selectors,
        benchmarks=[] if max_memory else benchmarks,
        statistics=Statistics(seed=seed),
        progress=progress,
    ).all
    if max_memory:
        outcomes = [outcome for outcome in outcomes if outcome.test.kind != "movement"]
    elif isinstance(model, Embedding) and isinstance(after, Embedding):
        view = concept_view(model, fitting_concept, after, seed=seed)
        outcomes += [view] if view else []
    return Debiased(
        model,
        cast(Model, after),
        transform,
        tuple(outcomes),
        tuple(remarks.texts),
        max_memory,
    )


def _holdout_note(concept: Concept, held_out: Concept, model: Representation) -> str:
    """Say what is left of a concept without the tested words; of an encoder in its templates."""
    if isinstance(model, Embedding):
        return describe_holdout(concept, held_out, model)
    if held_out.definition == concept.definition:
        return ""
    word_count, words_left = (len(each.definition.entries) for each in (concept, held_out))
    return holdout_note(concept.name, word_count, words_left)


def _sentences(
    concept: Concept, fitting_concept: Concept, contexts: Contexts | None
) -> CorpusSentences | TemplateSentences:
    """Return what gives the words of a concept sentences: of a corpus, else templates."""
    if contexts is None:
        return TemplateSentences(concept.language)
    lists = (fitting_concept.definition, *fitting_concept.keep.values())
    words = (word for each in lists for word in each.entries)
    return CorpusSentences(contexts, words, concept.language)


def settings_for_encoders(method: str) -> dict[str, str]:
    """Return the settings that a method has of an encoder, unless others are said.

    Of an encoder there is no vocabulary to label: what learns from labelled words has the defining
    ones alone.
    """
    learns_from_labels = setting_types(method_class(method)).get("words") == Words
    return {"words": "defining"} if learns_from_labels else {}
