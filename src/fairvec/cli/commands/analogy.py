"""fairvec analogy: a is to b as c is to what?"""

from typing import Annotated, Any

import numpy as np
import typer

from fairvec.cli.console import lay_out, say
from fairvec.cli.opening import opened_before
from fairvec.cli.reading_options import reads_a_model
from fairvec.cli.word_columns import WordColumns
from fairvec.cli.words import heading_of, keys_of, nearness, say_if_cut
from fairvec.embedding import AS_FOUND, Reading
from fairvec.geometry import SIMILARITIES, similarity
from fairvec.ground.errors import SettingError
from fairvec.metrics.utility.analogy import METHODS, Analogies

_METHODS = ", ".join(METHODS)
_SIMILARITY = ", ".join(each.name for each in SIMILARITIES)


@reads_a_model(without=("language", "invalid_utf8"))
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
    t: Annotated[
        float | None,
        typer.Option(help="Of gyro-translation in the ball, from 0 to 1. Default: 0.3."),
    ] = None,
    count: Annotated[int, typer.Option(min=1, help="How many answers.")] = 10,
    reading: Reading = AS_FOUND,
) -> None:
    """Print the words that complete the analogy best; those of the question are left out."""
    settings: dict[str, Any] = {"similarity": None if by is None else similarity(by)}
    embedding = opened_before(model, (a, b, c), reading)
    natural = "gyro-translation" if embedding.geometry.curvature else "3cosadd"
    if t is not None:
        settings["t"] = t
    metric = Analogies(method or natural, **settings)  # type: ignore[arg-type]
    if t is not None and not (metric.method == natural == "gyro-translation"):
        where = "in flat space" if natural == "3cosadd" else f"by {metric.method}"
        raise SettingError(
            f"The setting t has no meaning {where}, only for gyro-translation in the ball; leave "
            "out --t."
        )
    keys = keys_of((a, b, c), embedding)
    question = np.array([[embedding.positions[key] for key in keys]])
    found = metric.most_alike(question, embedding, count)
    say_if_cut(embedding)
    say(f"{embedding.name}, by {metric.method}{_details(metric)}")
    say(f"{keys[0]} is to {keys[1]} as {keys[2]} is to:")
    rows = [
        (embedding.keys[row], nearness(number, metric.compared_by))
        for row, number in zip(found.rows[0], found.similarities[0], strict=True)
    ]
    lay_out(WordColumns(("answer", heading_of(metric.compared_by)), rows))


def _details(metric: Analogies) -> str:
    return f" with t = {metric.t:g}" if metric.method == "gyro-translation" else ""
