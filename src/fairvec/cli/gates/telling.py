"""What a gate says, where it writes it, and the exit code it ends with."""

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, NoReturn

import typer

from fairvec.cli.console import answer, say
from fairvec.cli.gates.junit import write_junit
from fairvec.cli.gates.markdown import gate_as_markdown
from fairvec.ground.errors import SettingError
from fairvec.results.conditions.gate import Gate

MarkdownOption = Annotated[
    bool,
    typer.Option("--markdown", help="Print a table in Markdown, for a comment or a summary."),
]
JunitOption = Annotated[
    Path | None,
    typer.Option(
        "--junit", metavar="FILE.xml", help="Also write JUnit XML: one test case for each row."
    ),
]


def conclude(
    gate: Gate, *, lines: Sequence[str] | None, markdown: bool, junit: Path | None, more: str = ""
) -> NoReturn:
    """Tell what the gate found and leave with 1 if it is met; refuse what cannot be decided.

    `lines` are the rows that meet it, in words; None if they were told already. `more` goes on
    with the sentence that counts them.
    """
    if junit is not None:
        write_junit(gate, junit)
    if markdown:
        answer(gate_as_markdown(gate))
    else:
        for line in [] if lines is None else [*map(gate.told, gate.ruling.figures), *lines]:
            answer(line)
    say(gate.headline + more)
    for remark in gate.remarks:
        say(remark)
    if gate.undecided:
        raise SettingError(gate.undecided)
    raise typer.Exit(1 if gate.is_met else 0)
