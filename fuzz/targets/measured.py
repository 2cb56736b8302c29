"""Models that are hard to compute with, through every command that measures or changes one."""

import shutil
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path

from fairvec.core.errors import FairvecError
from fairvec.embedding import save
from fairvec.mitigation import DEBIASERS
from fuzz.cases import Files, Target
from fuzz.honest import CONCEPT, DOCUMENT, ONE_TEST, REVIEWS, SPACES, STUDY, SUITE, corpus, model
from fuzz.mutations.by_rows import of_rows
from fuzz.outputs import check_written
from fuzz.places import entries_of
from fuzz.shell import all_refused
from fuzz.verdicts import RefusedError

MODEL, BALL = "small.vec", ("--geometry", "poincare", "--outside", "project")
ABOUT = ("--concept", "mine.toml", "-s", "toy.toml")
TASK = (
    *("task", "sentiment", "--data", "reviews.csv", "--model", MODEL, "--network", "means"),
    *("--seeds", "1", "--folds", "2"),
)
COMMANDS: dict[str, tuple[Sequence[str], ...]] = {
    "audit": (
        ("audit", MODEL, "-s", "toy.toml", "-o", "out", "--robust"),
        ("audit", MODEL, *BALL, "-s", "toy.toml", "--json"),
    ),
    "frontier": (
        ("frontier", MODEL, *ABOUT, "-o", "out", "--strengths", "0.5,1"),
        ("report", "out", "-o", "page.html"),
        ("frontier", MODEL, *BALL, *ABOUT, "--method", "pgd", "-o", "ball", "--strengths", "1"),
    ),
    "neighbours": (
        ("neighbours", MODEL, "king", "--count", "3"),
        ("neighbours", MODEL, *BALL, "king"),
        ("analogy", MODEL, "man", "king", "woman"),
        ("analogy", MODEL, *BALL, "man", "king", "woman"),
        ("biased-analogies", MODEL, "--concept", "mine.toml", "--words", "20"),
    ),
    "compare": (
        ("audit", MODEL, "-s", "toy.toml", "-o", "one"),
        ("audit", "ball.fairvec", "-s", "toy.toml", "-o", "two"),
        ("compare", "one", "two", "--across-geometries", "ranks"),
        ("compare", "two", "one", "--across-geometries", "ranks", "--markdown"),
    ),
    "task": (TASK,),
    "document": (("document", "text.txt", "--model", MODEL, "-o", "out"),),
    "reproduce": (
        (
            *("reproduce", "kumar2020", "--json", "--model", "p-glove=ball.fairvec"),
            *("--model", f"e-glove={MODEL}"),
        ),
    ),
    "needs": (
        (*("suites", "needs", "one.toml", "--model", MODEL), *("--draws", "40", "--longest", "6")),
    ),
    "convert": (("convert", MODEL, "new.fairvec", *BALL), ("convert", "new.fairvec", "new.csv")),
}
"""By what the target is called; each command may refuse what it is given."""
SETTINGS = {
    "inlp": ("--set", "each=8"),
    "leace": ("--set", "words=defining"),
    "oscar": ("--set", "against=things"),
}
"""What a method needs with few words."""
CACHES = ("points", "texts")
"""Folders of a run that was refused, with which the next one goes on."""
STUDIED = {"kind.txt": corpus(1), "plain.txt": corpus(3), "toy.toml": SUITE}


def measured(folder: Path) -> Iterator[Target]:
    """Give a target for each kind of measuring, one for each method, and one for studies."""
    save(model(), folder / MODEL, force=True)
    save(model(SPACES[1]), folder / "ball.fairvec", force=True)
    files: Files = {
        MODEL: (folder / MODEL).read_bytes(),
        "ball.fairvec": (folder / "ball.fairvec").read_bytes(),
        "one.toml": ONE_TEST,
        "toy.toml": SUITE,
        "mine.toml": CONCEPT,
        "text.txt": DOCUMENT,
        "reviews.csv": REVIEWS,
    }
    several = dict(COMMANDS)
    for method in DEBIASERS:
        options = ("--method", method.name, *ABOUT, *SETTINGS.get(method.name, ()))
        several[f"debias-{method.name}"] = (
            ("debias", MODEL, *options, "-o", "flat.fairvec"),
            ("debias", MODEL, *BALL, *options, "-o", "curved.fairvec"),
        )
    for name, commands in several.items():
        yield Target(
            name=f"measured-{name}",
            run=partial(_all_asked, commands=commands),
            honest=[files],
            covers=[f"measured {name}"],
            fixed=frozenset(files) - {MODEL},
            writes=True,
            seconds=30,
            change=of_rows,
            # Some methods work in the ball alone, or want a benchmark.
            may_be_refused=True,
        )
    yield Target(
        name="measured-study",
        run=partial(_all_asked, commands=(("study", "plan.toml", "-o", "out"),)),
        honest=[{**STUDIED, "plan.toml": STUDY}],
        covers=["measured study"],
        fixed=frozenset(("plan.toml", "toy.toml")),
        writes=True,
        seconds=30,
    )


def _all_asked(folder: Path, commands: Sequence[Sequence[str]]) -> None:
    known = entries_of(str(folder))
    try:
        all_refused(*commands, after=lambda: check_written(folder, known))
    except (FairvecError, RefusedError):
        remove_kept(folder)
        raise


def remove_kept(folder: Path) -> None:
    """Remove what a run that was refused has kept, which is not left behind."""
    for place in [path for name in CACHES for path in folder.glob(f"*/{name}")]:
        shutil.rmtree(place)
        if not any(place.parent.iterdir()):
            place.parent.rmdir()
