"""Taking a concept out of an encoder and judging that: what shell, Python and web all call."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from fairvec.benchmarks import BenchmarkSet
from fairvec.encoders import Encoder
from fairvec.encoders.contexts import Contexts
from fairvec.evaluation.changes.judge import judge
from fairvec.evaluation.choosing.choose import fitting_suites, tests_for, words_of_tests
from fairvec.evaluation.remarks import Remarks, other_languages, what_goes_unmeasured
from fairvec.evaluation.runs.run import Progress
from fairvec.evaluation.sentences_around import InContexts, InTemplates
from fairvec.ground.settings import kinds_of
from fairvec.lexicon import Asked, Concept, listed, select
from fairvec.metrics import metric
from fairvec.mitigation import Debiaser, Transform, method_named
from fairvec.mitigation.sentences import fit_on_sentences
from fairvec.mitigation.words.labelled import Words
from fairvec.results import Outcome


def settings_for_encoders(method: str) -> dict[str, str]:
    """Return the settings that a method has of an encoder, unless others are said.

    Of an encoder there is no vocabulary to label: what learns from labelled words has the defining
    ones alone.
    """
    labels = kinds_of(method_named(method)).get("words") == Words
    return {"words": "defining"} if labels else {}


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
    suites: Asked | None = None,
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
    asked = None if suites is None else listed(suites)
    tests = select(asked) if asked else tests_for(metric("seat"), fitting_suites(encoder))
    remarks = Remarks(on_remark)
    fitted = concept.without(words_of_tests(tests)) if holdout else concept
    if fitted.definition != concept.definition:
        every, left = (len(one.definition.entries) for one in (concept, fitted))
        remarks.add(
            f"Fitted without any tested word: of the {every} words that define {concept.name} "
            f"{left} are left, and few words make a poor direction."
        )
    if contexts:
        lists = (fitted.definition, *fitted.keep.values())
        words = (word for each in lists for word in each.entries)
        around: InContexts | InTemplates = InContexts(contexts, words)
    else:
        around = InTemplates(concept.language)
    transform = fit_on_sentences(method, encoder, fitted, around.alike)
    after = transform.on(encoder).named(f"{encoder.name}, {transform.name}")
    if asked is None:
        remarks.add(other_languages(encoder))
    if benchmarks is None:
        remarks.add(what_goes_unmeasured(encoder))
    found = judge(encoder, after, suites=asked, benchmarks=benchmarks, progress=progress, seed=seed)
    return DebiasedEncoder(encoder, after, transform, tuple(found.all), tuple(remarks.said))
