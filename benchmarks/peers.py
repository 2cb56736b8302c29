"""The environment in which the peers live, apart from ours."""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
PYTHON = ROOT / ".venv-peers" / "bin" / "python"
PINS = Path(__file__).parent / "peers.txt"


def python() -> Path:
    """Return the peers' interpreter, installing them on first use."""
    if not PYTHON.exists():
        print("installing the peers into .venv-peers ...", flush=True)
        subprocess.run([sys.executable, "-m", "venv", PYTHON.parents[1]], check=True)
    pip = [str(PYTHON), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    subprocess.run([*pip, "-r", str(PINS)], check=True)
    return PYTHON
