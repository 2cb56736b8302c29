"""fairvec document: gendered wordings in texts, who is in them, and a fairer version."""

import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Annotated

from rich.cells import cell_len

from fairvec.api.documents import CheckedDocuments, check_documents
from fairvec.cli.console import (
    out,
    print_answer,
    print_for_runner,
    print_note,
    print_table,
    progress_bar,
)
from fairvec.cli.models import model_source
from fairvec.cli.options import Argument, Option
from fairvec.core.errors import FileFormatError, SettingError
from fairvec.core.io.atomic_files import check_writable_folder
from fairvec.core.io.read_files import read_stdin
from fairvec.core.tables import table_of
from fairvec.documents.apply import (
    AppliedChanges,
    diff_of_fixes,
    fix_files,
    fixed_text,
    require_new_path,
)
from fairvec.documents.changed_lines import changed_lines
from fairvec.documents.lint import (
    FailOn,
    LintSettings,
    as_findings,
    read_settings,
    rule_named,
    rules,
)
from fairvec.documents.read import Source
from fairvec.embedding import LOAD_DEFAULTS
from fairvec.languages.language import languages_with
from fairvec.messages.documents import (
    Groups,
    applied_lines,
    document_heading,
    document_summary,
    few_mentions,
    finding_line,
    findings_summary,
    fixed_line,
    mention_lines,
    pages_remark,
    rule_lines,
)
from fairvec.report.findings import FORMATS, Format, by_file
from fairvec.results.documents import (
    DOCUMENT_FILE,
    Aim,
    DocumentFinding,
    DocumentIdentity,
    DocumentMeasure,
)
from fairvec.results.store import PAGE


def statistics(report: CheckedDocuments, *, in_full: bool) -> Iterator[str]:
    """Yield who is mentioned, in all and in each document, where there is text enough to say.

    That is where a p could be small, or with `in_full` always.
    """
    one = report.documents[0]
    if len(report.documents) == 1:
        yield from _statistics_of(one.checked.identity, one.figures, one.groups, in_full=in_full)
        return
    for language in dict.fromkeys(one.document.language for one in report.overall):
        figures = [one for one in report.overall if one.document.language == language]
        yield from _statistics_of(figures[0].document, figures, one.groups, in_full=in_full)
        yield ""
    mentions = [(one.text.source.name, one.mentions) for one in report.documents]
    yield from mention_lines(mentions, one.groups[1])


def _statistics_of(
    of: DocumentIdentity, figures: Sequence[DocumentMeasure], groups: Groups, *, in_full: bool
) -> Iterator[str]:
    all_mentions = next(
        (one for one in figures if (one.measure, one.what) == ("mentions", "all")), None
    )
    if in_full or (all_mentions and all_mentions.p is not None):
        yield from document_summary(of, figures, groups)
        return
    yield document_heading(of)
    yield f"  {few_mentions(all_mentions, groups)}"


