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
LIMIT_FROM_HERE = """
import resource
with open("/proc/self/status") as about:
    held = next(int(line.split()[1]) * 1024 for line in about if line.startswith("VmData:"))
resource.setrlimit(resource.RLIMIT_DATA, (held + {bytes}, held + {bytes}))
"""


def outcome(code: str, *, before: str = "", megabytes: int = 1500, seconds: int = 60) -> str:
    """Run Python in a limited process and return the last line it says.

    What is run before is not counted: so much memory is then allowed beyond what that took. A build
    of torch for CUDA takes several times what one for the CPU does, and that says nothing of us.

    A process that takes more memory ends with MemoryError, or is killed; one that takes more time
    raises TimeoutExpired here. Threads of the linear algebra would each ask for memory of their
    own, so there is one.
    """
    limit = (LIMIT_FROM_HERE if before else LIMIT).format(bytes=megabytes * 1_000_000)
    done = subprocess.run(
        [sys.executable, "-c", before + limit + code],
        capture_output=True,
        text=True,
        timeout=seconds,
        env=os.environ
        | {"PYTHONPATH": str(SOURCE), "OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"},
        check=False,
    )
    lines = (done.stdout + done.stderr).strip().splitlines()
    return lines[-1] if lines else f"it ended with {done.returncode}"
