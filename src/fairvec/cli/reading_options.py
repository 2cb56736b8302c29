"""The options of reading a model, declared once and put into every command that opens one."""

from collections.abc import Callable, Collection
from typing import Annotated, Any

import typer

from fairvec.cli.bundled_options import bundled
from fairvec.embedding import AS_FOUND
from fairvec.embedding.formats.reading import Role
from fairvec.embedding.place import Outside
from fairvec.embedding.reading import InvalidUtf8

READING: dict[str, Any] = {
    "geometry": Annotated[
        str | None,
        typer.Option(
            help="euclidean, poincare or poincare-x50 (50 balls), for files that do not say."
        ),
    ],
    "curvature": Annotated[float | None, typer.Option(help="The ball's c.")],
    "outside": Annotated[Outside, typer.Option(help="What to do with points outside the ball.")],
    "vectors": Annotated[
        Role,
        typer.Option(
            help="Which vectors of a whole gensim or Poincaré GloVe model, which has two."
        ),
    ],
    "format": Annotated[
        str | None, typer.Option(help="Format of the model's file, if guessed wrongly.")
    ],
    "language": Annotated[
        list[str] | None,
        typer.Option(
            help="The model's language, as in ru; may be repeated. By it suites and benchmarks are "
            "chosen. Default: what the file or the catalogue says, else what its keys fit best."
        ),
    ],
    "invalid_utf8": Annotated[
        InvalidUtf8, typer.Option(help="What to do with keys that are not UTF-8.")
    ],
    "vocabulary": Annotated[
        str | None, typer.Option(help="The file with the words of a .npy, .pt or .pth matrix.")
    ],
}
"""The fields of Reading as options, in the order of --help."""


def reads_a_model(
    *, without: Collection[str] = ()
) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Put the options of reading, but for some, where a command has its parameter `reading`."""
    return bundled("reading", AS_FOUND, READING, without)
