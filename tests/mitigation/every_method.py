"""Every registered debiasing method, one registered tomorrow too, as the planted words bear it."""

from fairvec.core.settings import setting_types
from fairvec.mitigation import DEBIASERS, Debiaser

FEWER = {"each": 50, "neighbours": 5, "components": 2, "alpha": 1.0, "against": "things"}
"""Settings whose usual values ask for more words, longer vectors or other lists than there are."""


def every_method() -> list[Debiaser]:
    """Return each method once, with its usual settings but for those that do not fit."""
    return [
        method(
            **{setting: FEWER[setting] for setting in FEWER.keys() & setting_types(method).keys()}
        )
        for method in DEBIASERS
    ]
