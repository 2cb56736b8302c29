"""The command line: its entry point.

Exit codes: 0 all is well; 1 a condition is met (`check`, `compare --fail-if`) or findings are open
(`suites lint`); 2 bad input, also where a condition cannot be decided, 3 a fault of fairvec or no
memory left, each in one sentence on standard error; 130 interrupted (143 by TERM, 129 by HUP).
"""

import os
import sys
from io import TextIOWrapper

from fairvec.cli.startup import drop_invalid_terminal_sizes, report_error, report_interruption
from fairvec.core.processes import graceful_shutdown


def main() -> None:
    """Run the command line; whatever is raised becomes one sentence and an exit code."""
    for stream in (sys.stdout, sys.stderr):
        # A terminal that cannot show a letter gets its code instead of a crash.
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    drop_invalid_terminal_sizes()
    try:
        with graceful_shutdown():
            # Here, so that a missing package becomes a sentence as any other fault does.
            from fairvec.cli.app import run

            sys.exit(run(sys.argv[1:]))
    except KeyboardInterrupt as error:
        sys.exit(report_interruption(error))
    except BrokenPipeError:
        # The reader of a help page (head, less) has seen enough.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except Exception as error:  # whatever it is becomes a sentence
        sys.exit(report_error(error))
