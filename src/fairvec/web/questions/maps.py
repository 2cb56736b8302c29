"""Maps of words, their axes, scores over concepts, and neighbours."""

from dataclasses import asdict
from typing import Annotated, Any, Literal

from pydantic import Field

from fairvec.core.errors import SettingError
from fairvec.experiments.neighbours import keys_of_words, subset_note
from fairvec.experiments.projections.axes import offered_axes
from fairvec.experiments.projections.layouts import (
    SCALES,
    Scale,
    ShownWords,
    WordMap,
    axis_layout,
    concept_scores,
    disc_layout,
    on_components,
    plotted_words,
)
from fairvec.geometry import default_similarity
from fairvec.web.open_models import OpenModels
from fairvec.web.schemas import (
    AskedAxis,
    AskedNeighbours,
    Typed,
    TypedList,
    WireQuestion,
    axis_asked,
)

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
    axes = [axis_asked(axis, embedding) for axis in question.axes]
    shade = axis_asked(question.shade, embedding) if question.shade is not None else None
    if len(axes) == 1 or (not axes and question.layout == "axes"):
        raise SettingError(f"A map has two axes, not {len(axes)}; name two, or use components.")
    shown = plotted_words(embedding, question.first, question.words)
    if question.layout == "axes":
        layout = axis_layout(shown, *axes)
    elif question.layout == "components":
        layout = on_components(shown)
    else:
        layout = disc_layout(shown, axes, question.ball)
    return {
        **_places(shown, layout),
        "layout": question.layout,
        "curvature": embedding.geometry.curvature,
        "axes": [axis.description for axis in axes],
        "shade": shade and shade.description,
        "leanings": shade.leaning(shown.points).tolist() if shade else None,
    }


def _places(shown: ShownWords, layout: WordMap) -> dict[str, Any]:
    return {
        "words": list(shown.keys),
        "x": layout.x.tolist(),
        "y": layout.y.tolist(),
        "in_plane": None if layout.in_plane is None else layout.in_plane.tolist(),
        "keeps": layout.keeps,
        "shares": layout.shares,
        "reached": dict(shown.reached),
        "left_out": shown.left_out,
    }


class AskedAxes(WireQuestion):
    """The axes of a model."""

    model: Typed


def list_axes(models: OpenModels, question: AskedAxes) -> dict[str, Any]:
    """Return each axis by its id, with the reason where it cannot be had."""
    offered = offered_axes(models[question.model].embedding)
    return {"axes": [asdict(each) for each in offered]}


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
    shown = plotted_words(embedding, question.first, question.words)
    scores = concept_scores(shown, axes, question.scale)
    return {
        "words": list(shown.keys),
        "reached": dict(shown.reached),
        "left_out": shown.left_out,
        "scale": question.scale,
        "means": SCALES[question.scale],
        "axes": [
            {**axis.description, "scores": score.tolist()}
            for axis, score in zip(axes, scores, strict=True)
        ],
    }


def answer_to_neighbours(models: OpenModels, question: AskedNeighbours) -> dict[str, Any]:
    """Return the nearest words and how similar each is, the nearest first."""
    opened = models[question.model]
    embedding = opened.embedding
    remarks: list[str] = []
    (key,) = keys_of_words([question.word], embedding, remarks.append)
    count = min(question.count, len(embedding) - 1)
    found = [opened.ranking.near(embedding.positions[key], count)] if count else []
    return {
        "word": key,
        "near": [embedding.keys[row] for each in found for row in each.rows[0].tolist()],
        "similarities": [one for each in found for one in each.similarities[0].tolist()],
        "similarity": default_similarity(embedding.geometry).name,
        "remarks": [*remarks, *filter(None, [subset_note(embedding)])],
    }
