"""Planning and running a study."""

import pickle
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

import pytest

from fairvec.core.errors import FairvecError, SettingError, TrainingError
from fairvec.core.settings import LARGEST_SEED
from fairvec.embedding import load
from fairvec.experiments.study import cells as cells_module
from fairvec.experiments.study.cells import CellTask, run_cell
from fairvec.experiments.study.plan import parse_study, read_study, study_scaffold
from fairvec.experiments.study.study import (
    WORDS_PER_SECOND,
    Study,
    prepare_cells,
    rough_seconds,
    study,
)
from fairvec.experiments.study.texts import prepare_text, shared_words, vocabulary
from fairvec.results.study import (
    CellRecord,
    FailedCell,
    IncompleteAnswer,
    StudyAnswer,
    StudyCell,
    read_study_lines,
    write_study,
)
from fairvec.training.encode import VocabularyLimits, encode_files
from fairvec.training.gensim_training import GensimModel
from fairvec.training.models import Glove, PoincareGlove
from fairvec.training.train import KINDS, TrainingText, get_model
from tests.experiments.study.toys import PLAN, SUITE, X, write_study_files
from tests.loops import loop_over

# --- running ---


class Counted:
    """A mapping that counts its tasks, and breaks off after some."""

    def __init__(self, at_most: int = 100) -> None:
        self.at_most, self.done = at_most, 0

    def __call__(
        self, function: Callable[[CellTask], CellRecord], tasks: Sequence[CellTask]
    ) -> Iterable[CellRecord]:
        for task in tasks:
            if self.done == self.at_most:
                raise KeyboardInterrupt
            self.done += 1
            # As a scheduler would send it.
            yield pickle.loads(pickle.dumps(function))(pickle.loads(pickle.dumps(task)))


def run(path: Path, mapping: Counted | None = None, *, keep_models: bool = False) -> Study:
    folder = path.parent / "out"
    return study(read_study(path), folder, mapping=mapping or Counted(), keep_models=keep_models)


def without_time(found: Study) -> list[CellRecord]:
    return [
        c.model_copy(update={"seconds": 0}) if isinstance(c, StudyCell) else c for c in found.cells
    ]


def test_a_study_finds_the_corpus_that_leans(tmp_path: Path) -> None:
    found = run(write_study_files(tmp_path))
    (answer,) = found.answers
    assert isinstance(answer, StudyAnswer)
    means = {level.level: level.mean for level in answer.levels if level.factor == "corpus"}
    assert means["kind"] > means["plain"] + 0.3
    assert found.head.shared_words == 28
    lines = found.lines
    assert read_study_lines(write_study(lines, tmp_path / "out").parent) == lines


def test_an_interrupted_study_goes_on_and_a_finished_one_trains_nothing(tmp_path: Path) -> None:
    path = write_study_files(tmp_path)
    with pytest.raises(KeyboardInterrupt):
        run(path, Counted(3))
    rest = Counted()
    found = run(path, rest)
    assert rest.done == 5
    again = Counted(0)
    assert run(path, again).lines == found.lines
    assert again.done == 0
    (tmp_path / "other").mkdir()
    whole = run(write_study_files(tmp_path / "other"))
    assert without_time(whole) == without_time(found)


@pytest.mark.parametrize(
    ("old", "new", "trained"),
    [
        ("seeds = [1, 2]", "seeds = [1, 2, 3]", 4),
        ("epochs = 3", "epochs = 4", 8),
        ("min_count = 2", "min_count = 3", 8),
        ("kind = [", "renamed = [", 0),
        ("[models.glove]", "[models.mine]\nkind = 'glove'", 0),
    ],
    ids=["another seed", "more epochs", "another cut", "a renamed corpus", "a renamed model"],
)
def test_only_what_changed_is_trained(old: str, new: str, trained: int, tmp_path: Path) -> None:
    path = write_study_files(tmp_path)
    run(path)
    path.write_text(PLAN.replace(old, new))
    counted = Counted()
    found = run(path, counted)
    assert counted.done == trained
    assert {cell.place.corpus for cell in found.cells} == set(read_study(path).plan.corpora)


