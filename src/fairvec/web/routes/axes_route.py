"""GET /api/axes: what a model can be seen on."""

from dataclasses import asdict
from typing import Any

from fairvec.evaluation.seeing.offered import offered_axes
from fairvec.web.opened import OpenModels
from fairvec.web.questions import Typed, WireQuestion


class AskedAxes(WireQuestion):
    """The axes of a model."""

    model: Typed


def told_of_axes(models: OpenModels, question: AskedAxes) -> dict[str, Any]:
    """Return each axis by its id, with the reason where it cannot be had."""
    offered = offered_axes(models[question.model].embedding)
    return {"axes": [asdict(each) for each in offered]}
