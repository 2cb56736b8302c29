"""What adding costs: a metric, a setting, a format, an encoder, a language ..., each in one place.

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

ENCODER = (
    Insertion(
        "encoders/toy.py",
        "",
        '''"""An encoder of a kind of its own, which counts letters."""

from fairvec.encoders.base import Choices, EncoderKind, Source, TextModel
from fairvec.encoders.function import FunctionModel


def _count(texts: list[str]) -> list[list[float]]:
    return [[len(text), text.count("e"), text.count("a"), 1.0] for text in texts]


class Toy(FunctionModel):
    """What it computes is found by counting."""

    settings = property(lambda self: {"kind": "toy", "toy": self.name})


def _open(source: str, choices: Choices, name: str | None) -> TextModel:
    return Toy(_count, source)


def _claims(source: Source) -> bool:
    return str(source).startswith("toy://")


TOY = EncoderKind("toy", _claims, _open)
''',
    ),
    Insertion(
        "encoders/open.py",
        "from fairvec.encoders.function import FUNCTION\n",
        "from fairvec.encoders.toy import TOY\n",
    ),
    Insertion("encoders/open.py", "    FUNCTION,\n", "    TOY,\n"),
)
USE_ENCODER = """
model = fairvec.as_model("toy://there")
record = fairvec.audit(model, suites="caliskan2017/weat-6")[0]
print(record.metric, record.status, record.model.history[0]["toy"])
"""

BENCHMARK = (
    Insertion(
        "benchmarks/odd_one_out.py",
        "",
        '''"""Which of three words does not belong to the others."""

from dataclasses import dataclass
from typing import Any, ClassVar

from fairvec.benchmarks.base import (
    About,
    BenchmarkKind,
    BenchmarkSet,
    distinct,
    empty_error,
    numbered_lines,
)


@dataclass(frozen=True)
class OddOneOutSet(BenchmarkSet):
    """Rows of three words, the last of which is the odd one."""

    kind: ClassVar[str] = "odd-one-out"
    items: ClassVar[str] = "rows"

    rows: tuple[tuple[str, ...], ...]

    def __len__(self) -> int:
        return len(self.rows)

    @property
    def texts(self) -> tuple[str, ...]:
        """Every word once."""
        return distinct(word for row in self.rows for word in row)


def _read(about: About, text: str, where: str, **_: Any) -> OddOneOutSet:
    rows = tuple(tuple(line.split()) for _, line in numbered_lines(text))
    if not rows:
        raise empty_error(where, "rows")
    return OddOneOutSet(*about, rows)


ODD_ONE_OUT = BenchmarkKind(
    OddOneOutSet.kind,
    title="Odd one out",
    plain="odd words",
    family="similarity",
    shares="mean",
    read=_read,
)
''',
    ),
    Insertion(
        "benchmarks/load.py",
        "from fairvec.benchmarks.reviews import",
        "from fairvec.benchmarks.odd_one_out import ODD_ONE_OUT\n",
    ),
    Insertion("benchmarks/load.py", "RETRIEVAL)\n", "ODD_ONE_OUT, "),
    Insertion(
        "metrics/utility/odd_one_out.py",
        "",
        '''"""Does a model find the word that does not belong to the others?"""

from fairvec.benchmarks import text_vectors
from fairvec.benchmarks.odd_one_out import OddOneOutSet
from fairvec.core.settings import settings
from fairvec.encoders import Representation
from fairvec.metrics.base import OneSample
from fairvec.metrics.utility.base import UtilityScore


@settings
class OddOneOut:
    """Share of the rows whose odd word is nearest to neither of the others."""

    name = "odd-one-out"
    meaning = "1: every odd word is found; 0: none."

    def measure(self, benchmark: OddOneOutSet, model: Representation) -> tuple[UtilityScore, ...]:
        """Return the share."""
        vectors = text_vectors(benchmark.texts, model, benchmark.language)
        right = []
        for row in benchmark.rows:
            a, b, odd = (vectors[word][None] for word in row)
            apart = model.geometry.distances
            right.append([float((apart(a, b) < np.minimum(apart(a, odd), apart(b, odd))).item())])
        samples = OneSample(np.array(right), lambda drawn: drawn[..., 0].mean(axis=-1))
        items = tuple(range(len(right)))
        share = float(samples.rows.mean())
        return (UtilityScore("", share, samples, items, len(items), ()),)
'''.replace(
            "from fairvec.benchmarks import",
            "import numpy as np\n\nfrom fairvec.benchmarks import",
            1,
        ),
    ),
    Insertion(
        "metrics/utility/__init__.py",
        "from fairvec.metrics.utility.sembias import",
        "from fairvec.metrics.utility.odd_one_out import OddOneOut\n",
    ),
    Insertion(
        "metrics/utility/__init__.py",
        '    "sembias": SemBias(),\n',
        '    "odd-one-out": OddOneOut(),\n',
    ),
)
USE_BENCHMARK = """
from pathlib import Path
from fairvec.benchmarks import read_benchmark
from fairvec.experiments.utility import answers
Path("rows.txt").write_text("he she piano\\nking queen chemistry\\n" * 5)
rows = read_benchmark("rows.txt", "odd-one-out", "en")
(answer,) = answers(fairvec.load(MODEL), [rows])
print(answer.outcome.metric, answer.outcome.value, answer.outcome.test.use.title)
"""

PREFERENCE = (
    Insertion(
        "benchmarks/twins.py",
        "",
        '''"""Job advertisements in two versions, for him and for her."""

from dataclasses import dataclass
from typing import Any, ClassVar

from fairvec.benchmarks.base import About, BenchmarkKind, BenchmarkSet, Reads, distinct
from fairvec.benchmarks.tables import table_records


@dataclass(frozen=True)
class TwinSet(BenchmarkSet):
    """Rows of a job and its advertisement for him and for her."""

    kind: ClassVar[str] = "twins"
    items: ClassVar[str] = "jobs"
    reads: ClassVar[Reads] = "sentences"

    rows: tuple[tuple[str, str, str], ...]

    def __len__(self) -> int:
        return len(self.rows)

    @property
    def texts(self) -> tuple[str, ...]:
        """Every text once."""
        return distinct(text for row in self.rows for text in row)


def _read(about: About, text: str, where: str, **_: Any) -> TwinSet:
    rows = table_records(text, where, "jobs", ("job", "him", "her"))
    return TwinSet(*about, tuple((row["job"], row["him"], row["her"]) for row in rows))


TWINS = BenchmarkKind(
    TwinSet.kind,
    title="Advertisements",
    plain="advertisements",
    family="jobs",
    shares="mean",
    read=_read,
    measures_bias=True,
    columns=("job", "him", "her"),
)
''',
    ),
    Insertion(
        "benchmarks/load.py",
        "from fairvec.catalogue import",
        "from fairvec.benchmarks.twins import TWINS\n",
    ),
    Insertion("benchmarks/load.py", "RETRIEVAL)\n", "TWINS, "),
    Insertion(
        "metrics/utility/twins.py",
        "",
        '''"""Is a job nearer to its advertisement for him than to that for her?"""

import numpy as np

from fairvec.benchmarks.twins import TwinSet
from fairvec.core.settings import settings
from fairvec.encoders import Representation
from fairvec.metrics.utility.base import PreferenceScore, TextSimilarities


@settings
class TwinBias:
    """How much nearer jobs are to the advertisement for him."""

    name = "twin-bias"
    meaning = "Positive: jobs are nearer to advertisements for him."

    def measure(self, benchmark: TwinSet, model: Representation) -> tuple[PreferenceScore, ...]:
        """Return the preference of all jobs."""
        alike = TextSimilarities(benchmark, model, None)
        rows = [row for row in benchmark.rows if alike.has(*row)]
        differences = np.array([alike.preference(*row) for row in rows])
        sides = "jobs are for him", "jobs are for her"
        labels = tuple(job for job, *_ in rows)
        count = len(benchmark)
        score = PreferenceScore(
            "", "gender", "jobs", *sides, labels, differences, count, alike.missing
        )
        return (score,)
''',
    ),
    Insertion(
        "metrics/utility/__init__.py",
        "\n\nclass UtilityMetric(",
        "\nfrom fairvec.metrics.utility.twins import TwinBias",
    ),
    Insertion(
        "metrics/utility/__init__.py",
        '    "retrieval": RetrievalBias(),\n',
        '    "twins": TwinBias(),\n',
    ),
)
USE_PREFERENCE = """
from pathlib import Path
jobs = ("cook", "nurse", "smith", "clerk", "coach", "guard", "guide", "judge")
rows = "".join(f"{job},he is a {job},she is a {job}\\n" for job in jobs)
Path("jobs.csv").write_text("job,him,her\\n" + rows)
def read(texts):
    return [[1.0, 9.0 * text.startswith("he"), len(text) / 9 - 1] for text in texts]
