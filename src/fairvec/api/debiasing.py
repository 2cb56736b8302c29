"""fairvec.debias: a concept taken out of a model, and what that did."""

from collections.abc import Callable, Iterable, Sequence
from os import PathLike
from pathlib import Path
from typing import Any

from fairvec.api.asked_tests import asked_tests, refuse_lists
from fairvec.api.debiased_model import DebiasedModel
from fairvec.api.models import as_model
from fairvec.api.named import AskedBenchmarks, as_concept, as_given, as_list, refuse_no_method
from fairvec.embedding import Embedding
from fairvec.encoders.contexts import Contexts
from fairvec.evaluation.debiasing import debias_model
from fairvec.evaluation.debiasing_encoders import debias_encoder, settings_for_encoders
from fairvec.evaluation.runs.run import Progress
from fairvec.ground.errors import SettingError
from fairvec.lexicon import Asked, Concept, Test
from fairvec.mitigation import Debiaser, debiaser


def debias(
    model: Any,
    concept: str | Path | Concept,
    method: str | Debiaser = "hard",
    *,
    strength: float | None = None,
    suites: Asked | None = None,
    tests: Test | Iterable[Test] | None = None,
    benchmarks: AskedBenchmarks | None = None,
    contexts: Contexts | None = None,
    holdout: bool = False,
    language: str | Sequence[str] | None = None,
    seed: int = 0,
    progress: Progress | None = None,
    on_remark: Callable[[str], None] | None = None,
    **settings: Any,
) -> DebiasedModel:
    """Take a concept out of a model, and judge that by tests and benchmarks before and after.

    Args:
        model: As in `fairvec.audit`; it is left as it is.
        concept: A name, as in "en/gender", a file, or a Concept.
        method: The name of a method, or an object with its settings.
        strength: From 0 (nothing) to 1 (all, unless it is said).
        suites: What to judge by, as in `fairvec.audit`; else the suites that fit the model.
        tests: Test objects to judge by.
        benchmarks: Those of usefulness; else some of the model's language that are at hand.
        contexts: Of an encoder: a corpus whose sentences the concept's words stand in.
        holdout: Fit without any word of the tests.
        language: Of the model, or several; else what is known or found of it.
        seed: Of all that is random in judging; that of a method is a setting of the method.
        progress: Called with (done, in all, what) while measuring.
        on_remark: Called with each remark as soon as it is known.
        settings: Any other setting of the method, as in lengths="kept".

    >>> import fairvec
    >>> done = fairvec.debias(
    ...     "glove-en-small", "en/gender", "hard", suites="caliskan2017/weat-6", benchmarks=[]
    ... )
    >>> [(one.test.id, one.kind) for one in done.results if one.status == "compared"]
    [('caliskan2017/weat-6', 'reduced')]
    >>> done.model.name
    'glove-en-small, hard en/gender:pairs'
    """
    refuse_lists("debias", settings)
    heard = as_given(
        "debias",
        {"holdout": holdout, "seed": seed, "progress": progress, "on_remark": on_remark},
    )
    opened = as_model(model, language=language)
    asked = asked_tests([opened], suites=suites, tests=tests)
    chosen = as_concept(concept, opened)
    own = {**settings, **({} if strength is None else {"strength": strength})}
    sets = as_list(benchmarks)
    judging = {"suites": asked, "benchmarks": sets, **heard}
    if isinstance(opened, Embedding):
        if contexts is not None:
            raise SettingError("contexts= is for encoders, which read sentences; leave it out.")
        return DebiasedModel(debias_model(opened, chosen, _method(method, own), **judging))
    if isinstance(method, str):
        own = settings_for_encoders(method) | own
    fitting = _method(method, own)
    done = debias_encoder(opened, chosen, fitting, contexts=contexts, **judging)
    return DebiasedModel(done, str(model) if isinstance(model, str | PathLike) else "")


def _method(method: Any, settings: dict[str, Any]) -> Debiaser:
    """Return the method that is named with its settings; an object has its own."""
    if isinstance(method, str):
        return debiaser(method, **settings)
    refuse_no_method(method)
    if settings:
        raise SettingError(
            f"The method {method.name} is an object, and {next(iter(settings))}= is said beside "
            "it; set it on the object, or give the method by its name."
        )
    found: Debiaser = method
    return found
