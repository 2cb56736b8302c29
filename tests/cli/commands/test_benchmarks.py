"""fairvec benchmarks lists the published sets, and fairvec benchmark measures a model by them."""

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
from tests.loops import loop_over

# --- benchmarks ---


@pytest.fixture
def nothing_here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FAIRVEC_HOME", str(tmp_path))
    monkeypatch.delenv("FAIRVEC_DATA", raising=False)


@pytest.mark.usefixtures("nothing_here")
def test_list_names_every_benchmark_and_what_is_here(
    shell: Shell, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FAIRVEC_DATA", str(tmp_path))
    file = tmp_path / catalogue.dataset("mc30").file
    file.parent.mkdir()
    file.touch()
    rows = [line.split() for line in shell("benchmarks", "list").out.splitlines()[1:]]
    assert [row[0] for row in rows] == [known.name for known in catalogue.datasets()]
    assert [row[0] for row in rows if row[4] == "yes"] == ["mc30"]


@pytest.mark.usefixtures("nothing_here")
def test_list_can_be_narrowed_to_a_language(shell: Shell) -> None:
    answer = shell("benchmarks", "list", "--language", "hi")
    assert "hindi-ws" in answer.out
    assert "simlex999" not in answer.out


@pytest.mark.usefixtures("nothing_here")
def test_path_of_what_is_not_here_says_how_to_get_it(shell: Shell) -> None:
    answer = shell("benchmarks", "path", "ws353")
    assert answer.code == 2
    assert "fairvec benchmarks get ws353" in answer.err


@pytest.mark.usefixtures("nothing_here")
def test_what_is_here_need_not_be_fetched(
    shell: Shell, shared_data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FAIRVEC_DATA", str(shared_data))
    answer = shell("benchmarks", "get", "sembias")
    assert answer.out.strip() == str(shared_data / "sembias" / "SemBias.tsv")
    assert "Apache-2.0" in answer.err
    assert shell("benchmarks", "path", "sembias").out == answer.out


@pytest.mark.usefixtures("nothing_here")
def test_show_tells_origin_and_checksum(shell: Shell) -> None:
    answer = shell("benchmarks", "show", "rw")
    assert "origin: Luong" in answer.out
    assert f"sha256: {catalogue.dataset('rw').sha256}" in answer.out
    assert "source: https://" in answer.out
    assert "{" not in answer.out


@pytest.mark.usefixtures("nothing_here")
@loop_over("name", [known.name for known in catalogue.datasets()])
def test_every_one_can_be_shown_and_only_what_is_published_is_to_be_fetched(
    name: str, shell: Shell
) -> None:
    known = catalogue.dataset(name)
    output, path = shell("benchmarks", "show", name), shell("benchmarks", "path", name)
    assert (output.code, path.code) == (0, 2)
    if known.source:
        assert f"source: {known.source.url}\n" in output.out
        assert f"fairvec benchmarks get {name}" in path.err
    else:
        assert "source: no address of its own; FAIRVEC_DATA" in output.out
        assert f"file: {known.file}\n" in output.out
        assert "benchmarks get" not in path.err
        assert known.file in path.err.replace("\n", " ")


# --- benchmark ---


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
    dataset = benchmark("mc30")
    assert isinstance(dataset, SimilaritySet)
    (found,) = WordSimilarity(NEGATIVE_DISTANCE).measure(dataset, load(FLAT))
    answer = shell("benchmarks", "ask", FLAT, "mc30", "--similarity", "negative-distance")
    row = answer.out.splitlines()[1].split()
    assert row[:2] == ["mc30", f"{found.value:.3f}"]
    assert f"{len(found.items)} of 30" in answer.out
    assert row[-1] == "negative-distance"


@pytest.mark.usefixtures("data")
def test_analogies_by_the_method_and_words_of_choice(shell: Shell, family: Path) -> None:
    dataset = benchmark("google-analogies")
    assert isinstance(dataset, AnalogySet)
    *_, all_of_them = Analogies("3cosmul", restrict=8).measure(dataset, load(family))
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
    assert (
        f"{' '.join(setting).removeprefix('--')} fits no way in which {name} would be asked"
        in answer.err
    )


@pytest.mark.usefixtures("mc30_alone")
def test_benchmarks_here_are_measured_and_others_are_named(shell: Shell, tmp_path: Path) -> None:
    answer = shell("benchmarks", "ask", FLAT, "-o", tmp_path / "run")
    assert [line.split()[0] for line in answer.out.splitlines()[1:]] == ["mc30"]
    assert "Not here: " in answer.err
    assert "simlex999" in answer.err
    assert "fairvec benchmarks get NAME" in answer.err
    assert "hindi-ws" not in answer.err
    (result,) = read_results(tmp_path / "run")
    assert result.test.id == "mc30"
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
def test_no_question_is_no_success(shell: Shell, family: Path) -> None:
    answer = shell("benchmarks", "ask", family, "mc30")
    assert answer.code == 2
    assert "skipped" in answer.out
    assert "Skipped: " in answer.err


@pytest.mark.usefixtures("data")
@pytest.mark.parametrize("known", range(0, 31, 3))
def test_the_shell_skips_what_python_skips(shell: Shell, known: int, tmp_path: Path) -> None:
    dataset = benchmark("mc30")
    assert isinstance(dataset, SimilaritySet)
    words = dict.fromkeys(word for pair in dataset.pairs[:known] for word in (pair.one, pair.other))
    rows = np.random.default_rng(known).normal(size=(len(words), 3))
    lines = [" ".join([word, *map(str, row)]) for word, row in zip(words, rows, strict=True)]
    path = tmp_path / "some.vec"
    path.write_text("\n".join([f"{len(words) + 1} 3", "the 1 2 3", *lines]), encoding="utf-8")
    (outcome,) = utility(load(path), [dataset])
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
    assert f"error: t 0.9 fits no way in which {name} would be asked; leave it out" in answer.err
