"""Commands run in this process as a shell would run them, and what they may answer."""

import io
import os
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from fairvec import cli
from fairvec.cli.startup import BAD_INPUT, FAULT
from fairvec.core.errors import FairvecError
from fuzz.outputs import CONTROL, check_printed
from fuzz.places import entries_of
from fuzz.verdicts import BadAnswerError, RefusedError, no_memory


@dataclass(frozen=True)
class Answer:
    """What a shell sees of a command, and the error that ended it, if one did."""

    code: int
    out: str
    err: str
    error: Exception | None


def shell(arguments: Sequence[str]) -> Answer:
    """Run a command and return what it answered."""
    raised: list[Exception] = []
    report_error: Callable[[Exception], int] = getattr(cli, "report_error")  # noqa: B009 - it is not exported

    def noting(error: Exception) -> int:
        raised.append(error)
        return report_error(error)

    before = sys.argv, sys.stdin, sys.stdout, sys.stderr
    bytes_of = [io.BytesIO() for _ in range(3)]
    streams = [io.TextIOWrapper(each, encoding="utf-8") for each in bytes_of]
    sys.argv, (sys.stdin, sys.stdout, sys.stderr) = ["fairvec", *arguments], streams
    setattr(cli, "report_error", noting)  # noqa: B010 - see above
    try:
        cli.main()
        code = 0
    except SystemExit as stop:
        code = stop.code if isinstance(stop.code, int) else int(stop.code is not None)
    finally:
        setattr(cli, "report_error", report_error)  # noqa: B010 - see above
        for stream in streams:
            stream.flush()
        sys.argv, sys.stdin, sys.stdout, sys.stderr = before
    _, out, err = (each.getvalue().decode("utf-8", "replace") for each in bytes_of)
    return Answer(code, out, err, raised[-1] if raised else None)


def ran_in(folder: Path, *arguments: str) -> Answer:
    """Run a command in a folder and return what it answered."""
    before = Path.cwd()
    os.chdir(folder)
    try:
        return shell(arguments)
    finally:
        os.chdir(before)


def run_commands(*arguments: str) -> Answer:
    """Run a command; raise if it answers what no command may answer."""
    answer = shell(arguments)
    # An error that was foreseen is raised again, so that its causes can be looked at.
    if answer.code == FAULT and answer.error is not None:
        raise answer.error
    if answer.code not in (0, 1, BAD_INPUT):
        raise BadAnswerError(f"exit {answer.code}", answer.err)
    if found := CONTROL.search(answer.out + answer.err):
        around = (answer.out + answer.err)[max(0, found.start() - 60) : found.end() + 60]
        raise BadAnswerError("control characters", f"{arguments}: {around!r}") from answer.error
    check_printed(arguments, answer.out)
    if answer.code == BAD_INPUT:
        error_text = answer.err.rstrip("\n")
        last = error_text.rpartition("\n")[2]
        # A command may say why it has no answer; an error says that it is one.
        if not last or "Traceback" in error_text or (answer.error and "rror: " not in last):
            details = f"{arguments}: {error_text[-2000:]!r}"
            raise BadAnswerError("not one sentence", details) from answer.error
        if answer.error is not None:
            if not isinstance(answer.error, OSError) or no_memory(answer.error):
                raise answer.error
            raise RefusedError(last)
    return answer


def all_refused(*commands: Sequence[str], after: Callable[[], None] = lambda: None) -> None:
    """Run commands of which each may refuse its input; raise the last refusal.

    `after` is called when one has done what it is for. What such a one made is taken away where
    another was refused: what lies there then was left behind.
    """
    refusal: Exception | None = None
    here = str(Path.cwd())
    known = {*entries_of(here)}
    made: list[str] = []
    for arguments in commands:
        try:
            run_commands(*arguments)
            after()
            made += {*entries_of(here)} - known - {*made}
        except (FairvecError, RefusedError) as error:
            refusal = error
            if no_memory(error):
                raise
    if refusal is not None:
        for name in sorted(made, reverse=True):
            _removed(Path(here, name))
        raise refusal


def _removed(path: Path) -> None:
    """Remove a file, or a folder in which nothing is left."""
    if not path.is_dir() or path.is_symlink():
        path.unlink(missing_ok=True)
    elif not any(path.iterdir()):
        path.rmdir()