def document(
    files: Annotated[
        list[str] | None,
        Argument(
            metavar="FILE...",
            help="Texts (.txt, .md, .html), tables (.csv, .tsv) with --column, folders of them, "
            "patterns such as 'docs/**/*.md', or - for standard input; 'rules' lists all rules.",
        ),
    ] = None,
    language: Annotated[
        str | None,
        Option(help="Of the texts: en, hi or ru. Default: by the script of their letters."),
    ] = None,
    model: Annotated[
        str | None, Option(help="Word vectors, to say how the words lean in them.")
    ] = None,
    column: Annotated[
        str | None, Option(help="Column of a table whose rows are documents.")
    ] = None,
    encoding: Annotated[
        str | None, Option(help="Of files that are not UTF-8, as in cp1251.")
    ] = None,
    names: Annotated[bool, Option(help="Whether first names count as mentions.")] = True,
    swap_names: Annotated[
        bool, Option(help="Of the aim swap: first names too (English). Default: names are kept.")
    ] = False,
    aim: Annotated[
        Aim, Option(help="Of --apply: neutral words, or those of the other group.")
    ] = "neutral",
    apply: Annotated[
        Path | None,
        Option(
            metavar="FILE",
            help="Write a version with all certain changes to this new file (of a folder: a new "
            "folder).",
        ),
    ] = None,
    accept: Annotated[
        str | None, Option(metavar="ID,ID", help="Of --apply: only these changes, as in n1,n4.")
    ] = None,
    output: Annotated[
        Path | None, Option("-o", help="Folder for document.jsonl and report.html.")
    ] = None,
    force: Annotated[bool, Option(help="Write over the files of an earlier report.")] = False,
    fail_on: Annotated[
        FailOn | None,
        Option(
            help="Exit with 1 if there is a finding of this level or above: suggestion, warning (a "
            "rule is certain), error (a rule named by --error) or never. Default: error."
        ),
    ] = None,
    off: Annotated[
        list[str] | None,
        Option(
            metavar="RULE",
            help="Rule that is not reported, as in en.salesman, en.kinship, 'en.s*' or ru; may be "
            "repeated.",
        ),
    ] = None,
    error: Annotated[
        list[str] | None,
        Option(metavar="RULE", help="Rule whose findings are errors; may be repeated."),
    ] = None,
    exclude: Annotated[
        list[str] | None,
        Option(metavar="PATTERN", help="Files that are not read, as in drafts/ or *.old.md."),
    ] = None,
    format: Annotated[
        Format, Option(help="How findings are printed; all but text are for programs.")
    ] = "text",
    fix: Annotated[
        bool, Option(help="Make all certain changes in the files themselves, then check again.")
    ] = False,
    diff: Annotated[
        bool, Option(help="Print what --fix would change, and change nothing.")
    ] = False,
    changed: Annotated[
        str | None,
        Option(metavar="REV", help="Only findings on lines changed since a revision of git."),
    ] = None,
    why: Annotated[
        str | None, Option(metavar="RULE", help="Print what a rule finds, and why; read nothing.")
    ] = None,
) -> None:
    """Find gendered wordings in documents, what could stand there, and who is mentioned.

    One finding a line: file, line, columns, level, what could stand there, and the rule.
    'fairvec document advert.txt --fail-on warning' exits with 1 if a rule is certain of a change.
    """
    if why is not None:
        for line in _rule_lines(why):
            print_answer(line)
        return
    if files == ["rules"] and not Path("rules").exists():
        rows = [rule.row for code in languages_with("rewrites") for rule in rules(code)]
        print_table(table_of(("rule", "kind", "word", "alternative"), rows))
        return
    if not files:
        raise SettingError("There is no document to read; name a file or a folder.")
    if diff and (fix or format != "text"):
        raise SettingError(
            "--diff prints what --fix would change, and nothing else; name it alone."
        )
    settings = _settings(off, error, exclude, fail_on)
    if accept is not None and apply is None:
        raise SettingError("--accept names changes to write, and --apply FILE where to; say both.")
    if apply is not None:
        require_new_path(apply)
        if output and output.resolve().is_relative_to(apply.resolve()):
            raise SettingError(
                f"--apply writes to {apply} and --output to {output}, which is one place; name two."
            )
    if output:
        check_writable_folder(output, DOCUMENT_FILE, PAGE, force=force)
    standard_input = read_stdin(sys.stdin.buffer, FileFormatError) if "-" in files else None
    with progress_bar("checking documents") as bar:
        vectors = None if model is None else model_source(model, LOAD_DEFAULTS, bar)

        def check() -> CheckedDocuments:
            return check_documents(
                *files,
                language=language,
                model=vectors,
                column=column,
                encoding=encoding,
                names=names,
                swap_names=swap_names,
                exclude=settings.exclude,
                standard_input=standard_input,
            )

        report = check()
        found = _findings(report, settings, changed)
        fixed: list[DocumentFinding] = fix_files(found) if fix else []
        if fixed:
            report = check()
            found = _findings(report, settings, changed)
    # Files are written first: a reader of the summary (head, less) may end the command early.
    if apply:
        some = None if accept is None else [id.strip() for id in accept.split(",") if id.strip()]
        _note_applied(report.apply(apply, aim=aim, accept=some))
    if output:
        _write(report, output)
    for remark in report.remarks:
        print_note(remark)
    if fixed:
        print_note(fixed_line(len(fixed), len({one.file for one in fixed})))
    all_found = [finding for _, of_source in found for finding in of_source]
    if diff:
        for source, of_source in found:
            for line in diff_of_fixes(source, of_source):
                print_answer(line)
    elif format == "text":
        fixable = sum(len(fixed_text(*one)[1]) for one in found if one[0].path is not None)
        _print_findings(all_found, fixable, len(found))
        print_answer("")
        for line in statistics(report, in_full=model is not None):
            print_answer(line)
    else:
        content = FORMATS[format](all_found, [source.name for source, _ in found])
        (print_for_runner if format == "github" else print_answer)(content)
    if settings.fails(all_found):
        sys.exit(1)


