"""Starting: broken installations and the terminal's size."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from fairvec.cli.startup import TRACEBACK, drop_invalid_terminal_sizes
from fairvec.core.errors import describe_fault
from tests.loops import loop_over

# --- A package that is gone is a broken installation; a module of fairvec that is gone, a fault


WITHOUT = """
import sys

class Absent:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] == "{package}":
            raise {kind}("No module named " + name, name=name)

sys.meta_path.insert(0, Absent())
from fairvec.cli import main
main()
"""


def without(
    package: str, kind: str, *arguments: str, cwd: Path
) -> subprocess.CompletedProcess[str]:
    """Run a command where a package cannot be imported."""
    return subprocess.run(
        [sys.executable, "-c", WITHOUT.format(package=package, kind=kind), *arguments],
        capture_output=True,
        text=True,
        cwd=cwd,
        env=os.environ | {TRACEBACK: ""},
        check=False,
    )


@pytest.mark.parametrize(
    ("kind", "message"),
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
    tmp_path: Path, kind: str, message: str
) -> None:
    done = without("numba", kind, "convert", "glove-en-small", "a.vec", cwd=tmp_path)
    assert done.returncode == 3
    last = done.stderr.splitlines()[-1]
    assert last.startswith("error: the installation is broken: fairvec needs the package numba, ")
    assert message in last
    assert "fault of fairvec" not in last


@pytest.mark.parametrize("kind", ["ModuleNotFoundError", "ImportError"])
@pytest.mark.parametrize("package", ["click", "rich"])
def test_what_tells_it_may_be_gone_itself(tmp_path: Path, package: str, kind: str) -> None:
    done = without(package, kind, "models", "list", cwd=tmp_path)
    assert (done.returncode, done.stdout) == (3, "")
    (line,) = done.stderr.splitlines()
    assert line.startswith(
        f"error: the installation is broken: fairvec needs the package {package}"
    )
    assert "; run 'pip install " in line


def test_a_module_of_fairvec_that_is_gone_is_one() -> None:
    assert "fault of fairvec" in describe_fault(ModuleNotFoundError("no", name="fairvec.lost"))
    assert "fault of fairvec" in describe_fault(ImportError("odd"))


# --- What the environment says of the terminal's size is believed only where it can be true ---


ODD = ("²", "٣٠", "9" * 5000, "9" * 30, "-80", "0", "", "x", "80.5", "10001")


@loop_over("name", ["COLUMNS", "LINES"])
@loop_over("size", ODD)
def test_an_odd_size_is_dropped(name: str, size: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(name, size)
    drop_invalid_terminal_sizes()
    assert name not in os.environ


@pytest.mark.parametrize(
    ("name", "size"), [("COLUMNS", "80"), ("COLUMNS", "10000"), ("LINES", "1")]
)
def test_a_possible_size_stays(name: str, size: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(name, size)
    drop_invalid_terminal_sizes()
    assert os.environ[name] == size


@pytest.mark.parametrize("name", ["COLUMNS", "LINES"])
def test_a_command_answers_whatever_size_the_environment_states(name: str) -> None:
    # In a process of its own: consoles are made once, when they are first needed.
    arguments = [sys.executable, "-m", "fairvec", "suites", "list"]
    plain = subprocess.run(arguments, capture_output=True, check=True)
    odd = subprocess.run(arguments, capture_output=True, env={**os.environ, name: "²"}, check=True)
    assert odd.stdout == plain.stdout
    assert odd.stderr == b""
