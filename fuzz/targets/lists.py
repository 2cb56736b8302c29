"""Files that people write by hand: suites, concepts, plans, catalogues, benchmarks, papers."""

from collections.abc import Callable, Iterator
from functools import partial
from importlib.resources import files
from pathlib import Path

from fairvec.benchmarks import BENCHMARK_KINDS, read_benchmark
from fairvec.catalogue import entries
from fairvec.catalogue.entries import Dataset, read_entries
from fairvec.embedding import save
from fairvec.experiments.study.plan import read_study
from fairvec.lexicon import lint_concept, lint_suite, read_concepts, read_suite, resolve
from fairvec.lexicon.scaffold import new_concept, new_suite
from fairvec.lexicon.suite_files import suite_to_toml
from fairvec.papers.claims.kinds import parse_claims
from fairvec.papers.schema import PAPERS, load_paper, parse_paper
from fuzz.cases import Files, Target
from fuzz.crafted import crafted_for
from fuzz.honest import CONCEPT, STUDY, SUITE, corpus, model
from fuzz.published import SETS
from fuzz.shell import all_refused

MODEL = b"""[[models]]
name = "mine"
title = "Mine"
language = "en"
licence = "CC0"
origin = "here"
sha256 = "%s"
format = "word2vec-text"
geometry = "poincare"
curvature = 1.0
dimensions = 8
words = 10
size = 100
source = {kind = "url", url = "https://example.org/mine.zip", member = "mine.vec"}
""" % (b"0" * 64)


def lists(folder: Path) -> Iterator[Target]:
    """Give a target for each kind of file that people write."""
    yield _one("suite", "toy.toml", [SUITE, new_suite("mine", "en").encode()], _suite)
    yield _one("concept", "mine.toml", [CONCEPT, new_concept("mine", "en").encode()], _concept)
    companions = {"toy.toml": SUITE, "kind.txt": corpus(1), "plain.txt": corpus(3)}
    yield _one("study", "plan.toml", [STUDY], _study, companions)
    yield _one("models", "models.toml", [MODEL], _models)
    shipped = Path(entries.DATA / "datasets.toml").read_bytes()
    yield _one("datasets", "datasets.toml", [shipped], _datasets)
    for kind in BENCHMARK_KINDS:
        read = partial(_benchmark, kind=kind)
        yield _one(f"benchmark-{kind}", "set.csv", [*SETS[kind]], read)
    save(model(), folder / "m.vec", force=True)
    words = "\n".join([*model().keys][:9]).encode()
    companions = {"m.vec": (folder / "m.vec").read_bytes()}
    yield _one("words", "words.txt", [words, b"\xef\xbb\xbf" + words], _words, companions)
    papers = files("fairvec.papers") / "data"
    for name in PAPERS:
        printed = (papers / f"{name}.toml").read_bytes()
        claims = (papers / "claims" / f"{name}.toml").read_bytes()
        yield _one(f"paper-{name}", "paper.toml", [printed], _paper)
        yield _one(f"claims-{name}", "claims.toml", [claims], partial(_claims, paper_of=name))


def _one(
    name: str,
    file: str,
    contents: list[bytes],
    run: Callable[[Path], None],
    companions: Files | None = None,
) -> Target:
    more = companions or {}
    return Target(
        name=f"list-{name}",
        run=run,
        honest=[{**more, file: data} for data in contents],
        crafted=crafted_for(f"list-{name}", {**more, file: contents[0]}, file),
        covers=[f"list {name}"],
        fixed=frozenset(more),
        writes=name == "words",
    )


def _suite(folder: Path) -> None:
    suite = read_suite(folder / "toy.toml")
    lint_suite(suite)
    suite_to_toml(suite)
    for test in suite.tests:
        resolve(test, model())


def _concept(folder: Path) -> None:
    for concept in read_concepts(folder / "mine.toml"):
        lint_concept(concept)


def _study(folder: Path) -> None:
    read_study(folder / "plan.toml")


def _models(folder: Path) -> None:
    entries.read(folder / "models.toml")


def _datasets(folder: Path) -> None:
    read_entries(folder / "datasets.toml", Dataset, "docs")


def _benchmark(folder: Path, kind: str) -> None:
    read_benchmark(folder / "set.csv", kind, "en")


def _words(folder: Path) -> None:
    all_refused(("convert", "m.vec", "new.csv", "--words", "words.txt"))


def _paper(folder: Path) -> None:
    parse_paper(_text(folder / "paper.toml"))


def _claims(folder: Path, paper_of: str) -> None:
    parse_claims(_text(folder / "claims.toml"), load_paper(paper_of))


def _text(path: Path) -> str:
    return path.read_text("utf-8", "replace")
