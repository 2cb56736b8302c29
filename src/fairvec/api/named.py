"""What a call may name or hold: concepts, and one thing in the place of a list."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from os import PathLike
from pathlib import Path
from typing import Any

from fairvec.benchmarks import BenchmarkSet
from fairvec.encoders import Representation
from fairvec.evaluation.choosing.own_lists import concept_in_language
from fairvec.evaluation.reviews.learning import ReviewTask
from fairvec.ground.errors import LexiconError, SettingError
from fairvec.ground.settings import Seed, Share, as_setting
from fairvec.ground.text.shown_values import shown
from fairvec.lexicon import Concept
from fairvec.lexicon import concept as concept_named

_Benchmark = str | PathLike[str] | BenchmarkSet
AskedBenchmarks = _Benchmark | Iterable[_Benchmark]
"""Names, files, or sets that are held; one or several."""

_Heard = Callable[..., Any] | None
_KINDS: dict[str, Any] = {
    "categories": bool,
    "holdout": bool,
    "calibrated": bool,
    "seed": Seed,
    "keep": Share,
    "progress": _Heard,
    "on_remark": _Heard,
    "on_choice": _Heard,
    "beside": Mapping[str, Any] | None,
    "tasks": Sequence[ReviewTask],
    "strengths": Sequence[float],
}


def as_concept(given: str | Path | Concept, model: Representation) -> Concept:
    """Return the concept that is named or held, in the language of the model if it has none."""
    if isinstance(given, Concept):
        return concept_in_language(given, model)
    if isinstance(given, str | Path):
        return concept_named(given)
    raise LexiconError(
        f"A concept is no object of the kind {type(given).__name__}; give a name, as in "
        "'en/gender', or Concept(pairs=[('he', 'she')])."
    )


def refuse_no_method(given: Any) -> None:
    """Refuse what stands where the name of a method, or a method with its settings, should."""
    if isinstance(given, type) or not all(hasattr(given, part) for part in ("name", "fit")):
        raise SettingError(
            f"method= is {shown(given)}, which is no method; give a name, as in 'hard', or an "
            "object, as in HardDebiasing(k=2)."
        )


def as_given(call: str, given: Mapping[str, Any]) -> dict[str, Any]:
    """Return what a call was given, in Python's own numbers; refuse what is of another kind."""
    return {
        name: as_setting(call, name, _KINDS[name], value) if name in _KINDS else value
        for name, value in given.items()
    }


def as_list(given: Any) -> list[Any] | None:
    """Return one thing or several as a list; None stays, which leaves the choice to others."""
    if given is None:
        return None
    one = isinstance(given, str) or not isinstance(given, Iterable)
    return [given] if one else [*given]
