import json
from pathlib import Path

import numpy as np
import pytest

from fairvec import catalogue
from fairvec.benchmarks import AnalogySet, SimilaritySet, benchmark
from fairvec.embedding import load
from fairvec.experiments.utility import utility
from fairvec.geometry import NEGATIVE_DISTANCE
from fairvec.metrics.utility import Analogies, WordSimilarity
from fairvec.results import read_results
from tests.cli.conftest import Shell

FLAT, BALL = "glove-en-twin-small", "poincare-glove-en-small"


@pytest.fixture
def data(shared_data: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    monkeypatch.setenv("FAIRVEC_DATA", str(shared_data))
    monkeypatch.setenv("FAIRVEC_HOME", str(tmp_path / "home"))
    return shared_data


@pytest.fixture
def mc30_alone(data: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A machine on which one benchmark lies."""
    file = tmp_path / "data" / catalogue.dataset("mc30").file
    file.parent.mkdir(parents=True)
    file.write_bytes((data / catalogue.dataset("mc30").file).read_bytes())
    monkeypatch.setenv("FAIRVEC_DATA", str(tmp_path / "data"))


@pytest.fixture
def family(tmp_path: Path) -> Path:
    """A model that knows the words of a few analogy questions."""
    pairs = ("boy girl", "brother sister", "king queen", "man woman", "he she", "uncle aunt")
    words = [word for pair in pairs for word in pair.split()]
    vectors = np.random.default_rng(1).normal(size=(len(words), 3))
    vectors[1::2] = vectors[::2] + np.array([3, 0, 0])
    lines = [" ".join([word, *map(str, row)]) for word, row in zip(words, vectors, strict=True)]
    path = tmp_path / "family.vec"
    path.write_text("\n".join([f"{len(words)} 3", *lines]), encoding="utf-8")
    return path


@pytest.mark.usefixtures("data")
def test_a_figure_is_that_of_the_metric(shell: Shell) -> None:
    asked = benchmark("mc30")
    assert isinstance(asked, SimilaritySet)
    (found,) = WordSimilarity(NEGATIVE_DISTANCE).measure(asked, load(FLAT))
    answer = shell("benchmarks", "ask", FLAT, "mc30", "--similarity", "negative-distance")
    row = answer.out.splitlines()[1].split()
    assert row[:2] == ["mc30", f"{found.value:.3f}"]
    assert f"{len(found.items)} of 30" in answer.out
    assert row[-1] == "negative-distance"


@pytest.mark.usefixtures("data")
def test_analogies_by_the_method_and_words_of_choice(shell: Shell, family: Path) -> None:
    asked = benchmark("google-analogies")
    assert isinstance(asked, AnalogySet)
    *_, all_of_them = Analogies("3cosmul", restrict=8).measure(asked, load(family))
    by = ("--method", "3cosmul", "--restrict", 8, "--min-coverage", 0)
    answer = shell("benchmarks", "ask", family, "google-analogies", *by, "--json")
    record = json.loads(answer.out.splitlines()[-1])
    assert record["value"] == all_of_them.value > 0
    assert record["coverage"][0]["found"] == len(all_of_them.items)
    assert "3cosmul" in record["meaning"]


@pytest.mark.usefixtures("data")
def test_settings_reach_every_benchmark_that_takes_them(shell: Shell) -> None:
    by = ("--definition", "gyro-translation", "--t", "0.4", "--similarity", "cosine")
    answer = shell("benchmarks", "ask", BALL, "sembias", "mc30", *by)
    rows = [line.split() for line in answer.out.splitlines()[1:]]
    figures = {row[0]: row[1] for row in rows}
    kinds = ("sembias/definition", "sembias/stereotype", "sembias/none")
    assert sum(float(figures[kind]) for kind in kinds) == pytest.approx(1, abs=0.002)
    assert "gyro-translation, t = 0.4, cosine" in answer.out
    assert "offset-angle" not in answer.out
    assert rows[-1][0] == "mc30"
    assert rows[-1][-1] == "cosine"


@pytest.mark.usefixtures("data")
@pytest.mark.parametrize(
    ("name", "setting"),
    [
        ("mc30", ("--method", "3cosmul")),
        ("mc30", ("--definition", "offset-angle")),
        ("mc30", ("--t", "0.5")),
        ("sembias", ("--restrict", "100")),
        ("sembias", ("--similarity", "cosine")),  # offsets in flat space have no similarity
    ],
)
def test_a_setting_that_fits_nothing_is_refused(
    shell: Shell, name: str, setting: tuple[str, str]
) -> None:
    answer = shell("benchmarks", "ask", FLAT, name, *setting)
    assert answer.code == 2
    assert answer.out == ""
    assert f"{' '.join(setting)} fits no way in which {name} would be asked" in answer.err


@pytest.mark.usefixtures("mc30_alone")
def test_what_is_here_is_asked_and_what_is_not_is_named(shell: Shell, tmp_path: Path) -> None:
    answer = shell("benchmarks", "ask", FLAT, "-o", tmp_path / "run")
    assert [line.split()[0] for line in answer.out.splitlines()[1:]] == ["mc30"]
    assert "Not here: " in answer.err
    assert "simlex999" in answer.err
    assert "fairvec benchmarks get NAME" in answer.err
    assert "hindi-ws" not in answer.err
    (kept,) = read_results(tmp_path / "run")
    assert kept.test.id == "mc30"
    page = (tmp_path / "run" / "report.html").read_text(encoding="utf-8")
    assert catalogue.dataset("mc30").title in page
    assert f'<th scope="row">{FLAT}</th>' in page


def test_where_nothing_is_here_it_says_how_to_get_it(
    shell: Shell, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FAIRVEC_HOME", str(tmp_path))
    answer = shell("benchmarks", "ask", FLAT)
    assert answer.code == 2
    assert "fairvec benchmarks get NAME" in answer.err


@pytest.mark.usefixtures("data")
def test_a_model_of_no_known_language_needs_names(shell: Shell, family: Path) -> None:
    answer = shell("benchmarks", "ask", family)
    assert answer.code == 2
    assert "name the benchmarks" in answer.err


@pytest.mark.usefixtures("data")
def test_nothing_asked_is_no_success(shell: Shell, family: Path) -> None:
    answer = shell("benchmarks", "ask", family, "mc30")
    assert answer.code == 2
    assert "skipped" in answer.out
    assert "Skipped: " in answer.err


@pytest.mark.usefixtures("data")
@pytest.mark.parametrize("known", range(0, 31, 3))
def test_the_shell_skips_what_python_skips(shell: Shell, known: int, tmp_path: Path) -> None:
    asked = benchmark("mc30")
    assert isinstance(asked, SimilaritySet)
    words = dict.fromkeys(word for pair in asked.pairs[:known] for word in (pair.one, pair.other))
    rows = np.random.default_rng(known).normal(size=(len(words), 3))
    lines = [" ".join([word, *map(str, row)]) for word, row in zip(words, rows, strict=True)]
    path = tmp_path / "some.vec"
    path.write_text("\n".join([f"{len(words) + 1} 3", "the 1 2 3", *lines]), encoding="utf-8")
    (outcome,) = utility(load(path), [asked])
    answer = shell("benchmarks", "ask", path, "mc30", "--json")
    assert json.loads(answer.out) == json.loads(outcome.model_dump_json())


@pytest.mark.usefixtures("data")
@pytest.mark.parametrize(
    ("name", "way"),
    [
        ("google-analogies", ("--method", "gyro-translation")),
        ("sembias", ("--definition", "gyro-translation")),
    ],
)
def test_a_turn_is_refused_in_flat_space_as_analogy_refuses_it(
    shell: Shell, family: Path, name: str, way: tuple[str, str]
) -> None:
    answer = shell("benchmarks", "ask", family, name, *way, "--t", 0.9)
    assert (answer.code, answer.out) == (2, "")
    assert f"--t 0.9 fits no way in which {name} would be asked; leave it out" in answer.err
