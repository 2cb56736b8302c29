"""GET /api/spellings: words of a model that are written almost like one that it has not."""

from typing import Any

from fairvec.embedding.near_spelling import near_spellings
from fairvec.web.opened import OpenModels
from fairvec.web.questions import Typed, WireQuestion

ALIKE = 2
"""First letters that a near spelling shares: few enough words to compare while one reads."""


class AskedSpelling(WireQuestion):
    """A word as it was typed."""

    model: Typed
    word: Typed


def words_spelt_like(models: OpenModels, question: AskedSpelling) -> dict[str, Any]:
    """Return up to three of them, the nearest first."""
    completion = models[question.model].completion
    like = completion.of(question.word[:ALIKE], most=20_000)
    return {"near": near_spellings(question.word, like)}
