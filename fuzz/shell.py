"""Commands run in this process as a shell would run them, and what they may answer."""

import io
import re
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from fairvec import cli
from fairvec.cli.faults import BAD_INPUT, FAULT
from fairvec.ground.errors import FairvecError
from fuzz.verdicts import BadAnswerError, RefusedError

CONTROL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\u200b\u3164]")
"""What a terminal would obey, and what turns text around or makes two names look like one."""


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
    tell: Callable[[Exception], int] = getattr(cli, "tell")  # noqa: B009 - it is not exported

    def noting(error: Exception) -> int:
        raised.append(error)
        return tell(error)

    before = sys.argv, sys.stdin, sys.stdout, sys.stderr
    bytes_of = [io.BytesIO() for _ in range(3)]
    held = [io.TextIOWrapper(each, encoding="utf-8") for each in bytes_of]
    sys.argv, (sys.stdin, sys.stdout, sys.stderr) = ["fairvec", *arguments], held
    setattr(cli, "tell", noting)  # noqa: B010 - see above
    try:
        cli.main()
        code = 0
    except SystemExit as stop:
        code = stop.code if isinstance(stop.code, int) else int(stop.code is not None)
    finally:
        setattr(cli, "tell", tell)  # noqa: B010 - see above
        for stream in held:
            stream.flush()
        sys.argv, sys.stdin, sys.stdout, sys.stderr = before
    _, out, err = (each.getvalue().decode("utf-8", "replace") for each in bytes_of)
    return Answer(code, out, err, raised[-1] if raised else None)


def asked(*arguments: str) -> Answer:
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
    if answer.code == BAD_INPUT:
        told = answer.err.rstrip("\n")
        last = told.rpartition("\n")[2]
        # A command may say why it has no answer; an error says that it is one.
        if not last or "Traceback" in told or (answer.error and "rror: " not in last):
            details = f"{arguments}: {told[-2000:]!r}"
            raise BadAnswerError("not one sentence", details) from answer.error
        if answer.error is not None:
            raise answer.error if not isinstance(answer.error, OSError) else RefusedError(last)
    return answer


def all_refused(*commands: Sequence[str], after: Callable[[], None] = lambda: None) -> None:
    """Run commands of which each may refuse its input; raise the last refusal.

    `after` is called when one has done what it is for, to take away what it made.
    """
    refusal: Exception | None = None
    for arguments in commands:
        try:
            asked(*arguments)
            after()
        except (FairvecError, RefusedError) as error:
            refusal = error
            if isinstance(error.__cause__, MemoryError):
                raise
    if refusal is not None:
        raise refusal
