"""What adding costs: a metric, a method, a setting and a format, each a change in one place.

Each change is made in a copy of fairvec and used there.
"""

import os
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import pytest

import fairvec

SOURCE = Path(fairvec.__file__).parent


class Insertion(NamedTuple):
    """Text that is put before a line of a file, or makes a new file where the line is empty."""

    file: str
    before: str
    text: str


METRIC = (
    Insertion(
        "metrics/bias/list_means.py",
        "@settings\nclass Rnd(",
        '''@settings
class Farther(Metric):
    """Which share of the words is farther from the middle of A than from that of B?"""

    name = "farther"
    neutral = 0.5
    meaning = "Above 0.5: most words are nearer to B; below: to A."
    traits = Traits(sees="words to A", shown="below")

    strict: bool = False

    def measure(self, groups: Groups, geometry: Geometry) -> Score:
        """Return the share."""
        words = target_words(groups)
        points, centres = list_means(words.vectors, groups, geometry, unit_vectors=True)
        to_a, to_b = geometry.distances(points, centres).T
        farther = to_a > to_b if self.strict else to_a >= to_b
        return Score(float(farther.mean()), words.shares(to_a - to_b))


''',
    ),
    Insertion("metrics/bias/__init__.py", "    list_means.Rnd(),\n", "    list_means.Farther(),\n"),
)
USE_METRIC = """
from fairvec.metrics import metric
found = fairvec.audit(MODEL, suites="caliskan2017/weat-6", metrics=metric("farther", strict=True))
record = found[0]
print(record.metric, 0 <= record.value <= 1, record.described.settings)
"""

METHOD = (
    Insertion(
        "mitigation/methods/projection.py",
        "@settings\nclass LPSG(",
        '''@settings
class HalfProjection(LinearProjection):
    """Take half of the direction of a concept out of words."""

    name = "half-projection"

    strength: Strength = 0.5


''',
    ),
    Insertion(
        "mitigation/registry.py", "    projection.LPSG,\n", "    projection.HalfProjection,\n"
    ),
)
USE_METHOD = """
done = fairvec.debias(MODEL, "en/gender", "half-projection", suites="caliskan2017/weat-6")
print(done.transform.method, done.transform.settings["strength"])
"""

SETTING = (
    Insertion(
        "mitigation/methods/conceptor.py",
        "    aperture: Annotated[\n",
        '    extra: Annotated[float, Field(ge=0, le=1, description="A share.")] = 0.25\n',
    ),
)
USE_SETTING = """
from fairvec.core.settings import setting_fields
from fairvec.mitigation import debiaser
method = debiaser("conceptor", extra=0.75)
done = fairvec.debias(MODEL, "en/gender", method, suites="caliskan2017/weat-6")
print(done.transform.settings["extra"])
(declared,) = (each for each in setting_fields(type(method)) if each.name == "extra")
print(declared.default, declared.limits, declared.help)
try:
    debiaser("conceptor", extra=10)
except fairvec.FairvecError as error:
    print(error)
"""

FORMAT = (
    Insertion(
        "embedding/formats/semicolons.py",
        "",
        '''"""Words and numbers with semicolons between them."""

from pathlib import Path

import numpy as np

from fairvec.embedding.formats.base import FileContent, Format, ReadOptions


class Semicolons(Format):
    """A word and its numbers a line, with semicolons between them."""

    name = "semicolons"
    suffixes = (".semi",)

    def recognises(self, path: Path, head: bytes) -> bool:
        """Say whether the first line has semicolons."""
        return b";" in head.partition(b"\\n")[0]

    def read(self, path: Path, options: ReadOptions) -> FileContent:
        """Read all lines."""
        rows = [line.split(";") for line in path.read_text().splitlines()]
        vectors = np.array([row[1:] for row in rows], np.float64)
        return FileContent([row[0] for row in rows], vectors, len(rows))
''',
    ),
    Insertion(
        "embedding/formats/__init__.py",
        "from fairvec.embedding.formats.text import",
        "from fairvec.embedding.formats.semicolons import Semicolons\n",
    ),
    Insertion("embedding/formats/__init__.py", "    GLOVE_TEXT,\n)", "    Semicolons(),\n"),
)
USE_FORMAT = """
from pathlib import Path
Path("words.semi").write_text("".join(f"w{row};{row};1.5;-2\\n" for row in range(9)))
model = fairvec.load("words.semi")
print(len(model), model["w3"].tolist(), model.history[0].details["format"])
"""


def with_changes(folder: Path, changes: tuple[Insertion, ...]) -> Path:
    """Return a folder with a copy of fairvec, of links but for what is changed."""
    package = folder / "changed" / "fairvec"
    for home, names, files in os.walk(SOURCE):
        names[:] = [name for name in names if name != "__pycache__"]
        here = package / Path(home).relative_to(SOURCE)
        here.mkdir(parents=True)
        for name in files:
            (here / name).symlink_to(Path(home) / name)
    for file, before, text in changes:
        path = package / file
        content = path.read_text(encoding="utf-8") if path.exists() else ""
        assert before in content
        path.unlink(missing_ok=True)
        path.write_text(content.replace(before, text + before, 1) if before else text)
    return package.parent


@pytest.mark.parametrize(
    ("changes", "program", "shown"),
    [
        (METRIC, USE_METRIC, "farther True {'strict': True}\n"),
        (METHOD, USE_METHOD, "half-projection 0.5\n"),
        (
            SETTING,
            USE_SETTING,
            "0.75\n0.25 lie between 0 and 1 A share.\n"
            "conceptor: extra is 10; it must lie between 0 and 1.\n",
        ),
        (FORMAT, USE_FORMAT, "9 [3.0, 1.5, -2.0] semicolons\n"),
    ],
    ids=["a metric", "a method", "a setting", "a format"],
)
def test_it_is_added_in_one_place(
    changes: tuple[Insertion, ...], program: str, shown: str, tmp_path: Path
) -> None:
    home = with_changes(tmp_path, changes)
    environment = os.environ | {"PYTHONPATH": str(home), "XDG_CACHE_HOME": str(tmp_path)}
    done = subprocess.run(
        [sys.executable, "-c", f"import fairvec\nMODEL = 'glove-en-small'\n{program}"],
        cwd=tmp_path,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.stdout, done.returncode) == (shown, 0), done.stderr
