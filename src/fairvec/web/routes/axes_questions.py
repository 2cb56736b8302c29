"""Axes as they are asked for over the wire: by name, or as two lists."""

from typing import Annotated

from pydantic import StringConstraints

from fairvec.embedding import Embedding
from fairvec.evaluation.seeing.axes import MapAxis, axis_of_own_lists
from fairvec.evaluation.seeing.offered import axis_named
from fairvec.web.questions import Typed, TypedList, WireQuestion


class AskedContrast(WireQuestion):
    """An axis from list b to list a."""

    a: TypedList
    b: TypedList
    title: Annotated[str, StringConstraints(max_length=200)] = ""


AskedAxis = Typed | AskedContrast


def axis_asked(asked: AskedAxis, embedding: Embedding) -> MapAxis:
    """Return the axis in a model."""
    if isinstance(asked, AskedContrast):
        return axis_of_own_lists(asked.a, asked.b, embedding, asked.title)
    return axis_named(asked, embedding)
