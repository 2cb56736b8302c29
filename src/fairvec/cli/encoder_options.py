"""The options of reading an encoder, declared once and put into every command that opens one."""

from collections.abc import Callable
from typing import Annotated, Any

import typer

from fairvec.cli.bundled_options import bundled
from fairvec.encoders.choices import Numbers, Pooling
from fairvec.encoders.encoder_reading import AS_USUAL

ENCODING: dict[str, Any] = {
    "layer": Annotated[
        str,
        typer.Option(
            help="Of an encoder: last, a number (0 goes into the first layer), several with commas "
            "(their mean), or all."
        ),
    ],
    "pooling": Annotated[
        Pooling | None,
        typer.Option(
            help="Of an encoder: cls, mean, last or word (the tokens of the word in its sentence). "
            "Default: what its folder says, else mean."
        ),
    ],
    "numbers": Annotated[
        Numbers, typer.Option(help="Of an encoder; auto: bfloat16 on a GPU, else float32.")
    ],
    "token_embeddings": Annotated[
        bool,
        typer.Option(
            "--token-embeddings", help="Of a transformer its input embeddings, as word vectors."
        ),
    ],
    "download": Annotated[
        bool, typer.Option("--download", help="Fetch an encoder named owner/name from its hub.")
    ],
    "keep": Annotated[
        bool, typer.Option("--keep/--no-keep", help="Whether sentence vectors are kept on disk.")
    ],
}
"""The fields of EncoderReading as options, in the order of --help."""


def reads_an_encoder() -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Put these options where a command has its parameter `encoding`."""
    return bundled("encoding", AS_USUAL, ENCODING)
