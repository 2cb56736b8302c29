"""Attacks run in a child process that may take only so much memory and time."""

import os
import subprocess
import sys
from pathlib import Path

SOURCE = Path(__file__).parents[1] / "src"
LIMIT = """
import resource
resource.setrlimit(resource.RLIMIT_DATA, ({bytes}, {bytes}))
"""


def outcome(code: str, *, megabytes: int = 1500, seconds: int = 60) -> str:
    """Run Python in a limited process and return the last line it says.

    A process that takes more memory ends with MemoryError, or is killed; one that takes more time
    raises TimeoutExpired here. Threads of the linear algebra would each ask for memory of their
    own, so there is one.
    """
    done = subprocess.run(
        [sys.executable, "-c", LIMIT.format(bytes=megabytes * 1_000_000) + code],
        capture_output=True,
        text=True,
        timeout=seconds,
        env=os.environ
        | {"PYTHONPATH": str(SOURCE), "OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"},
        check=False,
    )
    said = (done.stdout + done.stderr).strip().splitlines()
    return said[-1] if said else f"it ended with {done.returncode}"
