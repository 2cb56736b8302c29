"""fairvec report and fairvec reproduce: the page of a run, and a paper's tables beside ours."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Annotated

from fairvec.api.papers import reproduce as reproduce_paper
from fairvec.cli.console import print_answer, print_note, print_table, progress_bar
from fairvec.cli.options import Argument, Option, Without
from fairvec.cli.runs import is_documents, is_frontier, is_study, outcomes_of
from fairvec.core.errors import SettingError
from fairvec.core.io.atomic_files import check_overwrites_markup
from fairvec.core.io.read_files import resolve_target
from fairvec.core.settings import Share
from fairvec.core.tables import Table, plain_text
from fairvec.core.text import short_repr
from fairvec.embedding import LOAD_DEFAULTS, LoadOptions
from fairvec.experiments.audit.plan import COVERAGE
from fairvec.papers import (
    CLAIM_CONVENTION,
    PAPERS,
    agreement_lines,
    claim_sentences,
    claim_summary,
    claim_table,
    grade_counts,
    model_lines,
    opening_sentences,
    paper_tables,
    records_of,
)
from fairvec.papers.usefulness import trainings_folder
from fairvec.report import (
    write_document_report,
    write_frontier_report,
    write_report,
    write_study_report,
)
from fairvec.results.documents import read_document_lines
from fairvec.results.frontier import read_frontier
from fairvec.results.reproduction import (
    ReproductionRecords,
    reproduction_as_jsonl,
)
from fairvec.results.store import PAGE
from fairvec.results.study import read_study_lines


def report(
    folder: Annotated[Path, Argument(help="Folder of a run, or its results file itself.")],
    output: Annotated[
        Path | None, Option("-o", help="The page; default FOLDER/report.html.")
    ] = None,
) -> None:
    """Write the report of earlier results."""
    page = output or (folder if folder.is_dir() else folder.parent) / PAGE
    if output:
        check_overwrites_markup(page, "page")
    resolve_target(page)
    if is_frontier(folder):
        write_frontier_report(read_frontier(folder), page)
    elif is_documents(folder):
        write_document_report(read_document_lines(folder), page)
    elif is_study(folder):
        write_study_report(read_study_lines(folder), page)
    else:
        write_report(outcomes_of(folder), page)
    print_note(f"Report: {page}")


def reproduce(
    name: Annotated[str, Argument(metavar="PAPER", help=f"One of: {', '.join(PAPERS)}.")],
    model: Annotated[
        list[str] | None,
        Option(
            metavar="ROLE=MODEL",
            help="The paper's own model of a role: a file, or a name from 'fairvec models list'; "
            "graded 'your model' if nothing published tells that it is; may be repeated.",
        ),
    ] = None,
    stand_in: Annotated[
        list[str] | None,
        Option(
            metavar="ROLE=MODEL",
            help="Another model in a role, graded 'different model'; may be repeated.",
        ),
    ] = None,
    min_coverage: Annotated[
        Share | None,
        Option(help=f"{COVERAGE} Default: 0.5, and 0.25 of a benchmark's items."),
    ] = None,
    reading: Annotated[LoadOptions, Without("geometry", "curvature", "language")] = LOAD_DEFAULTS,
    train_stand_ins: Annotated[
        Path | None,
        Option(
            metavar="FOLDER",
            help="Train models for the roles that have none, by the paper's recipe on the texts of "
            "FAIRVEC_DATA, and keep them here; what is kept is not trained again.",
        ),
    ] = None,
    corpus: Annotated[
        list[str] | None,
        Option(
            metavar="ROLE=TEXT",
            help="Another text to train the stand-ins of a role from: a file, a folder or a "
            "pattern; may be repeated.",
        ),
    ] = None,
    as_json: Annotated[
        bool, Option("--json", help="Print paper, claims and figures as JSON lines.")
    ] = False,
    output: Annotated[
        Path | None,
        Option(
            "-o",
            help="Folder for reproduction.html (the page), reproduction.md, reproduction.csv, "
            "reproduction.jsonl and results.jsonl.",
        ),
    ] = None,
) -> None:
    """Say whether a paper's findings hold here, and put its figures beside ours, each graded."""
    if reading != LOAD_DEFAULTS and not (model or stand_in):
        raise SettingError(
            "The options of reading a file are for models that are given; add --model or "
            "--stand-in ROLE=MODEL, or leave them out."
        )
    trained = _count_trainings()
    try:
        with progress_bar(f"reproducing {name}") as progress:
            reproduction = reproduce_paper(
                name,
                models=_by_role(model),
                stand_ins=_by_role(stand_in),
                train_stand_ins=train_stand_ins,
                corpora=_by_role(corpus),
                min_coverage=min_coverage,
                reading=reading,
                folder=output,
                progress=progress,
                on_remark=print_note,
            )
    except KeyboardInterrupt as error:
        raise KeyboardInterrupt(
            str(error) or _interrupted(_count_trainings() - trained, output)
        ) from error
    records = records_of(reproduction)
    if as_json:
        print_answer(reproduction_as_jsonl(records))
    else:
        _print(records, with_tables=output is None)
    if output:
        print_note(f"Page: {output / 'reproduction.html'}")


