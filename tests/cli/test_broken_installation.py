"""A package that is gone is a broken installation; a module of fairvec that is gone, a fault."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from fairvec.cli.faults import TRACEBACK
from fairvec.ground.errors import unexpected

WITHOUT = """
import sys
from fairvec import cli

class Absent:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] == "numba":
            raise {kind}("No module named " + name, name=name)

sys.meta_path.insert(0, Absent())
cli.main()
"""


@pytest.mark.parametrize(
    ("kind", "told"),
    [
        (
            "ModuleNotFoundError",
            "the package numba, which is not there (No module named numba); run 'pip install "
            "fairvec', which brings it",
        ),
        ("ImportError", "numba, which cannot be imported (No module named numba); run 'pip inst"),
    ],
    ids=["gone", "broken"],
)
def test_a_package_that_is_gone_is_no_fault_of_fairvec(
    tmp_path: Path, kind: str, told: str
) -> None:
    done = subprocess.run(
        [sys.executable, "-c", WITHOUT.format(kind=kind), "convert", "glove-en-small", "a.vec"],
        capture_output=True,
        text=True,
        cwd=tmp_path,
        env=os.environ | {TRACEBACK: "1"},
        check=False,
    )
    assert done.returncode == 3
    last = done.stderr.splitlines()[-1]
    assert last.startswith("error: the installation is broken: fairvec needs the package numba, ")
    assert told in last
    assert "fault of fairvec" not in last


def test_a_module_of_fairvec_that_is_gone_is_one() -> None:
    assert "fault of fairvec" in unexpected(ModuleNotFoundError("no", name="fairvec.lost"))
    assert "fault of fairvec" in unexpected(ImportError("odd"))
