"""POST /api/concept-scores: words over several concepts at once."""

from typing import Annotated, Any

from pydantic import Field

from fairvec.evaluation.seeing.scores import SCALES, Scale, concept_scores
from fairvec.evaluation.seeing.shown_words import shown_words
from fairvec.web.opened import OpenModels
from fairvec.web.questions import Typed, TypedList, WireQuestion
from fairvec.web.routes.axes_questions import AskedAxis, axis_asked
from fairvec.web.routes.map_route import First


class AskedScores(WireQuestion):
    """The first words of a model and more by name, over some axes, on a scale."""

    model: Typed
    axes: Annotated[list[AskedAxis], Field(min_length=1, max_length=12)]
    first: First = 3_000
    words: TypedList = Field(default_factory=list)
    scale: Scale = "z"


def answer_to_scores(models: OpenModels, question: AskedScores) -> dict[str, Any]:
    """Return a flat list of scores for each axis, in the order of the words."""
    embedding = models[question.model].embedding
    axes = [axis_asked(each, embedding) for each in question.axes]
    shown = shown_words(embedding, question.first, question.words)
    scores = concept_scores(shown, axes, question.scale)
    return {
        "words": list(shown.keys),
        "reached": dict(shown.reached),
        "left_out": shown.left_out,
        "scale": question.scale,
        "means": SCALES[question.scale],
        "axes": [
            {**axis.told, "scores": score.tolist()}
            for axis, score in zip(axes, scores, strict=True)
        ],
    }
