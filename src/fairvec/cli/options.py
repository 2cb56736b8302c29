"""Options that several commands share, declared once."""

from collections.abc import Callable, Collection, Mapping
from functools import wraps
from inspect import Parameter, signature
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from fairvec.core.settings import LARGEST_SEED
from fairvec.embedding import AS_FOUND
from fairvec.embedding.formats.base import InvalidUtf8, Outside, VectorRole
from fairvec.encoders.base import AS_USUAL, Numbers, Pooling
from fairvec.lexicon import shipped_concepts

if TYPE_CHECKING:
    from fairvec.encoders.contexts import Corpus


ConceptOption = Annotated[
    str,
    typer.Option(
        help="What to take out, with a variant if wanted: "
        f"{', '.join(concept.id for concept in shipped_concepts())}, or a TOML file of your own "
        "('fairvec concepts new'), as in my.toml:one-pair."
    ),
]
Suites = Annotated[
    list[str] | None,
    typer.Option("--suite", "-s", help="Suites to judge by; default: those that fit."),
]
Benchmarks = Annotated[
    list[str] | None,
    typer.Option(
        "--benchmark",
        help="Benchmark of usefulness to judge by, or a file of rated pairs of words or sentences "
        "(one, other, score; with tabs); may be repeated. Default: some of the model's language "
        "that are on this machine.",
    ),
]
ContextFiles = Annotated[
    list[Path] | None,
    typer.Option(
        "--contexts",
        metavar="FILE",
        help="Text from which sentences around words are drawn, also .gz, .xz or .bz2; may be "
        "repeated.",
    ),
]
COVERAGE = "Skip a test when less than this share of a list is found."
MinCoverage = Annotated[float, typer.Option(help=COVERAGE)]
Seed = Annotated[int, typer.Option(min=0, max=LARGEST_SEED, help="Seed of everything random.")]


def corpus_of(files: list[Path] | None) -> "Corpus | None":
    """Return the corpus in the files; None if there are none."""
    if not files:
        return None
    from fairvec.encoders.contexts import Corpus  # here: few commands are given one

    return Corpus(tuple(files))


# Options that belong together, put into every command that takes the object they make.


def bundled(
    parameter: str, usual: Any, options: Mapping[str, Any], without: Collection[str] = ()
) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Put the options, but for some, where a command has a parameter for the object they make.

    `usual` is that object with nothing chosen. typer makes options of a function's parameters one
    by one: so the shell sees each of them, and the command gets one object.
    """
    named = [name for name in options if name not in without]

    def with_options(command: Callable[..., None]) -> Callable[..., None]:
        @wraps(command)
        def run(**given: Any) -> None:
            chosen = type(usual)(**{name: given.pop(name) for name in named})
            command(**given, **{parameter: chosen})

        plain = signature(command)
        at = [*plain.parameters].index(parameter)
        before, after = [*plain.parameters.values()][:at], [*plain.parameters.values()][at + 1 :]
        shown_options = [
            Parameter(
                name,
                Parameter.POSITIONAL_OR_KEYWORD,
                default=getattr(usual, name),
                annotation=options[name],
            )
            for name in named
        ]
        shown = plain.replace(parameters=[*before, *shown_options, *after])
        run.__signature__ = shown  # type: ignore[attr-defined]
        run.__annotations__ = {each.name: each.annotation for each in shown.parameters.values()}
        return run

    return with_options


# The options of reading a model, declared once and put into every command that opens one.


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
        VectorRole,
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


# The options of reading an encoder, declared once and put into every command that opens one.


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
"""The fields of EncoderOptions as options, in the order of --help."""


def reads_an_encoder() -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Put these options where a command has its parameter `encoding`."""
    return bundled("encoding", AS_USUAL, ENCODING)
