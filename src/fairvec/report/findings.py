"""Findings as programs read them: commands of GitHub, SARIF, JSON, JUnit and Checkstyle."""

import json
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from hashlib import sha256
from itertools import groupby
from typing import Any, Literal
from urllib.parse import quote

from fairvec.core.text import xml_attributes
from fairvec.results.documents import DocumentFinding, Level
from fairvec.version import __version__

Format = Literal["text", "github", "sarif", "json", "junit", "checkstyle"]

_XML = '<?xml version="1.0" encoding="UTF-8"?>'
_GITHUB: dict[Level, str] = {"error": "error", "warning": "warning", "suggestion": "notice"}
_SARIF: dict[Level, str] = {"error": "error", "warning": "warning", "suggestion": "note"}
_CHECKSTYLE: dict[Level, str] = {"error": "error", "warning": "warning", "suggestion": "info"}


def by_file(found: Sequence[DocumentFinding]) -> Iterator[tuple[str, list[DocumentFinding]]]:
    """Give each file with its findings."""
    for file, group in groupby(found, key=lambda finding: finding.file):
        yield file, list(group)


def as_github(found: Sequence[DocumentFinding], names: Sequence[str]) -> str:
    """Return a command a finding, by which a workflow of GitHub marks the line in a pull request.

    https://docs.github.com/actions/reference/workflow-commands-for-github-actions
    """
    return "".join(map(_github_command, found))


def _github_command(finding: DocumentFinding) -> str:
    places = {"file": finding.file, "line": finding.line, "endLine": finding.end_line}
    if finding.line == finding.end_line:  # only then GitHub reads columns
        places |= {"col": finding.column, "endColumn": finding.end_column}
    named = {**places, "title": finding.rule}
    properties = ",".join(f"{key}={_github_property(str(value))}" for key, value in named.items())
    return f"::{_GITHUB[finding.level]} {properties}::{_github_data(finding.message)}\n"


def _github_data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _github_property(text: str) -> str:
    return _github_data(text).replace(":", "%3A").replace(",", "%2C")


def as_json(found: Sequence[DocumentFinding], names: Sequence[str]) -> str:
    """Return all findings as a list, each with all that is known of it."""
    return json.dumps([one.model_dump(mode="json") for one in found], ensure_ascii=False, indent=1)


def as_sarif(found: Sequence[DocumentFinding], names: Sequence[str]) -> str:
    """Return the findings in SARIF 2.1.0, with fingerprints, and fixes where a rule is certain.

    https://docs.oasis-open.org/sarif/sarif/v2.1.0
    """
    rules = {finding.rule: number for number, finding in enumerate(_one_of_each_rule(found))}
    repeats: Counter[str] = Counter()
    results = []
    for finding in found:
        # Of what stands around, not of its line number: it stays when lines are put before.
        basis = "\0".join((finding.file, finding.rule, finding.text, finding.source_line.strip()))
        repeats[basis] += 1
        fingerprint = sha256(f"{basis}\0{repeats[basis]}".encode()).hexdigest()
        results.append(_sarif_result(finding, rules[finding.rule], fingerprint))
    driver = {
        "name": "fairvec",
        "version": __version__,
        "rules": [
            {
                "id": finding.rule,
                "shortDescription": {"text": f"Gendered wording ({finding.kind})"},
                "help": {"text": f"fairvec document --why {finding.rule}"},
            }
            for finding in _one_of_each_rule(found)
        ],
    }
    run = {"tool": {"driver": driver}, "columnKind": "unicodeCodePoints", "results": results}
    log = {
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [run],
    }
    return json.dumps(log, ensure_ascii=False, indent=1)


def _one_of_each_rule(found: Sequence[DocumentFinding]) -> list[DocumentFinding]:
    return [*{finding.rule: finding for finding in reversed(found)}.values()][::-1]


def _sarif_result(finding: DocumentFinding, rule: int, fingerprint: str) -> dict[str, Any]:
    file = {"uri": quote(finding.file.replace("\\", "/"))}
    region = {
        "startLine": finding.line,
        "startColumn": finding.column,
        "endLine": finding.end_line,
        "endColumn": finding.end_column,
        "snippet": {"text": finding.text},
    }
    result: dict[str, Any] = {
        "ruleId": finding.rule,
        "ruleIndex": rule,
        "level": _SARIF[finding.level],
        "message": {"text": f"{finding.message}. {finding.reason}"},
        "locations": [{"physicalLocation": {"artifactLocation": file, "region": region}}],
        "partialFingerprints": {"fairvecFinding/v1": fingerprint},
    }
    if finding.edits:
        replacements = [
            {
                "deletedRegion": {"charOffset": edit.start, "charLength": edit.end - edit.start},
                "insertedContent": {"text": edit.new},
            }
            for edit in finding.edits
        ]
        change = {"artifactLocation": file, "replacements": replacements}
        result["fixes"] = [{"description": {"text": finding.message}, "artifactChanges": [change]}]
    return result


def as_junit(found: Sequence[DocumentFinding], names: Sequence[str]) -> str:
    """Return a suite a document, with a failed case for each finding, or one that passed."""
    of_file = dict(by_file(found))
    total = xml_attributes(
        name="fairvec document",
        tests=str(len(found) + sum(name not in of_file for name in names)),
        failures=str(len(found)),
    )
    lines = [_XML, f"<testsuites{total}>"]
    for name in names:
        of = of_file.get(name, [])
        counts = xml_attributes(name=name, tests=str(len(of) or 1), failures=str(len(of)))
        lines.append(f"  <testsuite{counts}>")
        if not of:
            lines.append(f"    <testcase{xml_attributes(classname=name, name='no findings')}/>")
        for one in of:
            place = f"{one.line}:{one.column} {one.rule}"
            case = xml_attributes(classname=name, name=place)
            failure = xml_attributes(type=one.level, message=one.message)
            lines.append(f"    <testcase{case}><failure{failure}/></testcase>")
        lines.append("  </testsuite>")
    return "\n".join([*lines, "</testsuites>", ""])


def as_checkstyle(found: Sequence[DocumentFinding], names: Sequence[str]) -> str:
    """Return the findings as Checkstyle writes them, which most pages of pipelines read."""
    lines = [_XML, '<checkstyle version="4.3">']
    for name, of in by_file(found):
        lines.append(f"  <file{xml_attributes(name=name)}>")
        for one in of:
            attributes = xml_attributes(
                line=str(one.line),
                column=str(one.column),
                severity=_CHECKSTYLE[one.level],
                message=one.message,
                source=one.rule,
            )
            lines.append(f"    <error{attributes}/>")
        lines.append("  </file>")
    return "\n".join([*lines, "</checkstyle>", ""])


FORMATS: dict[str, Callable[[Sequence[DocumentFinding], Sequence[str]], str]] = {
    "github": as_github,
    "sarif": as_sarif,
    "json": as_json,
    "junit": as_junit,
    "checkstyle": as_checkstyle,
}
"""What writes findings in each format but text; it takes them and the names of all documents."""
