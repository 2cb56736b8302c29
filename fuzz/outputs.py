"""Tables and pages for people: what strangers wrote into a model must not act in them."""

import csv
import io
import json
import re
from collections.abc import Sequence
from pathlib import Path
from typing import NoReturn
from xml.etree import ElementTree

from fuzz.mutations.odd_values import SCRIPT
from fuzz.verdicts import BadAnswerError

FORMULAS = "=+-@\t\r\n\uff0b\uff0d\uff1d\uff20"
NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?|[+-]?(inf|nan)", re.IGNORECASE)
ACTS_IN_LATEX = re.compile(r"\\\\\s*\[|\\(input|include|write|immediate|openin|read)\b")
ACTS_IN_MARKDOWN = re.compile(r"(?<!\\)<(script|img|a |iframe)|\]\((?!#)", re.IGNORECASE)
CONTROL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\u200b\u3164]")
"""What a terminal would obey, and what turns text around or makes two names look like one."""


def check_printed(arguments: Sequence[str], out: str) -> None:
    """Raise where what a command printed would act in the program that it is for."""
    for option, check in (
        ("--csv", check_csv),
        ("--latex", check_latex),
        ("--markdown", check_markdown),
        ("--json", check_json),
    ):
        # Who asks for help gets help, whatever else is asked.
        if option in arguments and "--help" not in arguments:
            check(out)


def check_written(folder: Path, known: Sequence[str]) -> None:
    """Raise where a page or a report that was written would act."""
    for path in folder.rglob("*"):
        if path.suffix in (".html", ".xml") and path.relative_to(folder).as_posix() not in known:
            data = path.read_text(encoding="utf-8")
            if SCRIPT in data:
                _bad("a script in a page", data, data.index(SCRIPT))
            if path.suffix == ".xml":
                if found := CONTROL.search(data):
                    _bad("control characters in a report", data, found.start())
                try:
                    ElementTree.fromstring(data)  # noqa: S314 - our own
                except ElementTree.ParseError as error:
                    raise BadAnswerError("no XML", str(error)) from error


def check_csv(text: str) -> None:
    """Raise where a spreadsheet would run a cell."""
    for row in csv.reader(io.StringIO(text)):
        for cell in row:
            plain = cell.strip(" ")
            if len(plain) > 1 and plain[0] in FORMULAS and not NUMBER.fullmatch(plain):
                raise BadAnswerError("a formula in a cell", repr(cell[:200]))


def check_latex(text: str) -> None:
    """Raise where a name is a command."""
    if found := ACTS_IN_LATEX.search(text):
        _bad("LaTeX that acts", text, found.start())


def check_markdown(text: str) -> None:
    """Raise where a name is a tag or a link, or makes a row longer than its head."""
    if found := ACTS_IN_MARKDOWN.search(text):
        _bad("Markdown that acts", text, found.start())
    width = 0
    for line in text.splitlines():
        cells = len(re.findall(r"(?<!\\)\|", line)) if line.startswith("|") else 0
        if cells and width and cells != width:
            raise BadAnswerError("a row of another width", repr(line[:300]))
        width = cells


def check_json(text: str) -> None:
    """Raise where a line is no JSON, or holds what JSON has no number for."""
    # By this sign alone: others that end lines may stand in a text.
    for line in text.removesuffix("\n").split("\n") if text else ():
        try:
            json.loads(line, parse_constant=_no_number)
        except ValueError as error:
            raise BadAnswerError("no JSON", f"{error}: {line[:300]!r}") from error


def _no_number(text: str) -> NoReturn:
    raise ValueError(f"{text} is no number of JSON")


def _bad(kind: str, text: str, at: int) -> NoReturn:
    raise BadAnswerError(kind, repr(text[max(0, at - 80) : at + 80]))
