"""GET /api/words: the words of a model that begin as what was typed."""

from typing import Annotated, Any

from pydantic import Field, StringConstraints

from fairvec.web.opened import OpenModels
from fairvec.web.questions import Typed, WireQuestion


class AskedBeginning(WireQuestion):
    """The beginning of a word, and the model that may know it."""

    model: Typed
    beginning: Annotated[str, StringConstraints(max_length=200)]
    most: Annotated[int, Field(ge=1, le=50)] = 12


def words_like(models: OpenModels, question: AskedBeginning) -> dict[str, Any]:
    """Return the first of them, and whether the whole text is a word of the model."""
    opened = models[question.model]
    return {
        "words": opened.completion.of(question.beginning, question.most),
        "known": question.beginning in opened.embedding,
    }
