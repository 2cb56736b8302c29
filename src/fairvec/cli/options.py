"""Options that several commands share: what to take out, what to judge by, what is random."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from fairvec.ground.settings import LARGEST_SEED
from fairvec.lexicon import concepts

if TYPE_CHECKING:
    from fairvec.encoders.corpus import Corpus

ConceptOption = Annotated[
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
    from fairvec.encoders.corpus import Corpus  # here: few commands are given one

    return Corpus(tuple(files))
