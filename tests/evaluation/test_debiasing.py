"""The workflow of debias as Python and a web page call it; tests/cli has the shell's side."""

from functools import partial
from pathlib import Path

import numpy as np
import pytest

import fairvec
from fairvec.core.errors import SettingError
from fairvec.experiments.comparison import before_after as measure
from fairvec.experiments.comparison import before_after as movement
from fairvec.experiments.debiasing import files as debiased_files
from fairvec.experiments.debiasing.debias import Debiased, debias_model
from fairvec.experiments.debiasing.files import DebiasedFiles, write_debiased
from fairvec.lexicon import concept
from fairvec.metrics.utility import movement as change
from fairvec.mitigation import debiaser, load_transform
from fairvec.mitigation import out_of_core as moved_vectors
from fairvec.results import Change, ConceptView, Result, read_results

SUITE = "malik2022/gender-adjectives"


@pytest.fixture(scope="module")
def done() -> Debiased:
    model = fairvec.load("glove-hi-small")
    return debias_model(model, concept("hi/gender"), debiaser("hard"), suites=SUITE, benchmarks=[])


@pytest.fixture(scope="module")
def learnt() -> Debiased:
    model, method = fairvec.load("glove-en-small"), debiaser("hard", specific="svm")
    suite = "caliskan2017/weat-7"
    return debias_model(model, concept("en/gender"), method, suites=suite, benchmarks=[])


def contents(folder: Path) -> dict[str, bytes | None]:
    """All that lies in a folder, hidden drafts too."""
    return {
        str(path.relative_to(folder)): path.read_bytes() if path.is_file() else None
        for path in folder.rglob("*")
    }


def test_the_outcome_holds_the_whole_change(done: Debiased) -> None:
    np.testing.assert_array_equal(done.after.vectors, done.transform.transform(done.before).vectors)
    kinds = [type(one) for one in done.outcomes]
    assert [kinds.count(kind) for kind in (Result, Change, ConceptView)] == [2, 1, 1]
    assert done.title == f"glove-hi-small before and after {done.transform.name}"
    assert (done.lost, done.max_memory) == ((), None)


def test_what_is_written_is_the_outcome(done: Debiased, tmp_path: Path) -> None:
    files = write_debiased(done, tmp_path / "new" / "fair.fairvec")
    assert files == DebiasedFiles(tmp_path / "new" / "fair.fairvec")
    np.testing.assert_array_equal(fairvec.load(files.model).vectors, done.after.vectors)
    assert load_transform(files.transform).fitted_on == done.transform.fitted_on
    assert read_results(files.folder) == list(done.outcomes)


@pytest.mark.parametrize("broken", ["save", "save_transform", "write_text", "write_results"])
@pytest.mark.parametrize("force", [False, True])
def test_it_is_written_whole_or_not_at_all(
    learnt: Debiased,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    broken: str,
    *,
    force: bool,
) -> None:
    output = tmp_path / "fair.fairvec"
    if force:
        output.write_text("precious")
        output.with_name("fair.fairvec.run").mkdir()
        (tmp_path / "fair.fairvec.run" / "specific.txt").write_text("precious")
    was = contents(tmp_path)

    def fail(*_: object, **__: object) -> None:
        raise OSError("no space left")

    monkeypatch.setattr(debiased_files, broken, fail)
    with pytest.raises(OSError, match="no space left"):
        write_debiased(learnt, output, force=force)
    assert contents(tmp_path) == was


def test_nothing_is_written_over_unless_asked(done: Debiased, tmp_path: Path) -> None:
    files = write_debiased(done, tmp_path / "fair.fairvec")
    files.report.write_text("the page of another run")
    was = contents(tmp_path)
    with pytest.raises(SettingError, match="exists already"):
        write_debiased(done, files.model)
    assert contents(tmp_path) == was
    write_debiased(done, files.model, force=True)
    assert not files.report.exists()


def test_remarks_are_heard_in_order_and_kept() -> None:
    model = fairvec.load("glove-en-small")
    heard: list[str] = []
    found = debias_model(
        model,
        concept("en/gender"),
        debiaser("linear-projection"),
        suites=["caliskan2017/weat-7"],
        benchmarks=[],
        holdout=True,
        output="fair.vec",
        on_remark=heard.append,
    )
    assert tuple(heard) == found.remarks
    assert heard[0].startswith("Fitted without any tested word: of the ")
    assert "history" in found.lost
    assert not any(one.fitted_words for one in found.outcomes if isinstance(one, Result))


def test_a_format_that_cannot_be_written_costs_no_work() -> None:
    model = fairvec.load("glove-hi-small")
    with pytest.raises(SettingError, match=r"choose \.fairvec"):
        debias_model(model, concept("hi/gender"), debiaser("hard"), output="fair.kv")


@pytest.mark.parametrize("method", ["hard", "leace"])
def test_where_memory_is_short_vectors_move_block_by_block(
    method: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    model = fairvec.load("glove-hi-small")
    debiased = partial(
        debias_model, model, concept("hi/gender"), debiaser(method), suites=SUITE, benchmarks=[]
    )
    roomy = debiased()
    monkeypatch.setattr(moved_vectors, "available_memory", lambda: 16 * model.vectors.nbytes - 1)
    short = debiased()
    assert short.outcomes == roomy.outcomes
    assert [one for one in short.remarks if one not in roomy.remarks] == [
        "The vectors of glove-hi-small (4 MB) are too many for the memory that is free: they are "
        "moved block by block, which takes longer and changes no figure."
    ]
    files = [
        write_debiased(done, tmp_path / name) for done, name in ((roomy, "a.bin"), (short, "b.bin"))
    ]
    assert files[0].model.read_bytes() == files[1].model.read_bytes()


def test_where_nobody_says_how_much_is_free_vectors_are_held(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(moved_vectors, "available_memory", lambda: None)
    model = fairvec.load("glove-hi-small")
    done = debias_model(model, concept("hi/gender"), debiaser("hard"), suites=SUITE, benchmarks=[])
    assert isinstance(done.after.vectors, np.ndarray)


def test_a_large_vocabulary_is_asked_about_its_frequent_words(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for module in (change, measure, movement):
        monkeypatch.setattr(module, "AMONG", 5_000)
    model = fairvec.load("glove-hi-small")
    done = debias_model(model, concept("hi/gender"), debiaser("hard"), suites=SUITE, benchmarks=[])
    titles = [one.test.title for one in done.outcomes]
    assert "Share of the 10 nearest words lost, among the 5,000 most frequent" in titles
