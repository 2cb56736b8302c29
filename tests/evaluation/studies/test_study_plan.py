from pathlib import Path

import pytest

from fairvec.core.errors import FairvecError
from fairvec.experiments.study.plan import parse_study, read_study, study_scaffold
from fairvec.experiments.study.study import WORDS_PER_SECOND
from fairvec.training.gensim_training import GensimModel
from fairvec.training.models import Glove, PoincareGlove
from fairvec.training.train import KINDS, get_model
from tests.evaluation.studies.toy import PLAN, write_study_files


def test_a_plan_is_read_with_all_it_names(tmp_path: Path) -> None:
    checked = read_study(write_study_files(tmp_path))
    assert checked.plan.cells == 2 * 1 * 2 * 1 * 2
    assert [file.name for file in checked.files["kind"]] == ["kind.txt"]
    assert [each.test.id for each in checked.tests] == ["toy/one"]


def test_models_have_the_settings_of_their_tables() -> None:
    plan = parse_study(
        PLAN + "[models.cbow]\n[models.longer]\nkind = 'poincare-glove'\nepochs = 9\nballs = 2\n",
        "plan",
    )
    assert plan.kind("glove", 7) == Glove(dimensions=7, epochs=3)
    assert plan.kind("cbow", 5) == GensimModel("cbow", dimensions=5)
    assert plan.kind("longer", 4) == PoincareGlove(dimensions=4, epochs=9, balls=2)


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_that_can_be_trained_can_be_studied(kind: str) -> None:
    plan = parse_study(PLAN + f"[models.another]\nkind = '{kind}'\n", "plan")
    assert plan.kind("another", 4) == get_model(kind, dimensions=4)
    assert WORDS_PER_SECOND[kind] > 0


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("windows", "window", "did you mean windows"),
        ("seeds = [1, 2]", "seeds = [1]", "seeds must hold two or more"),
        ("seeds = [1, 2]", "seeds = [1, 1]", "holds a number twice"),
        ("windows = [2, 4]", "windows = [true, 4]", "windows"),
        ("windows = [2, 4]", "windows = [0, 4]", "windows"),
        ("windows = [2, 4]", "windows = []", "windows must not be empty"),
        ('kind = ["kind.txt"]', "kind = []", "corpora.kind"),
        ('kind = ["kind.txt"]', 'kind = [""]', "corpora.kind"),
        ('kind = ["kind.txt"]', 'kind = ["**x/[.txt"]', "no such file|no file matches"),
        ('kind = ["kind.txt"]', 'kind = ["absent.txt"]', "absent.txt: there is no such file"),
        ("[models.glove]", "[models.golve]", "did you mean glove"),
        ("epochs = 3", "epoch = 3", "did you mean epochs"),
        ("epochs = 3", "epochs = 0", "epochs is 0"),
        ("epochs = 3", "dimensions = 3", "no setting of models.glove named 'dimensions'"),
        ('suites = ["toy.toml"]', 'suites = ["pestovа"]', "no suite"),
        ('suites = ["toy.toml"]', 'suites = ["pestova"]', "is in ru and the corpora are in en"),
        ('suites = ["toy.toml"]', 'suites = ["toy.toml"]\nmetrics = ["waet"]', "did you mean weat"),
        ('suites = ["toy.toml"]', 'suites = ["toy.toml"]\nmetrics = ["ceat"]', "ceat reads words"),
        ("min_count = 2", 'min_count = 2\nwords = "lemmas"', "lemmas of ru alone"),
        ("min_count = 2", 'min_count = 2\nconvention = "calsikan"', "did you mean caliskan"),
        ('language = "en"', 'language = "en', "this is not TOML"),
    ],
    ids=[
        "unknown key", "one seed", "a seed twice", "a truth", "no words near", "no window",
        "no file", "a file without a name", "an odd pattern", "absent file",
        "unknown kind", "unknown setting", "no epoch",
        "from the grid", "unknown suite", "other language", "unknown metric", "reads contexts",
        "lemmas of English", "unknown convention", "not TOML",
    ],
)  # fmt: skip
def test_a_slip_is_refused_before_anything_is_trained(
    old: str, new: str, said: str, tmp_path: Path
) -> None:
    assert old in PLAN
    with pytest.raises(FairvecError, match=said):
        read_study(write_study_files(tmp_path, PLAN.replace(old, new, 1)))
    assert {file.suffix for file in tmp_path.iterdir()} == {".toml", ".txt"}


@pytest.mark.parametrize(
    ("more", "equal"),
    [
        ("[models.again]\nkind = 'glove'\nepochs = 3\n", True),
        ("[models.again]\nkind = 'glove'\nepochs = 3\nx_max = 100\n", True),
        ("[models.again]\nkind = 'glove'\nepochs = 4\n", False),
        ("[models.poincare-glove]\nepochs = 3\n", False),
    ],
    ids=["the same", "a default said", "other settings", "another kind"],
)
def test_two_models_that_are_one_are_refused(more: str, equal: bool, tmp_path: Path) -> None:
    path = write_study_files(tmp_path, PLAN + more)
    if equal:
        with pytest.raises(FairvecError, match=r"models glove and again are of one kind"):
            read_study(path)
    else:
        assert len(read_study(path).plan.models) == 2


def test_a_grid_without_variety_is_refused() -> None:
    plain = PLAN.replace("[2, 4]", "[2]").replace('plain = ["plain.txt"]\n', "")
    with pytest.raises(FairvecError, match="nothing varies"):
        parse_study(plain, "plan")


def test_files_are_found_in_the_folder_of_data(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = write_study_files(tmp_path)
    data = tmp_path / "data"
    data.mkdir()
    (tmp_path / "kind.txt").rename(data / "kind.txt")
    with pytest.raises(FairvecError, match="no such file"):
        read_study(path)
    monkeypatch.setenv("FAIRVEC_DATA", str(data))
    files = read_study(path).files
    assert files == {"kind": (data / "kind.txt",), "plain": (tmp_path / "plain.txt",)}


@pytest.mark.parametrize("language", ["en", "hi", "ru", "fr"])
def test_a_draft_is_a_plan(language: str) -> None:
    assert parse_study(study_scaffold(language), "draft").cells == 2 * 2 * 2 * 3
