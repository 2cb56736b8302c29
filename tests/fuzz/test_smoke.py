"""A short hunt over every target, always the same: it finds nothing."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize(
    ("group", "cases"),
    [
        *(("format", 20), ("archive", 20), ("records", 10), ("kept", 20)),
        *(("list", 20), ("condition", 20), ("settings", 20), ("command", 2), ("web", 4)),
        *(("encoder", 5), ("transform", 20)),
    ],
)
def test_a_short_hunt_finds_nothing(group: str, cases: int, tmp_path: Path) -> None:
    asked = ["--seed", "1", "--cases", str(cases), "--minutes", "9", "--target", group]
    done = subprocess.run(
        [sys.executable, "-m", "fuzz", *asked, "--keep", str(tmp_path)],
        cwd=ROOT,
        env=os.environ | {"PYTHONPATH": str(ROOT / "src")},
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]
    tried = [line.split() for line in done.stdout.splitlines() if line.startswith(group)]
    assert tried
    assert all(int(cells[1].replace(",", "")) >= cases for cells in tried)
