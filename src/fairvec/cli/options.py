"""Options that several commands share: how a model is read, and what is random."""

from typing import Annotated, Literal

import typer

from fairvec.lexicon import concepts

Geometry = Annotated[
    str | None,
    typer.Option(help="euclidean, poincare or poincare-x50 (50 balls), for files that do not say."),
]
Curvature = Annotated[float | None, typer.Option(help="The ball's c.")]
Outside = Annotated[
    Literal["refuse", "project"], typer.Option(help="What to do with points outside the ball.")
]
Vectors = Annotated[
    Literal["target", "context", "aggregated"],
    typer.Option(help="Which vectors of a whole gensim or Poincaré GloVe model, which has two."),
]
Language = Annotated[
    list[str] | None,
    typer.Option(
        help="The model's language, as in ru; may be repeated. By it suites and benchmarks are "
        "chosen. Default: what the file or the catalogue says, else what its keys fit best."
    ),
]
Concept = Annotated[
    str,
    typer.Option(
        help="What to take out, with a variant if wanted: "
        f"{', '.join(concept.id for concept in concepts())}, or a TOML file of your own "
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
        help="Benchmark of usefulness to judge by; may be repeated. Default: some of the model's "
        "language that are on this machine.",
    ),
]
FileFormat = Annotated[
    str | None, typer.Option("--format", help="Format of the model's file, if guessed wrongly.")
]
InvalidUtf8 = Annotated[
    Literal["refuse", "replace"], typer.Option(help="What to do with keys that are not UTF-8.")
]
Seed = Annotated[int, typer.Option(help="Seed of everything random.")]
