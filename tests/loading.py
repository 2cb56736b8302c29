"""Which modules a program loads, and which packages only some features may load."""

import os
import subprocess
import sys

BEHIND_DOORS = (
    "gensim",
    "torch",
    "triton",
    "transformers",
    "dask",
    "distributed",
    "numba",
    "sklearn",
    "scipy.stats",
    "requests",
    "pytest",
    "starlette",
    "uvicorn",
    "h11",
)


def loaded_after(program: str, **environment: str) -> set[str]:
    """Return the modules that a program has loaded when it ends, however it ends."""
    program_with_hook = (
        f"import atexit, sys\natexit.register(lambda: print('', *sys.modules))\n{program}"
    )
    answer = subprocess.run(
        [sys.executable, "-c", program_with_hook],
        capture_output=True,
        text=True,
        check=True,
        env={name: here for name, here in os.environ.items() if name != "FAIRVEC_HOME"}
        | environment,
    )
    return set(answer.stdout.splitlines()[-1].split())