for model in (MODEL, read):
    (found,) = fairvec.benchmark(model, "jobs.csv", language="en")
    print(found.metric, found.test.kind, found.coverage[0].found, found.verdict.kind)
"""

MALAYALAM = Path(__file__).parent / "languages" / "folders" / "ml"
LANGUAGE = tuple(
    Insertion(f"languages/ml/{file.relative_to(MALAYALAM)}", "", file.read_text(encoding="utf-8"))
    for file in sorted(MALAYALAM.rglob("*"))
    if file.suffix in (".toml", ".py")
)
USE_LANGUAGE = """
import numpy as np
from fairvec.lexicon import lint_suite, shipped_suites
(suite,) = (each for each in shipped_suites() if each.language == "ml")
words = [word.word for each in suite.sets.values() for word in each.words]
vectors = np.random.default_rng(0).normal(size=(len(words), 6))
record = fairvec.audit(dict(zip(words, vectors)))[0]
print(record.test.id, record.test.language, record.status, len(lint_suite(suite)))
"""

TABLE = (
    Insertion(
        "papers/data/kumar2020.toml",
        '[[tables]]\nid = "figure-1"\n',
        """[[tables]]
id = "table-9"
title = "One test more"
metric = "weat"
suite = "kumar2020"
shows = ["d", "p"]

