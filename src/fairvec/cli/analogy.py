"""fairvec analogy: a is to b as c is to what?"""

from typing import Annotated, Any

import numpy as np
import typer
from rich.table import Table
from rich.text import Text

from fairvec.cli import options
from fairvec.cli.console import lay_out, say
from fairvec.cli.opening import opened
from fairvec.cli.words import keys_of
from fairvec.geometry import SIMILARITIES, similarity
from fairvec.metrics.utility.analogy import METHODS, Analogies

_METHODS = ", ".join(METHODS)
_SIMILARITY = ", ".join(each.name for each in SIMILARITIES)


def analogy(
    model: Annotated[str, typer.Argument(help="A file, or a name of 'fairvec models list'.")],
    a: Annotated[str, typer.Argument(help="As in: man is to ...")],
    b: Annotated[str, typer.Argument(help="... king as ...")],
    c: Annotated[str, typer.Argument(help="... woman is to what?")],
    method: Annotated[
        str | None,
        typer.Option(
            help=f"One of: {_METHODS}. Default: 3cosadd in flat space, gyro-translation in the "
            "ball."
        ),
    ] = None,
    by: Annotated[
        str | None,
        typer.Option(
            "--similarity",
            help=f"Of gyro-translation: {_SIMILARITY}. Default: negative-distance.",
        ),
    ] = None,
    t: Annotated[float, typer.Option(help="Of gyro-translation, from 0 to 1.")] = 0.3,
    count: Annotated[int, typer.Option(min=1, help="How many answers.")] = 10,
    geometry: options.Geometry = None,
    curvature: options.Curvature = None,
    outside: options.Outside = "refuse",
    vectors: options.Vectors = "target",
    file_format: options.FileFormat = None,
) -> None:
    """Print the words that complete the analogy best; those of the question are left out."""
    settings: dict[str, Any] = {"t": t, "similarity": None if by is None else similarity(by)}
    embedding = opened(
        model,
        geometry=geometry,
        curvature=curvature,
        outside=outside,
        vectors=vectors,
        format=file_format,
    )
    natural = "gyro-translation" if embedding.geometry.curvature else "3cosadd"
    metric = Analogies(method or natural, **settings)  # type: ignore[arg-type]
    keys = keys_of((a, b, c), embedding)
    question = np.array([[embedding.positions[key] for key in keys]])
    found = metric.most_alike(question, embedding, count)
    say(f"{embedding.name}, by {metric.method}{_details(metric)}")
    say(f"{keys[0]} is to {keys[1]} as {keys[2]} is to:")
    table = Table("answer", metric.compared_by, box=None, header_style="bold")
    for row, number in zip(found.rows[0], found.similarities[0], strict=True):
        table.add_row(Text(embedding.keys[row]), f"{number:.4f}")
    lay_out(table)


def _details(metric: Analogies) -> str:
    return f" with t = {metric.t:g}" if metric.method == "gyro-translation" else ""
