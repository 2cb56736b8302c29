"""POST /api/map: where the words of a model lie, in a picture of two dimensions."""

from typing import Annotated, Any, Literal

from pydantic import Field

from fairvec.evaluation.seeing.layouts import WordMap, on_axes, on_components, on_disc
from fairvec.evaluation.seeing.shown_words import ShownWords, shown_words
from fairvec.ground.errors import SettingError
from fairvec.web.opened import OpenModels
from fairvec.web.questions import Typed, TypedList, WireQuestion
from fairvec.web.routes.axes_questions import AskedAxis, axis_asked

MOST_SHOWN = 20_000
"""Words of a map: what a page draws anew within two frames."""

First = Annotated[int, Field(ge=0, le=MOST_SHOWN)]


class AskedMap(WireQuestion):
    """The first words of a model and more by name, laid out; `shade` is what they are coloured by.

    The layout axes needs two; a disc may have two for its plane, and is of one ball.
    """

    model: Typed
    layout: Literal["axes", "components", "disc"] = "axes"
    axes: Annotated[list[AskedAxis], Field(max_length=2)] = Field(default_factory=list)
    shade: AskedAxis | None = None
    first: First = 3_000
    words: TypedList = Field(default_factory=list)
    ball: Annotated[int, Field(ge=1)] | None = None


def answer_to_map(models: OpenModels, question: AskedMap) -> dict[str, Any]:
    """Return the words and their places as flat lists, and what the picture means."""
    embedding = models[question.model].embedding
    axes = [axis_asked(each, embedding) for each in question.axes]
    shade = axis_asked(question.shade, embedding) if question.shade is not None else None
    if len(axes) == 1 or (not axes and question.layout == "axes"):
        raise SettingError(f"A map has two axes, not {len(axes)}; name two, or use components.")
    shown = shown_words(embedding, question.first, question.words)
    if question.layout == "axes":
        laid = on_axes(shown, *axes)
    elif question.layout == "components":
        laid = on_components(shown)
    else:
        laid = on_disc(shown, axes, question.ball)
    return {
        **_places(shown, laid),
        "layout": question.layout,
        "curvature": embedding.geometry.curvature,
        "axes": [axis.told for axis in axes],
        "shade": shade and shade.told,
        "leanings": shade.leaning(shown.points).tolist() if shade else None,
    }


def _places(shown: ShownWords, laid: WordMap) -> dict[str, Any]:
    return {
        "words": list(shown.keys),
        "x": laid.x.tolist(),
        "y": laid.y.tolist(),
        "in_plane": None if laid.in_plane is None else laid.in_plane.tolist(),
        "keeps": laid.keeps,
        "shares": laid.shares,
        "reached": dict(shown.reached),
        "left_out": shown.left_out,
    }
