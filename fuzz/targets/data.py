"""Benchmarks in the folder that FAIRVEC_DATA names: listed, asked and learnt from."""

from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from fairvec.core.errors import FairvecError
from fairvec.embedding import save
from fuzz.cases import Target
from fuzz.crafted import crafted_for
from fuzz.honest import model
from fuzz.published import DATA, data_in, published
from fuzz.shell import all_refused, run_commands
from fuzz.verdicts import RefusedError

MODEL = "small.vec"
BALL = ("--geometry", "poincare", "--outside", "project")
TASK = (
    *("task", "sentiment", "--data", "iitp-movie-reviews", "--model", MODEL),
    *("--network", "means", "--seeds", "1", "--folds", "2", "--epochs", "1", "--no-equity"),
)


def data(folder: Path) -> Iterator[Target]:
    """Give one target; what lies there passes for what was published."""
    save(model(), folder / MODEL, force=True)
    honest = {MODEL: (folder / MODEL).read_bytes(), **published()}
    yield Target(
        name="data",
        run=_asked_of,
        honest=[honest],
        crafted=crafted_for("data", honest, next(iter(published()))),
        covers=["data"],
        fixed=frozenset((MODEL,)),
        writes=True,
    )


def _asked_of(folder: Path) -> None:
    with data_in(folder / DATA, as_published=False):
        run_commands("benchmarks", "list")
        # The sum of its file is that of no published one.
        with suppress(FairvecError, RefusedError):
            run_commands("benchmarks", "path", "mc30")
    with data_in(folder / DATA):
        all_refused(
            ("benchmarks", "ask", MODEL, "--language", "en", "-o", "out"),
            ("benchmarks", "ask", MODEL, *BALL, "mc30", "google-analogies", "--json"),
            TASK,
        )