def _rule_lines(id: str) -> Iterator[str]:
    rule = rule_named(id)
    return rule_lines(rule.row, rule.sentence, rule.why)


def _settings(
    off: list[str] | None,
    error: list[str] | None,
    exclude: list[str] | None,
    fail_on: FailOn | None,
) -> LintSettings:
    """Return the settings of the nearest file with those of the call."""
    kept = read_settings(Path.cwd())
    return LintSettings(
        off=(*kept.off, *(off or ())),
        error=(*kept.error, *(error or ())),
        exclude=(*kept.exclude, *(exclude or ())),
        fail_on=fail_on or kept.fail_on,
    )


Found = list[tuple[Source, list[DocumentFinding]]]


def _findings(report: CheckedDocuments, settings: LintSettings, revision: str | None) -> Found:
    """Return the findings of each document; those on lines changed since a revision, if named."""
    found: Found = []
    for one in report.documents:
        source = one.text.source
        document, suggested = one.neutral
        of_source = [*as_findings(suggested, document, source, settings)]
        if revision is not None and source.path is not None:
            lines = changed_lines(source.path, revision)
            of_source = [one for one in of_source if lines.touch(one.line, one.end_line)]
        found.append((source, of_source))
    return found


def _print_findings(found: Sequence[DocumentFinding], fixable: int, documents: int) -> None:
    """Print the findings by file, on a terminal with the line and a caret, and their number."""
    for number, (_, of_file) in enumerate(by_file(found)):
        if number:
            print_answer("")
        for one in of_file:
            print_answer(finding_line(one))
            if out.is_terminal:
                for line in _quoted_line(one):
                    print_answer(line)
    if found:
        print_answer("")
    levels = Counter(one.level for one in found)
    print_answer(findings_summary(levels, fixable, documents))


def _quoted_line(found: DocumentFinding, most: int = 100) -> Iterator[str]:
    """Give the line of a finding, or what of it stands around, and carets under the words."""
    start = found.column - 1
    end = found.end_column - 1 if found.end_line == found.line else len(found.source_line)
    first = max(0, min(start - most // 3, len(found.source_line) - most))
    last = max(end, first + most)
    line = found.source_line.replace("\t", " ")
    before, after = "... " * (first > 0), " ..." * (last < len(line))
    yield f"    {before}{line[first:last]}{after}"
    blank = " " * cell_len(before + line[first:start])
    yield f"    {blank}{'^' * max(1, cell_len(line[start:end]))}"


def _write(report: CheckedDocuments, output: Path) -> None:
    unlisted = report.save(output, force=True)
    print_note(f"Results: {output / DOCUMENT_FILE}", f"Report:  {output / PAGE}")
    if unlisted:
        listed, total = len(report.documents) - unlisted, len(report.documents)
        print_note(pages_remark(listed, total, DOCUMENT_FILE))


def _note_applied(applied: AppliedChanges) -> None:
    lines = applied_lines(str(applied.path), applied.documents, applied.changes, applied.left_out)
    print_note(*lines)
