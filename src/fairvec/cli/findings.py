"""What the linter found, told and counted."""

from collections.abc import Sequence
from typing import Annotated

import typer

from fairvec.cli.console import answer, say
from fairvec.ground.numbers import counted
from fairvec.lexicon import LintFinding

Waived = Annotated[bool, typer.Option(help="Also list the findings waived in the file.")]


def tell(findings: Sequence[tuple[str, LintFinding]], linted: str, *, waived: bool) -> bool:
    """Print the findings, each with the id it is about; return whether some are not waived."""
    unwaived = [(id, finding) for id, finding in findings if finding.waived is None]
    for id, finding in findings if waived else unwaived:
        reason = "" if finding.waived is None else f" (waived: {finding.waived})"
        answer(f"{id}: {finding.code}: {finding.message}{reason}")
    say(f"{linted}, {counted(len(unwaived), 'finding')}, {len(findings) - len(unwaived)} waived")
    return bool(unwaived)
