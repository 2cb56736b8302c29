"""A concept and a method by what came over the wire: no file is read, and no work is endless."""

from typing import Any

from fairvec.ground.errors import SettingError, UnknownNameError
from fairvec.ground.settings import LARGEST_SEED
from fairvec.lexicon import Concept, concepts
from fairvec.mitigation import Debiaser, debiaser, method_named
from fairvec.web.change.change_questions import AskedChange

FEW = 100
FACTOR = 3
"""A count may be three times the usual one, or a hundred: the page cannot stop what it began."""


def shipped_concept(name: str) -> Concept:
    """Return a concept that comes with fairvec, or a variant of it; never one of a file."""
    id, _, variant = name.partition(":")
    found = {each.id: each for each in concepts()}
    if id not in found:
        raise UnknownNameError("concept", id, found)
    return found[id].choosing(variant) if variant else found[id]


def asked_method(question: AskedChange, strength: float) -> Debiaser:
    """Return the method with its settings at a strength, or say what it does not take."""
    if "strength" in question.settings:
        raise SettingError("The strength is asked for beside the settings; leave it out of them.")
    usual = method_named(question.method)()
    for name, value in question.settings.items():
        _refuse_endless(question.method, name, value, getattr(usual, name, None))
    return debiaser(question.method, strength=strength, **question.settings)


def _refuse_endless(method: str, name: str, value: Any, usual: Any) -> None:
    numbers = [one for one in (value if isinstance(value, list) else [value]) if not _plain(one)]
    usually = usual if isinstance(usual, int) and not isinstance(usual, bool) else 0
    most = LARGEST_SEED if name == "seed" else max(FEW, FACTOR * usually)
    if any(abs(number) > most for number in numbers):
        raise SettingError(
            f"{method}: {name} is larger than the page takes ({most:,} at the most); use 'fairvec "
            "debias' for more."
        )


def _plain(value: Any) -> bool:
    return isinstance(value, str | bool)
