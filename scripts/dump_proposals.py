"""Write every change that rules would make or flag, so that two commits can be compared by diff.

python -m scripts.dump_proposals FILE [--corpora FOLDER] [--lines 20000] [--tests FOLDER]

Of the sentences in the tests, and of as many lines of each language's corpora (FOLDER/en/*.txt.xz,
else those of FAIRVEC_DATA): one sorted line a change, with its aim, place, rule, edits, reason.
"""

import argparse
import ast
import os
from collections.abc import Iterator
from itertools import chain, islice
from pathlib import Path
from typing import get_args

from fairvec.catalogue.entries import VARIABLE
from fairvec.core.io.text_files import read_lines
from fairvec.documents.check import suggestions
from fairvec.languages.language import language as language_named
from fairvec.languages.language import languages_with, scripts
from fairvec.languages.text import parse_document
from fairvec.results.documents import Aim, Suggestion

TESTS = Path(__file__).parents[1] / "tests"


def texts_of_tests(language: str, tests: Path) -> Iterator[tuple[str, str]]:
    """Give the name and text of whatever the tests hold in the script of a language."""
    script = language_named(language).script
    for file in sorted(tests.glob("documents/texts/*.txt")):
        if script in scripts(text := file.read_text("utf-8")):
            yield file.name, text
    written: set[str] = set()
    for file in sorted([*tests.glob("languages/*.py"), *tests.glob("documents/*.py")]):
        tree = ast.parse(file.read_text("utf-8"))
        literals = (node.value for node in ast.walk(tree) if isinstance(node, ast.Constant))
        written |= {text for text in literals if isinstance(text, str) and " " in text}
    for text in sorted(written):
        if script in scripts(text):
            yield "tests", text


def lines_of_corpora(language: str, folder: Path, count: int) -> Iterator[tuple[str, str]]:
    """Give the name and text of the first lines of every file, as many of each."""
    normalize = language_named(language).spelling.normalize
    files = [file for file in sorted(folder.glob("*.txt*")) if file.name != "SOURCE.txt"]
    for file in files:
        for number, line in enumerate(islice(read_lines(file), -(-count // len(files))), 1):
            yield f"{file.name}:{number}", normalize(line.rstrip("\n"))


def proposal_line(name: str, text: str, aim: Aim, found: Suggestion) -> str:
    """Return a change as one line."""
    edits = [f"{edit.start}-{edit.end} {edit.old!r} -> {edit.new!r}" for edit in found.edits]
    fields = (
        name,
        aim,
        f"{found.start}-{found.end}",
        found.rule,
        found.side,
        "; ".join(edits),
        ", ".join(found.candidates),
        found.reason,
        repr(text[:400]),
    )
    return "\t".join(fields)


def proposals(texts: Iterator[tuple[str, str]], language: str) -> Iterator[str]:
    """Give all changes of some texts, each in both directions."""
    for name, text in texts:
        document = parse_document(text, language, name)
        for aim in get_args(Aim):
            for found in suggestions(document, aim):
                yield proposal_line(f"{language} {name}", text, aim, found)


def main() -> None:
    """Write the file."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("file", type=Path)
    parser.add_argument("--corpora", type=Path, help=f"default: corpora of {VARIABLE}")
    parser.add_argument("--lines", type=int, default=20_000, help="of each language; default 20000")
    parser.add_argument("--tests", type=Path, default=TESTS, help="of another commit; default here")
    arguments = parser.parse_args()
    if arguments.corpora is None and arguments.lines and VARIABLE not in os.environ:
        raise SystemExit(f"Name --corpora, set {VARIABLE}, or say --lines 0 for the tests alone.")
    corpora = arguments.corpora or Path(os.environ.get(VARIABLE, "")) / "corpora"
    lines: list[str] = []
    for language in languages_with("rewrites"):
        texts = texts_of_tests(language, arguments.tests)
        if arguments.lines:
            texts = chain(texts, lines_of_corpora(language, corpora / language, arguments.lines))
        lines += proposals(texts, language)
    arguments.file.write_text("".join(f"{line}\n" for line in sorted(lines)), "utf-8")


if __name__ == "__main__":
    main()
