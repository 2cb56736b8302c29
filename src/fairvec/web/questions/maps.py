"""The view See: maps of words, their axes, scores on several concepts, and neighbours."""

from dataclasses import asdict
from typing import Any

from fairvec.core.errors import SettingError
from fairvec.embedding import Embedding
from fairvec.experiments.neighbours import keys_of_words, subset_note
from fairvec.experiments.projections.axes import (
    MapAxis,
    axis_of_own_lists,
    find_axis,
    offered_axes,
)
from fairvec.experiments.projections.layouts import (
    SCALES,
    ShownWords,
    WordMap,
    axis_layout,
    concept_scores,
    disc_layout,
    on_components,
    plotted_words,
)
from fairvec.geometry import default_similarity
from fairvec.messages.figures import format_similarity
from fairvec.web.open_models import OpenModels
from fairvec.web.schemas import (
    AxisRequest,
    MapRequest,
    ModelRequest,
    NeighboursRequest,
    OwnAxis,
    ScoresRequest,
)


def requested_axis(request: AxisRequest, embedding: Embedding) -> MapAxis:
    """Return the axis of a request, in a model."""
    if isinstance(request, OwnAxis):
        return axis_of_own_lists(request.a, request.b, embedding, request.title)
    return find_axis(request, embedding)


def answer_to_map(models: OpenModels, request: MapRequest) -> dict[str, Any]:
    """Return the words and their places as flat lists, and the meaning of the axes."""
    embedding = models[request.model].embedding
    axes = [requested_axis(axis, embedding) for axis in request.axes]
    shade = requested_axis(request.shade, embedding) if request.shade is not None else None
    if len(axes) == 1 or (not axes and request.layout == "axes"):
        raise SettingError(f"A map has two axes, not {len(axes)}; name two, or use components.")
    plotted = plotted_words(embedding, request.first, request.words)
    if request.layout == "axes":
        layout = axis_layout(plotted, *axes)
    elif request.layout == "components":
        layout = on_components(plotted)
    else:
        layout = disc_layout(plotted, axes, request.ball)
    return {
        **_places(plotted, layout),
        "layout": request.layout,
        "curvature": embedding.geometry.curvature,
        "axes": [axis.description for axis in axes],
        "shade": shade and shade.description,
        "leanings": shade.leaning(plotted.points).tolist() if shade else None,
    }


def _places(plotted: ShownWords, layout: WordMap) -> dict[str, Any]:
    return {
        "words": list(plotted.keys),
        "x": layout.x.tolist(),
        "y": layout.y.tolist(),
        "in_plane": None if layout.in_plane is None else layout.in_plane.tolist(),
        "keeps": layout.keeps,
        "shares": layout.shares,
        "reached": dict(plotted.reached),
        "left_out": plotted.left_out,
    }


def list_axes(models: OpenModels, request: ModelRequest) -> dict[str, Any]:
    """Return each axis by its id, with the reason if the model does not have it."""
    offered = offered_axes(models[request.model].embedding)
    return {"axes": [asdict(each) for each in offered]}


def answer_to_scores(models: OpenModels, request: ScoresRequest) -> dict[str, Any]:
    """Return a flat list of scores for each axis, in the order of the words."""
    embedding = models[request.model].embedding
    axes = [requested_axis(each, embedding) for each in request.axes]
    plotted = plotted_words(embedding, request.first, request.words)
    scores = concept_scores(plotted, axes, request.scale)
    return {
        "words": list(plotted.keys),
        "reached": dict(plotted.reached),
        "left_out": plotted.left_out,
        "scale": request.scale,
        "means": SCALES[request.scale],
        "axes": [
            {**axis.description, "scores": score.tolist()}
            for axis, score in zip(axes, scores, strict=True)
        ],
    }


def answer_to_neighbours(models: OpenModels, request: NeighboursRequest) -> dict[str, Any]:
    """Return the nearest words and how similar each is, the nearest first."""
    opened = models[request.model]
    embedding = opened.embedding
    remarks: list[str] = []
    (key,) = keys_of_words([request.word], embedding, remarks.append)
    count = min(request.count, len(embedding) - 1)
    rankings = [opened.ranking.near(embedding.positions[key], count)] if count else []
    measure = default_similarity(embedding.geometry).name
    similarities = [one for each in rankings for one in each.similarities[0].tolist()]
    return {
        "word": key,
        "near": [embedding.keys[row] for each in rankings for row in each.rows[0].tolist()],
        "similarities": similarities,
        "figures": [format_similarity(one, measure) for one in similarities],
        "similarity": measure,
        "measure": measure.removeprefix("negative-"),
        "remarks": [*remarks, *filter(None, [subset_note(embedding)])],
    }
