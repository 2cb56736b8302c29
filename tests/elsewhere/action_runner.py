"""A runner that takes the steps of action.yml out of it, and runs them by bash."""

import os
import re
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

import yaml

import fairvec

ROOT = Path(__file__).parents[2]
ACTION: dict[str, Any] = yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))
STEPS: dict[str, dict[str, Any]] = {step["id"]: step for step in ACTION["runs"]["steps"]}


class Ran(NamedTuple):
    """What a step left behind."""

    code: int
    out: str
    err: str
    summary: str
    outputs: dict[str, str]


class Runner:
    """A folder to work in, with the files by which a step answers."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.bin = folder / "bin"
        self.bin.mkdir()
        self.put(
            "../temp/fairvec-venv/bin/fairvec",
            f'exec "{sys.executable}" -c "from fairvec.cli import main; main()" "$@"',
        )

    def put(self, name: str, script: str) -> None:
        """Put a program on the path."""
        (self.bin / name).resolve().parent.mkdir(parents=True, exist_ok=True)
        (self.bin / name).write_text(f"#!/usr/bin/env bash\n{script}\n")
        (self.bin / name).chmod(0o755)

    def run(
        self, step: str, environment: Mapping[str, str] = MappingProxyType({}), /, **inputs: str
    ) -> Ran:
        """Run a step with inputs (- written as _) and the defaults of the others."""
        variables = {name.replace("_", "-"): value for name, value in inputs.items()}
        assert set(variables) <= set(ACTION["inputs"])
        every = {
            name: each.get("default", "") for name, each in ACTION["inputs"].items()
        } | variables
        known = {f"inputs.{name}": value for name, value in every.items()}
        known["github.action_path"] = str(self.folder / "action")
        env = {
            name: re.sub(r"\$\{\{ *([\w.-]+) *\}\}", lambda found: known[found[1]], text)
            for name, text in STEPS[step]["env"].items()
        }
        files = {name: self.folder / name for name in ("summary", "output", "path")}
        for file in files.values():
            file.write_text("")
        done = subprocess.run(
            ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", STEPS[step]["run"]],
            cwd=self.folder,
            capture_output=True,
            text=True,
            check=False,
            env={
                "PATH": f"{self.bin}:{os.environ['PATH']}",
                "PYTHONPATH": str(Path(fairvec.__file__).parents[1]),
                "HOME": str(self.folder),
                "RUNNER_TEMP": str(self.folder / "temp"),
                "GITHUB_STEP_SUMMARY": str(files["summary"]),
                "GITHUB_OUTPUT": str(files["output"]),
                "GITHUB_PATH": str(files["path"]),
                **env,
                **environment,
            },
        )
        lines = files["output"].read_text().splitlines()
        outputs = dict(line.split("=", 1) for line in lines)
        return Ran(done.returncode, done.stdout, done.stderr, files["summary"].read_text(), outputs)