[tables.columns]
"B1: Career vs Family" = { test = "b1" }

[tables.rows]
E-Glove = { role = "e-glove", similarity = "cosine", cells = ["0.1 0.5"] }

""",
    ),
)
USE_TABLE = """
from fairvec.papers import load_paper, reproduce
paper = load_paper("kumar2020")
tables = tuple(table for table in paper.tables if table.id == "table-9")
found = reproduce(paper.model_copy(update={"tables": tables}), stand_ins={"e-glove": [MODEL]})
for line in found.lines:
    print(line.cell.row, [answer.grade for answer in line.answers])
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
        path.parent.mkdir(exist_ok=True)
        content = path.read_text(encoding="utf-8") if path.exists() else ""
        assert before in content
        path.unlink(missing_ok=True)
        new = content.replace(before, text + before, 1) if before else text
        path.write_text(new, encoding="utf-8")
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
        (ENCODER, USE_ENCODER, "seat measured toy://there\n"),
        (BENCHMARK, USE_BENCHMARK, "odd-one-out 1.0 Odd one out\n"),
        (
            PREFERENCE,
            USE_PREFERENCE,
            "twin-bias bias 8 no-evidence\ntwin-bias bias 8 biased\n",
        ),
        (LANGUAGE, USE_LANGUAGE, "ml-toy/flowers ml measured 0\n"),
        (TABLE, USE_TABLE, "E-Glove ['different model', 'different model']\n"),
    ],
    ids=[
        *("a metric", "a method", "a setting", "a format"),
        *("an encoder", "a kind of benchmark", "a kind that measures a bias"),
        *("a language", "a paper's table"),
    ],
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