def _count_trainings() -> int:
    try:
        return len([*trainings_folder().glob("*.json")])
    except SettingError:  # a user without a home folder keeps none
        return 0


def _interrupted(trainings: int, output: Path | None) -> str:
    """Say what an interrupted reproduction keeps."""
    unwritten = f" Nothing was written to {output}." if output else ""
    if not trainings:
        return f"Interrupted; no figure is kept: the same command begins again.{unwritten}"
    they_are = "1 training is" if trainings == 1 else f"{trainings:,} trainings are"
    return (
        f"Interrupted; {they_are} kept in {trainings_folder()}: the same command uses what is kept "
        f"there and measures everything else again.{unwritten}"
    )


def _by_role(assignments: Sequence[str] | None) -> dict[str, list[str]]:
    """Read ROLE=MODEL; a role may have several models, each with lines of its own."""
    by_role: dict[str, list[str]] = defaultdict(list)
    for text in assignments or ():
        role, equals, model = text.partition("=")
        if not (role and equals and model):
            raise SettingError(
                f"{short_repr(text)} should be ROLE=MODEL, as in e-glove=vectors.txt."
            )
        by_role[role].append(model)
    return by_role


def _print(records: ReproductionRecords, *, with_tables: bool) -> None:
    """Print what is here, the claims, and how far the tables agree; the tables where asked."""
    print_answer(f"{records.head.title}\n{records.head.source}\n")
    for text in (*opening_sentences(records), records.head.sensitive):
        if text:
            print_answer(text)
    _print_claims(records)
    print_answer("Agreement with the printed figures")
    for line in agreement_lines(records):
        print_answer(f"  {line}")
    print_answer(f"Figures: {grade_counts(records)}.")
    if with_tables:
        _print_tables(records)


def _print_tables(records: ReproductionRecords) -> None:
    for text in (f"\n{records.head.convention}", *model_lines(records)):
        print_answer(text)
    for table in paper_tables(records):
        print_answer(f"\n{table.title}")
        print_table(_without_repeats(table))
        for number, note in enumerate(table.notes, 1):
            print_answer(f"  {number}. {note}")


def _print_claims(records: ReproductionRecords) -> None:
    if not records.claims:
        return
    table = claim_table(records)
    print_answer(f"\n{table.title}")
    print_table(replace(table, title=""))
    numbers = defaultdict(list)
    for number, sentence in enumerate(claim_sentences(records), 1):
        numbers[sentence].append(str(number))
    for sentence, of in numbers.items():  # what lacks the same data has one reason
        print_answer(f"  {', '.join(of)}. {sentence}")
    print_answer(f"Claims: {claim_summary(records)}. {CLAIM_CONVENTION}\n")


def _without_repeats(table: Table) -> Table:
    """Return the body of a table, in which a row's name is not repeated."""
    rows, above = [], ""
    for row in table.rows:
        name, *cells = row.cells
        rows.append(row._replace(cells=("" if name == above else name, *cells)))
        above = plain_text(name)
    return replace(table, rows=tuple(rows), title="", notes=())
