"""`make bench` measures what it can and says why it leaves out the rest."""

import os
import subprocess
import sys
from pathlib import Path

import pytest


@pytest.mark.parametrize("folder", ["empty", "absent"])
def test_questions_that_are_not_here_are_skipped_with_a_reason(tmp_path: Path, folder: str) -> None:
    (tmp_path / "empty").mkdir()
    answer = subprocess.run(
        [sys.executable, "-m", "benchmarks.analogies"],
        env=os.environ
        | {"FAIRVEC_DATA": str(tmp_path / folder), "FAIRVEC_HOME": str(tmp_path / "home")},
        cwd=Path(__file__).parents[1],
        capture_output=True,
        text=True,
        check=False,
    )
    assert answer.returncode == 0
    assert answer.stdout.startswith("skipped: ")
    assert "FAIRVEC_DATA" in answer.stdout