def test_other_words_in_a_suite_are_measured_anew(tmp_path: Path) -> None:
    path = write_study_files(tmp_path)
    run(path)
    suite = tmp_path / "toy.toml"
    suite.write_text(suite.read_text().replace('"daisy"', '"worda"'))
    counted = Counted()
    run(path, counted)
    assert counted.done == 8


def test_another_version_of_what_trains_is_another_cell(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    checked = read_study(write_study_files(tmp_path))

    def files() -> set[Path]:
        return {task.cache for task in prepare_cells(checked, tmp_path / "out")[0]}

    now = files()
    assert now == files()
    monkeypatch.setattr(cells_module, "version_of_package", lambda name: "0")
    assert now.isdisjoint(files())


def test_cells_are_asked_with_the_words_that_all_corpora_have(tmp_path: Path) -> None:
    path = write_study_files(tmp_path)
    plain = tmp_path / "plain.txt"
    plain.write_text(plain.read_text().replace(X[0], "other"))
    found = run(path)
    counts = {e.words for c in found.cells if isinstance(c, StudyCell) for e in c.effects}
    assert counts == {15}


@pytest.mark.parametrize("cut", [False, True])
def test_measures_of_the_whole_vocabulary_refuse_cells_that_are_a_cut(
    tmp_path: Path, *, cut: bool
) -> None:
    path = write_study_files(tmp_path, PLAN.replace("suites =", 'metrics = ["gipe"]\nsuites ='))
    letters = "abcdefghijkl"
    shared = " ".join(a + b for a in letters for b in letters)  # gipe looks at 100 neighbours
    for name in ("kind", "plain"):
        own = f"{name} {name}\n" if cut else ""
        with (tmp_path / f"{name}.txt").open("a") as file:
            file.write(f"{shared}\n{shared}\n{own}")
    found = run(path)
    cells = [cell for cell in found.cells if isinstance(cell, StudyCell)]
    assert len(cells) == 8
    for cell in cells:
        assert (len(cell.effects), len(cell.gaps)) == ((0, 1) if cut else (1, 0))
        for gap in cell.gaps:
            assert "only those of all corpora are here" in gap.reason
    (answer,) = found.answers
    assert isinstance(answer, IncompleteAnswer) == cut


def test_a_cell_that_fails_is_a_record_and_the_rest_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = write_study_files(tmp_path)
    trained = cells_module._train

    def failing(task: CellTask) -> object:
        if task.place.corpus == "kind" and task.place.window == 4 and task.place.seed == 2:
            raise TrainingError("It ran away; lower the rate.")
        return trained(task)

    monkeypatch.setattr(cells_module, "_train", failing)
    found = study(read_study(path), tmp_path / "out")
    (failed,) = (cell for cell in found.cells if isinstance(cell, FailedCell))
    assert failed.reason == "It ran away; lower the rate."
    (answer,) = found.answers
    assert isinstance(answer, StudyAnswer)
    assert "is left out" in answer.left_out
    assert "cannot show a difference" in found.head.remarks[0]
    assert "1 of 8 cells failed" in found.head.remarks[1]
    monkeypatch.undo()
    counted = Counted()
    assert not any(isinstance(cell, FailedCell) for cell in run(path, counted).cells)
    assert counted.done == 1  # what failed is tried again


def test_models_are_kept_only_if_asked_for(tmp_path: Path) -> None:
    path = write_study_files(tmp_path)
    run(path)
    assert not (tmp_path / "out" / "models").exists()
    run(path, keep_models=True)
    kept = sorted((tmp_path / "out" / "models").iterdir())
    assert len(kept) == 8
    model = load(kept[0])
    assert model.history[0].details["corpus"] in (["kind.txt"], ["plain.txt"])
    assert model.counts is not None


def test_corpora_of_unequal_length_are_reported(tmp_path: Path) -> None:
    path = write_study_files(tmp_path)
    (tmp_path / "kind.txt").write_text((tmp_path / "kind.txt").read_text() * 2)
    assert "differ in length" in " ".join(run(path).head.remarks)
    path.write_text(PLAN.replace("min_count = 2", "min_count = 2\ntokens = 2000"))
    assert "differ in length" not in " ".join(run(path).head.remarks)
    path.write_text(PLAN.replace("min_count = 2", "min_count = 2\ntokens = 4000"))
    too_few, remark = run(path).head.remarks
    assert "cannot show a difference" in too_few
    assert "differ in length" in remark
    assert "set tokens" not in remark
    assert "lower tokens to 2400" in remark


def test_two_corpora_of_the_same_words_are_refused_before_training(tmp_path: Path) -> None:
    path, counted = write_study_files(tmp_path), Counted()
    same = (tmp_path / "kind.txt").read_text().upper().replace("\n", " .\n\n")
    (tmp_path / "plain.txt").write_text(same)
    with pytest.raises(SettingError, match="corpora kind and plain hold the same text"):
        run(path, counted)
    assert counted.done == 0


def test_a_rough_time_grows_with_the_work(tmp_path: Path) -> None:
    tasks, _ = prepare_cells(read_study(write_study_files(tmp_path)), tmp_path / "out")
    near, far = tasks[0], tasks[2]
    assert (near.place.window, far.place.window) == (2, 4)
    assert 3 < rough_seconds(near, 10**6) < rough_seconds(far, 10**6)
    assert isinstance(run_cell(near), StudyCell)


def test_a_cell_of_gensim_is_the_same_again(tmp_path: Path) -> None:
    pytest.importorskip("gensim", reason="gensim is not installed")
    plan = PLAN.replace("[models.glove]\nepochs = 3", "[models.cbow]\nepochs = 2")
    (task, *_), _ = prepare_cells(read_study(write_study_files(tmp_path, plan)), tmp_path / "out")
    first, again = run_cell(task), run_cell(task)
    assert isinstance(first, StudyCell)
    assert isinstance(again, StudyCell)
    assert first.sha256 == again.sha256
    assert first.words == 28


def test_the_order_of_arrival_means_nothing(tmp_path: Path) -> None:
    plan = read_study(write_study_files(tmp_path))
    ordered = study(plan, tmp_path / "ordered")
    turned = study(
        plan, tmp_path / "turned", mapping=lambda function, tasks: map(function, tasks[::-1])
    )
    assert without_time(turned) == without_time(ordered)
    assert (turned.head, turned.answers) == (ordered.head, ordered.answers)


@pytest.mark.parametrize(
    ("turned", "message"),
    [
        (lambda tasks: tasks[1:], "gave no record of kind, glove, window 2, dim 4, seed 1"),
        (lambda tasks: [tasks[0], *tasks], "or a second one"),
    ],
    ids=["one too few", "one twice"],
)
def test_a_mapping_gives_one_record_of_each_task(
    turned: Callable[[Sequence[CellTask]], Sequence[CellTask]], message: str, tmp_path: Path
) -> None:
    plan = read_study(write_study_files(tmp_path))
    with pytest.raises(SettingError, match=message):
        study(plan, tmp_path / "out", mapping=lambda function, tasks: map(function, turned(tasks)))


def without_a_list(folder: Path, words: list[str]) -> None:
    plain = folder / "plain.txt"
    text = plain.read_text()
    for number, word in enumerate(words):
        text = text.replace(word, f"other{number}")
    plain.write_text(text)


def test_a_study_that_no_test_can_answer_is_refused_before_training(tmp_path: Path) -> None:
    path, counted = write_study_files(tmp_path), Counted()
    without_a_list(tmp_path, X[:3])
    with pytest.raises(SettingError, match="Only 1 of 4 flowers"):
        run(path, counted)
    assert counted.done == 0


def test_a_test_without_enough_shared_words_is_reported_before_training(tmp_path: Path) -> None:
    path = write_study_files(tmp_path, PLAN.replace('"toy.toml"', '"toy.toml", "more.toml"'))
    more = SUITE.replace("'", '"').replace('id = "toy"', 'id = "more"')
    (tmp_path / "more.toml").write_text(more.replace(str(X).replace("'", '"'), '["q", "r", "s"]'))
    reports: list[str] = []
    found = study(read_study(path), tmp_path / "out", on_remark=reports.append)
    assert reports[0].startswith("more/one (weat) will have no answer: Only 0 of 3 flowers")
    refused = [one for one in found.answers if isinstance(one, IncompleteAnswer)]
    assert [one.test.id for one in refused] == ["more/one"]
    assert "Only 0 of 3 flowers" in refused[0].reason


# --- plan ---


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


def test_a_study_takes_every_seed_that_training_takes() -> None:
    plan = parse_study(PLAN.replace("seeds = [1, 2]", f"seeds = [0, {LARGEST_SEED}]"), "plan")
    assert plan.seeds == (0, LARGEST_SEED)


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_that_can_be_trained_can_be_studied(kind: str) -> None:
    plan = parse_study(PLAN + f"[models.another]\nkind = '{kind}'\n", "plan")
    assert plan.kind("another", 4) == get_model(kind, dimensions=4)
    assert WORDS_PER_SECOND[kind] > 0


@loop_over(
    ("old", "new", "message"),
    [
        ("windows", "window", "did you mean windows"),
        ("seeds = [1, 2]", "seeds = [1]", "seeds must hold two or more"),
        ("seeds = [1, 2]", "seeds = [1, 1]", "holds a number twice"),
        ("seeds = [1, 2]", f"seeds = [1, {LARGEST_SEED + 1}]", "seeds"),
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
)  # fmt: skip
def test_a_slip_is_refused_before_anything_is_trained(
    old: str, new: str, message: str, tmp_path: Path
) -> None:
    assert old in PLAN
    with pytest.raises(FairvecError, match=message):
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


# --- texts ---


def text_in(folder: Path, content: str) -> TrainingText:
    (folder / "corpus.txt").write_text(content, encoding="utf-8")
    return TrainingText((folder / "corpus.txt",), "en")


def test_words_stand_apart_and_empty_lines_are_gone(tmp_path: Path) -> None:
    found = prepare_text(
        text_in(tmp_path, "The cat, the DOG!\n\n...\nA cat\n"), None, tmp_path / "t"
    )
    assert found.path.read_text() == "the cat the dog\na cat\n"
    assert (found.tokens, found.tokens_in_all) == (6, 6)


def test_a_long_text_is_thinned_evenly_and_never_beyond_the_number(tmp_path: Path) -> None:
    lines = [f"w{number} " * (1 + number % 7) for number in range(1000)]
    text = text_in(tmp_path, "\n".join(lines) + "\n")
    found = prepare_text(text, 1000, tmp_path / "t")
    kept = found.path.read_text().splitlines()
    assert 990 <= found.tokens <= 1000 < found.tokens_in_all
    assert found.tokens == sum(len(line.split()) for line in kept)
    numbers = [int(line.split()[0][1:]) for line in kept]
    assert numbers == sorted(numbers)
    first = sum(len(line.split()) for line, n in zip(kept, numbers, strict=True) if n < 500)
    assert abs(first - 500) < 15


@pytest.mark.parametrize("lines", [1, 2, 3, 7, 1000])
@pytest.mark.parametrize("tokens", [1, 10, 997, 2999])
def test_about_so_many_words_are_kept_however_long_the_lines_are(
    lines: int, tokens: int, tmp_path: Path
) -> None:
    words = [f"w{number}" for number in range(3000)]
    each = -(-len(words) // lines)
    cut = [" ".join(words[start : start + each]) for start in range(0, len(words), each)]
    found = prepare_text(text_in(tmp_path, "\n".join(cut)), tokens, tmp_path / "t")
    kept = found.path.read_text().splitlines()
    assert 0.95 * tokens <= found.tokens <= tokens
    assert found.tokens == sum(len(line.split()) for line in kept)
    numbers = [int(word[1:]) for line in kept for word in line.split()]
    assert numbers == sorted(numbers)
    assert all(any(whole.startswith(line) for whole in cut) for line in kept)


RHYTHMS = {
    "by a rule": [5 + 45 * (number * number % 7 < 3) for number in range(4000)],
    "in turn": [5, 50] * 2000,
    "headings": [3, 40, 60, 20] * 1000,
    "in two parts": [8] * 2000 + [30] * 2000,
}


@pytest.mark.parametrize("rhythm", RHYTHMS)
@pytest.mark.parametrize("share", [0.1, 0.3, 0.5, 0.9])
def test_short_lines_are_kept_no_more_often_than_long_ones(
    rhythm: str, share: float, tmp_path: Path
) -> None:
    lengths = RHYTHMS[rhythm]
    text = text_in(tmp_path, "\n".join("w " * length for length in lengths))
    found = prepare_text(text, round(share * sum(lengths)), tmp_path / "t")
    kept = [len(line.split()) for line in found.path.read_text().splitlines()]
    assert found.tokens == sum(kept) <= share * sum(lengths) + 1
    for length in set(lengths):
        assert kept.count(length) == pytest.approx(share * lengths.count(length), rel=0.05)


def test_a_text_is_prepared_once_and_anew_when_a_file_changes(tmp_path: Path) -> None:
    text = text_in(tmp_path, "one two three\n")
    first = prepare_text(text, None, tmp_path / "t")
    first.path.write_text("kept as it is\n")
    assert prepare_text(text, None, tmp_path / "t").path.read_text() == "kept as it is\n"
    changed = prepare_text(text_in(tmp_path, "one two four\n"), None, tmp_path / "t")
    assert changed.path.read_text() == "one two four\n"


def test_a_text_without_its_sizes_was_interrupted_and_is_prepared_again(tmp_path: Path) -> None:
    text = text_in(tmp_path, "one two three\n")
    first = prepare_text(text, None, tmp_path / "t")
    first.path.with_suffix(".json").unlink()
    first.path.write_text("half\n")
    assert prepare_text(text, None, tmp_path / "t").path.read_text() == "one two three\n"


def test_the_vocabulary_is_what_training_keeps(tmp_path: Path) -> None:
    found = prepare_text(text_in(tmp_path, "b a c a\nb a d c\ne\n"), None, tmp_path / "t")
    for cut in (VocabularyLimits(1), VocabularyLimits(2), VocabularyLimits(1, 3)):
        text = TrainingText((found.path,), "en", "separated", cut)
        trained = encode_files(text.files, text.words_of, cut, tmp_path)
        counts = dict(zip(trained.words, map(int, trained.counts), strict=True))
        assert vocabulary(found.path, cut) == counts


def test_shared_words_are_those_of_all() -> None:
    assert shared_words([{"a": 3, "b": 2, "c": 1}, {"c": 9, "a": 1}]) == ("a", "c")


@pytest.mark.parametrize("content", ["", "...\n!!\n"], ids=["empty", "no word"])
def test_a_corpus_without_words_is_refused_and_nothing_is_left(
    content: str, tmp_path: Path
) -> None:
    with pytest.raises(FairvecError, match="corpus"):
        prepare_text(text_in(tmp_path, content), None, tmp_path / "t")
    assert not [*(tmp_path / "t").glob("*")]


def test_damaged_sizes_are_named(tmp_path: Path) -> None:
    text = text_in(tmp_path, "one two\n")
    first = prepare_text(text, None, tmp_path / "t")
    first.path.with_suffix(".json").write_text("{}")
    with pytest.raises(FairvecError, match="remove it"):
        prepare_text(text, None, tmp_path / "t")
