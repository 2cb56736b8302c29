"""Every command of the shell, with hostile arguments and hostile files."""

import json
from collections.abc import Iterator
from contextlib import nullcontext
from functools import partial
from pathlib import Path

from fairvec.core.errors import FairvecError
from fairvec.embedding import save
from fuzz.arguments import FILE, changed_arguments, leaves, takes
from fuzz.cases import Files, Target
from fuzz.crafted import crafted_for
from fuzz.honest import CONCEPT, DOCUMENT, ONE_TEST, REVIEWS, SPACES, STUDY, SUITE, corpus, model
from fuzz.outputs import check_written
from fuzz.places import entries_of
from fuzz.published import DATA, data_in, published
from fuzz.shell import run_commands, shell
from fuzz.targets.encoders import tiny_encoder
from fuzz.targets.measured import remove_kept
from fuzz.verdicts import RefusedError

ABOUT = "--concept mine.toml -s toy.toml"
ONCE = "--seeds 1 --folds 2 --epochs 1 --no-equity"
QUICK = "--language en --dim 4 --epochs 1 --min-count 1 --threads 1"
HONEST = {
    "audit": "small.vec -s toy.toml -o out",
    "report": "run -o page.html",
    "compare": "run run",
    "check": "run --fail-if p_holm<0.05",
    "reproduce": "kumar2020 --model e-glove=small.vec --model p-glove=ball.fairvec --json",
    "convert": "small.vec new.csv --words words.txt",
    "debias": f"small.vec {ABOUT} -o new.fairvec --set lengths=kept",
    "train": f"kind.txt -o new.vec {QUICK}",
    "distil": "encoder --no-keep -o new.vec --words words.txt",
    "frontier": f"small.vec {ABOUT} -o out --method linear-projection --strengths 1",
    "task sentiment": f"--data reviews.csv --model small.vec --network means {ONCE}",
    "study": "plan.toml -o out",
    "study new": "new.toml",
    "explore": "small.vec --results run --no-browser",
    "neighbours": "small.vec king --count 3",
    "analogy": "small.vec man king woman --count 3",
    "biased-analogies": "small.vec --concept mine.toml --words 20",
    "document": "text.txt --model small.vec -o out",
    "suites needs": "one.toml --model small.vec --draws 40 --longest 6",
    "suites list": "",
    "suites show": "toy.toml",
    "suites lint": "toy.toml --model small.vec",
    "suites new": "new.toml",
    "concepts list": "",
    "concepts show": "mine.toml",
    "concepts lint": "mine.toml",
    "concepts new": "new.toml",
    "models list": "",
    "models show": "glove-en-small",
    "models get": "glove-en-small",
    "models path": "glove-en-small",
    "benchmarks ask": "small.vec mc30",
    "benchmarks list": "",
    "benchmarks show": "mc30",
    "benchmarks get": "mc30",
    "benchmarks path": "mc30",
    "plugins list": "",
    "plugins check": "--method linear-projection --space euclidean",
}
"""Arguments with which each command does what it is for."""
MORE = {
    "audit": ("ball.fairvec -s one.toml -m weat -m rnsb -m mac --json",),
    "compare": ("run run --across-geometries ranks --markdown",),
    "debias": (f"ball.fairvec {ABOUT} -o new.fairvec --method pgd",),
    "train": (
        f"kind.txt -o new.fairvec {QUICK} --model poincare-glove",
        f"{QUICK} kind.txt -o new.vec --model cbow",
    ),
    "distil": ("encoder --no-keep -o new.vec --words words.txt --templates --language en",),
    "frontier": (f"ball.fairvec {ABOUT} -o out --method pgd --strengths 0.5 --calibrate",),
    "task sentiment": (f"--data reviews.csv --model small.vec --network lstm {ONCE}",),
    "neighbours": ("ball.fairvec king queen --count 3",),
    "biased-analogies": ("ball.fairvec --concept mine.toml --words 20",),
    "document": ("text.txt --aim swap -o out",),
    "benchmarks ask": ("ball.fairvec mc30 google-analogies sembias -o out",),
    "plugins check": ("--metric mac",),
}
"""Other arguments, with which some go other ways."""
MAY_BE_REFUSED = frozenset(("distil", "task sentiment"))
"""They want an extra."""
FULL = frozenset(("audit", "explore"))
"""Their files are changed too; those of others are by targets of their own."""
ISOLATED = 20
"""Cases of a command that takes nothing: it can only be asked wrongly."""


def commands(folder: Path) -> Iterator[Target]:
    """Give a target for each command."""
    files = _files(folder)
    for words, _ in leaves():
        name = " ".join(words)
        if name not in HONEST:
            continue  # the law of the registries says so
        called = f"command-{name.replace(' ', '-')}"
        more = _more(name, folder)
        honest = [
            {**files, **more, FILE: json.dumps([*words, *arguments.split()]).encode()}
            for arguments in (HONEST[name], *MORE.get(name, ()))
        ]
        file_names = [*files, "run", "out", "new.csv", "new.fairvec", "run/results.jsonl"]
        takes_nothing = not HONEST[name] and not takes(words)
        yield Target(
            name=called,
            run=_called,
            honest=honest,
            crafted=crafted_for(called, honest[0], FILE),
            covers=[f"command {name}"],
            fixed=frozenset() if name in FULL else frozenset((*files, *more)),
            writes=True,
            seconds=30,
            change=partial(changed_arguments, files=file_names),
            may_be_refused=name in MAY_BE_REFUSED,
            refuses=takes_nothing,
            most=ISOLATED if takes_nothing else None,
        )


def _called(folder: Path) -> None:
    _serve_nobody()
    known = entries_of(str(folder))
    try:
        with data_in(folder / DATA) if (folder / DATA).is_dir() else nullcontext():
            run_commands(*json.loads((folder / FILE).read_bytes()))
    except (FairvecError, RefusedError):
        remove_kept(folder)
        raise
    check_written(folder, known)


def _serve_nobody() -> None:
    """Let the explorer open all that it opens, and end at once."""
    try:
        import uvicorn
    except ImportError:
        return
    uvicorn.Server.run = lambda *_, **__: None  # type: ignore[method-assign]


def _more(name: str, folder: Path) -> Files:
    """Return what a command needs beside what all have: benchmarks or an encoder."""
    if name.startswith("benchmarks") or name == "reproduce":
        return published()
    return tiny_encoder(folder / "tiny") if name == "distil" else {}


def _files(folder: Path) -> Files:
    save(model(), folder / "small.vec", force=True)
    save(model(SPACES[1]), folder / "ball.fairvec", force=True)
    (folder / "toy.toml").write_bytes(SUITE)
    answer = shell(
        ["audit", f"{folder}/small.vec", "-s", f"{folder}/toy.toml", "-o", f"{folder}/run"]
    )
    if answer.code:
        raise SystemExit(answer.err)
    return {
        "small.vec": (folder / "small.vec").read_bytes(),
        "ball.fairvec": (folder / "ball.fairvec").read_bytes(),
        "run/results.jsonl": (folder / "run" / "results.jsonl").read_bytes(),
        "toy.toml": SUITE,
        "one.toml": ONE_TEST,
        "mine.toml": CONCEPT,
        "plan.toml": STUDY,
        "text.txt": DOCUMENT,
        "kind.txt": corpus(1),
        "plain.txt": corpus(3),
        "reviews.csv": REVIEWS,
        "words.txt": "\n".join([*model().keys][:9]).encode(),
    }
