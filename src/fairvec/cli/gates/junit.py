"""A gate as JUnit XML: one test case a row, for the pages that pipelines make of such files."""

import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from xml.sax.saxutils import quoteattr

from fairvec.ground.disk.files import write_text
from fairvec.ground.disk.places import refuse_markup
from fairvec.ground.errors import SettingError
from fairvec.ground.text.visible_text import visible
from fairvec.results.conditions.gate import Gate, Row, cell

_NOT_XML = re.compile("[^\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_WHOLE = "all rows together"


def check_junit_place(file: Path | None) -> None:
    """Refuse a place that may hold something else, before any work is done."""
    if file is None:
        return
    if file.name and file.suffix.lower() != ".xml":
        raise SettingError(
            f"{file}: a JUnit file ends in .xml; name it {file.with_suffix('.xml').name}."
        )
    refuse_markup(file, "JUnit file")


def write_junit(gate: Gate, file: Path) -> None:
    """Write the gate to a file, whole or not at all."""
    write_text(file, gate_as_junit(gate))


def gate_as_junit(gate: Gate) -> str:
    """Return a suite of one case a row: failed if it meets the condition, skipped if it is silent.

    A condition about all rows together is one case; one that cannot be decided is an error.
    """
    cases = [*_cases(gate)]
    kinds = Counter(kind for _, _, kind, _ in cases)
    counts = _attributes(
        tests=str(len(cases)),
        failures=str(kinds["failure"]),
        errors=str(kinds["error"]),
        skipped=str(kinds["skipped"]),
    )
    named = _attributes(name=gate.command)
    lines = ['<?xml version="1.0" encoding="UTF-8"?>']
    lines += [f"<testsuites{named}{counts}>", f"  <testsuite{named}{counts}>"]
    seen: Counter[tuple[str, str]] = Counter()
    for place, name, kind, message in cases:
        seen[place, name] += 1
        again = f" #{seen[place, name]}" if seen[place, name] > 1 else ""
        case = f"    <testcase{_attributes(classname=place, name=name + again)}"
        inner = f"<{kind}{_attributes(message=message)}/>" if kind else ""
        lines += [f"{case}>{inner}</testcase>" if inner else f"{case}/>"]
    return "\n".join([*lines, "  </testsuite>", "</testsuites>", ""])


def _cases(gate: Gate) -> Iterator[tuple[str, str, str, str]]:
    """Yield whose case it is, its name, how it ended ("" if it passed) and why."""
    text = gate.condition.text
    if gate.ruling.over_rows:
        told = "; ".join(map(gate.told, gate.ruling.figures))
        ended = "error" if gate.undecided else "failure" if gate.is_met else ""
        yield _WHOLE, text, ended, gate.undecided or f"{text}: {told}"
        return
    if gate.undecided:
        yield _WHOLE, text, "error", gate.undecided
    for row, answer in zip(gate.rows, gate.ruling.answers, strict=True):
        silent = gate.unanswered(row)
        if answer:
            yield gate.place(row), gate.name(row), "failure", f"{text}: {_figures(gate, row)}"
        elif silent or answer is None:
            why = silent or "It lacks what the condition asks about."
            yield gate.place(row), gate.name(row), "skipped", why
        else:
            yield gate.place(row), gate.name(row), "", ""


def _figures(gate: Gate, row: Row) -> str:
    return ", ".join(f"{name} {cell(row[name])}" for name in gate.shown if row[name] is not None)


def _attributes(**named: str) -> str:
    """Return attributes; what XML cannot hold is shown by its number."""
    return "".join(f" {name}={quoteattr(_allowed(text))}" for name, text in named.items())


def _allowed(text: str) -> str:
    return _NOT_XML.sub(lambda found: f"\\u{ord(found[0]):04x}", visible(text, but=""))
