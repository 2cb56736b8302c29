"""Build wheel and sdist, and try each in a bare environment with the oldest and newest packages.

python -m scripts.try_installs [--python python3.12] [--only wheel|sdist] [--with oldest|newest]

The oldest versions have no packages for Python 3.13 and newer: try those with --with newest.
"""

import argparse
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).parents[1]
CONSTRAINTS = {"oldest": "constraints-oldest.txt", "newest": "constraints.txt"}

# What a user does first, in all corners of the core: read, write, debias, classify, report.
SMOKE = """
import fairvec
from fairvec.experiments.debiasing.debias import debias_model
from fairvec.lexicon import concept
from fairvec.mitigation import debiaser

model = fairvec.load("glove-en-small")
fairvec.save(model, "copy.vec")
copy = fairvec.load("copy.vec")
assert len(copy) == len(model)
(one,) = fairvec.audit(model, suites="caliskan2017/weat-6", categories=False)
(same,) = fairvec.audit(copy, suites="caliskan2017/weat-6", categories=False)
assert abs(one.effect - 1.718) < 0.001 and one.p.value == same.p.value == 2 / 12870
ball = fairvec.load("poincare-glove-en-small")
for start, method in ((model, "inlp"), (model, "hard"), (ball, "pgd")):
    done = debias_model(start, concept("en/gender"), debiaser(method), suites="chaloner2019/b1")
fairvec.write_results(done.outcomes, "run")
fairvec.write_report(fairvec.read_results("run"), "run/report.html")
"""


def run(*command: str | Path, cwd: Path, home: Path) -> str:
    """Run a command away from the checkout, and stop with what it said if it fails."""
    clean = {key: value for key, value in os.environ.items() if not key.startswith("PYTHON")}
    ended = subprocess.run(  # noqa: S603 - the commands are those below
        [str(part) for part in command],
        cwd=cwd,
        env=clean | {"FAIRVEC_HOME": str(home)},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    if ended.returncode:
        sys.exit(f"{' '.join(map(str, command))}\n{ended.stdout}\nended with {ended.returncode}")
    return ended.stdout


def built(python: str, folder: Path) -> dict[str, Path]:
    """Build both kinds of package with the build backend alone, and return where they lie."""
    run(python, "-m", "venv", "build", cwd=folder, home=folder)
    pip = folder / "build/bin/pip"
    run(pip, "install", "-q", "--disable-pip-version-check", "hatchling", cwd=folder, home=folder)
    run(folder / "build/bin/hatchling", "build", "-d", folder / "dist", cwd=ROOT, home=folder)
    (wheel,), (sdist,) = folder.glob("dist/*.whl"), folder.glob("dist/*.tar.gz")
    return {"wheel": wheel, "sdist": sdist}


def tried(package: Path, constraints: str, python: str, folder: Path) -> str:
    """Install a package in an environment of its own, use it, and return what it weighs."""
    folder.mkdir()
    begun = time.monotonic()
    run(python, "-m", "venv", "venv", cwd=folder, home=folder)
    bin_ = folder / "venv/bin"
    command = ("install", "-q", "--disable-pip-version-check", "-c", ROOT / constraints, package)
    run(bin_ / "pip", *command, cwd=folder, home=folder)
    took = time.monotonic() - begun
    run(bin_ / "pip", "check", cwd=folder, home=folder)
    run(bin_ / "fairvec", "audit", "glove-en-small", "-o", "audit", cwd=folder, home=folder)
    if not (folder / "audit/report.html").exists():
        sys.exit("fairvec audit wrote no report")
    run(
        bin_ / "python",
        "-W",
        "error::DeprecationWarning:fairvec",
        "-c",
        SMOKE,
        cwd=folder,
        home=folder,
    )
    size = sum(file.lstat().st_size for file in (folder / "venv").rglob("*") if file.is_file())
    return f"works; installed in {took:.0f} s, {size / 1e6:.0f} MB"


def main() -> None:
    """Try every package with every set of versions, and print one line each."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--python", default=sys.executable)
    options.add_argument("--only", choices=("wheel", "sdist"))
    options.add_argument("--with", dest="age", choices=tuple(CONSTRAINTS))
    arguments = options.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        for kind, package in built(arguments.python, folder).items():
            for age, constraints in CONSTRAINTS.items():
                if arguments.only in (None, kind) and arguments.age in (None, age):
                    print(
                        f"{kind}, {package.stat().st_size / 1e6:.1f} MB, {age}: ",
                        end="",
                        flush=True,
                    )
                    print(
                        tried(package, constraints, arguments.python, folder / f"{kind}-{age}"),
                        flush=True,
                    )


if __name__ == "__main__":
    main()
