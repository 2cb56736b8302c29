"""Every file of records that fairvec reads again: read, reported, checked and compared."""

import json
import os
import re
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path

from pydantic import BaseModel

from fairvec.embedding import save
from fairvec.report import as_csv, as_latex
from fairvec.results import read_results
from fairvec.results.documents import DOCUMENT_FILE
from fairvec.results.frontier import FRONTIER_FILE, FailedTrial, read_trial
from fairvec.results.store import FILE_NAME
from fairvec.results.study import STUDY_FILE, FailedCell, IncompleteAnswer, read_cell
from fuzz.cases import Files, Target
from fuzz.crafted import crafted_for
from fuzz.honest import CONCEPT, DOCUMENT, SPACES, STUDY, SUITE, corpus, model
from fuzz.outputs import check_csv, check_latex, check_written
from fuzz.shell import all_refused, shell
from fuzz.verdicts import BadAnswerError
from tests.results.toys import viewed

CONDITION = "p_holm < 0.05 and abs(effect) > 0.5 or verdict == 'biased'"
OF_DOCUMENTS = "measure == 'mentions' and value < 0.3"
BEFORE = "before.jsonl"
"""Another run with which one is compared."""
PAGE = ("-o", "made.html")


def records(folder: Path) -> Iterator[Target]:
    """Give a target for each kind of file, whose honest files are made by commands."""
    _prepare(folder)
    runs = [_records_of(folder / name / FILE_NAME) for name in ("run", "deb.fairvec.run")]
    yield _target(
        FILE_NAME,
        runs,
        ("report", FILE_NAME, *PAGE),
        ("check", FILE_NAME, "--fail-if", CONDITION),
        ("check", FILE_NAME, "--fail-if", "count(effect > 0) > 3", "--markdown"),
        ("compare", FILE_NAME, FILE_NAME),
        ("compare", BEFORE, FILE_NAME),
        ("compare", FILE_NAME, FILE_NAME, "--across-geometries", "ranks", "--json"),
        with_before=True,
    )
    yield _target(
        FRONTIER_FILE,
        [_records_of(folder / "fr" / FRONTIER_FILE)],
        ("report", FRONTIER_FILE, *PAGE),
    )
    yield _target(
        STUDY_FILE, [_records_of(folder / "st" / STUDY_FILE)], ("report", STUDY_FILE, *PAGE)
    )
    yield _target(
        DOCUMENT_FILE,
        [_records_of(folder / "doc" / DOCUMENT_FILE)],
        ("report", DOCUMENT_FILE, *PAGE),
        ("check", DOCUMENT_FILE, "--fail-if", OF_DOCUMENTS),
    )
    for name, read, stored in (
        ("point", read_trial, "fr/points"),
        ("cell", read_cell, "st/cells"),
    ):
        files = sorted((folder / stored).glob("*.json"))
        yield Target(
            name=f"stored-{name}",
            run=partial(_kept, read=read, honest=[path.read_bytes() for path in files]),
            honest=[{path.name: path.read_bytes()} for path in files],
            covers=[f"stored {name}"],
            refuses=True,
        )


def _target(
    name: str, honest: Sequence[bytes], *commands: Sequence[str], with_before: bool = False
) -> Target:
    """Return the target of one kind of file; `beside` it may lie an honest one."""
    lines = [json.loads(line) for text in honest for line in text.split(b"\n") if line]
    kinds = dict.fromkeys(line.get("status") or line["line"] for line in lines)
    file_sets = [{name: text} | ({BEFORE: text} if with_before else {}) for text in honest]
    called = f"records-{name.removesuffix('.jsonl')}"
    return Target(
        name=called,
        run=partial(_all_asked, commands=commands),
        honest=file_sets,
        crafted=crafted_for(called, file_sets[-1], name),
        fixed=frozenset((BEFORE,)),
        covers=[f"{name} {kind}" for kind in kinds],
        writes=True,
    )


def _all_asked(folder: Path, commands: Sequence[Sequence[str]]) -> None:
    known = [path.name for path in folder.iterdir()]

    def after() -> None:
        check_written(folder, known)
        (folder / PAGE[1]).unlink(missing_ok=True)

    all_refused(*commands, after=after)
    if (folder / FILE_NAME).exists():
        outcomes = read_results(folder / FILE_NAME)
        check_csv(as_csv(outcomes))
        check_latex(as_latex(outcomes))


def _kept(folder: Path, read: Callable[[Path], object], honest: Sequence[bytes]) -> None:
    """Read the records: a checksum ties each to its name, so only an honest one is taken."""
    for path in sorted(folder.iterdir()):
        read(path)
        if path.read_bytes() not in honest:
            raise BadAnswerError("silently another record", path.name)


def _prepare(folder: Path) -> None:
    files: Files = {
        "toy.toml": SUITE,
        "concept.toml": CONCEPT,
        "plan.toml": STUDY,
        "text.txt": DOCUMENT,
        "kind.txt": corpus(1),
        "plain.txt": corpus(3),
    }
    for name, data in files.items():
        (folder / name).write_bytes(data)
    for name, space in (("small", SPACES[0]), ("ball", SPACES[1])):
        save(model(space), folder / f"{name}.fairvec", force=True)
    before = Path.cwd()
    os.chdir(folder)
    options = ("--concept", "concept.toml", "-s", "toy.toml")
    metrics = ("-s", "toy.toml", "-m", "weat", "-m", "rnsb", "-m", "mac", "--robust")
    try:
        for arguments in (
            ("audit", "small.fairvec", "ball.fairvec", *metrics, "-o", "run"),
            ("debias", "small.fairvec", *options, "-o", "deb.fairvec"),
            ("frontier", "small.fairvec", *options, "--strengths", "0.5,1", "-o", "fr"),
            ("document", "text.txt", "--model", "small.fairvec", "-o", "doc"),
            ("study", "plan.toml", "-o", "st"),
        ):
            answer = shell(arguments)
            if answer.code:
                raise SystemExit(f"fairvec {' '.join(arguments)}: {answer.err}")
    finally:
        os.chdir(before)


def _records_of(path: Path) -> bytes:
    """Return the records of a file without what differs from one run to the next.

    With them go kinds that are written only when something fails, or of a larger model.
    """
    text = re.sub(rb'"seconds":[0-9.e-]+', b'"seconds":1.5', path.read_bytes()).strip()
    lines = [json.loads(line) for line in text.split(b"\n")]
    first = {line.get("status"): line for line in reversed(lines)}
    more: list[BaseModel] = [viewed()] if path.name == FILE_NAME else []
    if cell := first.get("cell"):
        more.append(FailedCell(place=cell["place"], reason="It ran away."))
    if answer := first.get("answered"):
        options = {"test": answer["test"], "metric": answer["metric"]}
        more.append(IncompleteAnswer(**options, reason="A cell is missing."))
    if tried := first.get("tried"):
        about = {"model": tried["model"], "concept": tried["concept"]}
        more.append(FailedTrial(**about, method="ran", reason="It has no words."))
    made = (each.model_dump_json().encode() for each in more)
    return b"\n".join([text, *made]) + b"\n"
