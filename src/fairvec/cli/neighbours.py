"""fairvec neighbours: the words that are nearest to others."""

from typing import Annotated

import numpy as np
import typer
from rich.table import Table
from rich.text import Text

from fairvec.cli import options
from fairvec.cli.console import lay_out, say
from fairvec.cli.opening import opened
from fairvec.cli.words import heading_of, keys_of, nearness, say_if_cut
from fairvec.geometry import SIMILARITIES, natural_similarity, similarity
from fairvec.geometry.nearest import nearest

_SIMILARITY = ", ".join(each.name for each in SIMILARITIES)


def neighbours(
    model: Annotated[str, typer.Argument(help="A file, or a name of 'fairvec models list'.")],
    words: Annotated[list[str], typer.Argument(help="Words whose neighbours are wanted.")],
    count: Annotated[int, typer.Option(min=1, help="How many of each.")] = 10,
    by: Annotated[
        str | None,
        typer.Option(
            "--similarity",
            help=f"One of: {_SIMILARITY}. Default: cosine in flat space, negative-distance in "
            "the ball. Distances are printed as positive numbers.",
        ),
    ] = None,
    geometry: options.Geometry = None,
    curvature: options.Curvature = None,
    outside: options.Outside = "refuse",
    vectors: options.Vectors = "target",
    file_format: options.FileFormat = None,
) -> None:
    """Print the nearest words of each word, and how similar or how far they are."""
    chosen = None if by is None else similarity(by)
    embedding = opened(
        model,
        geometry=geometry,
        curvature=curvature,
        outside=outside,
        vectors=vectors,
        format=file_format,
    )
    chosen = chosen or natural_similarity(embedding.geometry)
    keys = keys_of(words, embedding)
    own = np.array([[embedding.positions[key]] for key in keys])
    near = nearest(
        embedding.rows(keys), embedding.vectors, count, embedding.geometry, chosen, barred=own
    )
    say_if_cut(embedding)
    say(f"{embedding.name}, by {heading_of(chosen.name)}")
    table = Table("word", "neighbour", heading_of(chosen.name), box=None, header_style="bold")
    for key, rows, alike in zip(keys, near.rows, near.similarities, strict=True):
        for row, number in zip(rows, alike, strict=True):
            table.add_row(Text(key), Text(embedding.keys[row]), nearness(number, chosen.name))
    lay_out(table)
