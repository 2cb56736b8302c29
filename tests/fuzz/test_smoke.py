"""A short hunt through every target, always the same: it finds nothing."""

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from fuzz.targets import GROUPS

ROOT = Path(__file__).parents[2]
CASES = 3
"""Of each target, beside those that are crafted or kept; `make fuzz` takes its time."""


@pytest.fixture(scope="module")
def hunted(tmp_path_factory: pytest.TempPathFactory) -> Any:
    asked = ["--seed", "1", "--cases", str(CASES), "--minutes", "9"]
    return subprocess.run(
        [sys.executable, "-m", "fuzz", *asked, "--keep", str(tmp_path_factory.mktemp("kept"))],
        cwd=ROOT,
        env=os.environ | {"PYTHONPATH": str(ROOT / "src")},
        capture_output=True,
        text=True,
        timeout=900,
        check=False,
    )


def test_a_short_hunt_finds_nothing(hunted: Any) -> None:
    assert hunted.returncode == 0, hunted.stdout[-3000:] + hunted.stderr[-3000:]


@pytest.mark.parametrize("group", sorted(name for names in GROUPS.values() for name in names))
def test_every_target_of_a_group_has_had_its_cases(group: str, hunted: Any) -> None:
    tried = [line.split() for line in hunted.stdout.splitlines() if line.startswith(group)]
    assert tried
    assert all(int(cells[1].replace(",", "")) >= CASES for cells in tried)
