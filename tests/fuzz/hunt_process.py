"""Hunts run in processes of their own, whose limits are not ours."""

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]


def apart(module: str, *arguments: str, seconds: int) -> subprocess.CompletedProcess[str]:
    """Run a module of these tests in the root of the project, and wait for its end."""
    return subprocess.run(
        [sys.executable, "-m", f"tests.fuzz.{module}", *arguments],
        cwd=ROOT,
        env=os.environ | {"PYTHONPATH": f"{ROOT / 'src'}{os.pathsep}{ROOT}"},
        capture_output=True,
        text=True,
        timeout=seconds,
        check=False,
    )
