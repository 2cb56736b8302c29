"""One run: an empty folder, a fixed environment, a process for each command, what it left."""

import os
import re
import shlex
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec
from pathlib import Path

from scripts.golden_runs.arrays import told
from scripts.golden_runs.inputs import write_inputs
from scripts.golden_runs.normal import normal
from scripts.golden_runs.table import Run

ROOT = Path(__file__).parents[2]
FAIRVEC = (sys.executable, "-m", "fairvec")
FIXED = {
    "COLUMNS": "100",
    "LINES": "50",
    "LANG": "C.UTF-8",
    "LC_ALL": "C.UTF-8",
    "TZ": "UTC",
    "HF_HUB_OFFLINE": "1",
    "OMP_NUM_THREADS": "1",
    "OPENBLAS_NUM_THREADS": "1",
    "MKL_NUM_THREADS": "1",
}
INHERITED = ("PATH", "PYTHONPATH", "LD_LIBRARY_PATH", "SYSTEMROOT", "TMPDIR")
BINARY = (".fairvec", ".safetensors", ".npz", ".bin")
MINUTES = 10


@dataclass(frozen=True)
class Place:
    """Where a run happens: its folder, its home, and the data that is not shipped, if it may."""

    folder: Path
    home: Path
    data: Path | None

    def environment(self) -> dict[str, str]:
        """Return all that a process is told by its environment."""
        inherited = {name: os.environ[name] for name in INHERITED if name in os.environ}
        homes = {"HOME": str(self.home), "FAIRVEC_HOME": str(self.home / "fairvec")}
        data = {"FAIRVEC_DATA": str(self.folder / "data")} if self.data else {}
        return inherited | FIXED | homes | data

    def normal(self, text: str) -> str:
        """Return a text without versions, times and paths."""
        folders = {str(self.folder): "folder", str(self.home): "home", str(ROOT): "checkout"}
        folders |= {str(Path(path).resolve()): name for path, name in folders.items()}
        folders[sys.prefix] = "python"
        if self.data:
            folders |= {str(self.data): "data", str(self.data.resolve()): "data"}
        return normal(text, version(), folders)

    def ask(self, words: list[str]) -> subprocess.CompletedProcess[str]:
        """Run fairvec with these words."""
        return subprocess.run(  # noqa: S603 - the words are those of the table
            [*FAIRVEC, *words],
            cwd=self.folder,
            env=self.environment(),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            encoding="utf-8",
            errors="backslashreplace",
            timeout=60 * MINUTES,
            check=False,
        )


@cache
def version() -> str:
    """Return the version that fairvec prints."""
    printed = subprocess.run([*FAIRVEC, "--version"], capture_output=True, text=True, check=True)  # noqa: S603
    return printed.stdout.split()[-1]


def data_folder() -> Path | None:
    """Return the folder of the data that is not shipped, if it is here."""
    named = os.environ.get("FAIRVEC_DATA")
    folder = Path(named) if named else ROOT.parent / "shared" / "data"
    return folder.resolve() if folder.is_dir() else None


def lacking(run: Run) -> str:
    """Return why a run cannot be made here; nothing if it can."""
    if run.data and data_folder() is None:
        return "data that is not shipped: set FAIRVEC_DATA"
    absent = [name for name in run.packages if find_spec(name) is None]
    return f"packages that are not installed: {', '.join(absent)}" if absent else ""


def outputs(run: Run) -> dict[str, str]:
    """Make a run, and return all that is kept of it, by name."""
    with tempfile.TemporaryDirectory(prefix="golden-") as temporary:
        folder, home = Path(temporary) / "folder", Path(temporary) / "home"
        folder.mkdir()
        home.mkdir()
        place = Place(folder, home, data_folder() if run.data else None)
        if place.data:
            (folder / "data").symlink_to(place.data)
        write_inputs(run.inputs, folder)
        found: dict[str, str] = {}
        for number, command in enumerate(run.commands, 1):
            found |= _transcript(place, number, command)
        for name in run.kept.split():
            if (folder / name).is_file():
                found |= _file(place, name)
        if run.commands:
            found["files.txt"] = _files(folder, run.inputs)
        return found


def _transcript(place: Place, number: int, command: str) -> dict[str, str]:
    """Return what a command showed; lines of JSON apart, so that they are compared as records."""
    ended = place.ask(shlex.split(command))
    name = f"{number:02}-{command.split()[0]}"
    output, records = place.normal(ended.stdout), {}
    if output.startswith("{") and " --json" in command:
        records[f"{name}.jsonl"], output = output, f"(see {name}.jsonl)\n"
    printed = place.normal(ended.stderr)
    text = (
        f"$ fairvec {command}\n{output}-- error stream\n{printed}-- ended with {ended.returncode}\n"
    )
    return {f"{name}.txt": text} | records


def _file(place: Place, name: str) -> dict[str, str]:
    """Return a file as text; of one that is binary, records of what is in it."""
    content = (place.folder / name).read_bytes()
    if name.endswith(BINARY):
        return {f"{name}.arrays.jsonl": place.normal(told(name, content))}
    return {name: place.normal(content.decode("utf-8"))}


def _files(folder: Path, inputs: tuple[str, ...]) -> str:
    """Return all files that are left but the inputs; names that are digests only count."""
    below = (path.relative_to(folder) for path in folder.rglob("*") if path.is_file())
    names = [str(path) for path in below if str(path) not in inputs and path.parts[0] != "data"]
    return "".join(sorted(f"{re.sub(r'[0-9a-f]{32,}', '<digest>', name)}\n" for name in names))
