import json
import os
import shutil
from functools import partial
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairvec.core.errors import FileFormatError, SettingError
from fairvec.core.io.atomic_files import (
    MARK,
    atomic_file_set,
    mark_of,
    refuse_mixed,
    renewed,
    write_alone,
)
from tests.fault_injection import Ends, failures, killed_before, kills, stopped

# --- A set of files is one run's, whenever and however often a run is killed; or a reader is told


NAMES = ("page.html", "list.txt", "records.jsonl")


def write(folder: Path, who: str, names: tuple[str, ...] = NAMES) -> None:
    """Write a set of files into a folder and one beside it; those that it lacks go."""
    gone = [name for name in NAMES if name not in names]
    with atomic_file_set(folder, gone=gone, around=True) as drafts:
        (drafts / folder.name).mkdir()
        for name in names:
            (drafts / folder.name / name).write_text(who)
        (drafts / "model.vec").write_text(who)


def seen(folder: Path) -> tuple[str, ...]:
    """Return who wrote each of the files, as one who knows no marks sees it."""
    places = [folder.parent / "model.vec", *(folder / name for name in NAMES)]
    return tuple(place.read_text() if place.exists() else "" for place in places)


WHOLE = {(who,) * 4 for who in "abc"} | {("b", "b", "", "b"), ("",) * 4}


def read(folder: Path) -> str:
    """Return what a reader is told, having checked that nothing is told only of one whole run."""
    try:
        refuse_mixed(folder)
    except FileFormatError as error:
        return str(error)
    assert seen(folder) in WHOLE
    return ""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "run"


@pytest.mark.parametrize("ends", [kills, failures], ids=["killed", "failed"])
@pytest.mark.parametrize("earlier", ["a", ""], ids=["over another run", "in a new place"])
def test_a_run_that_ends_early_leaves_one_whole_or_is_told(
    folder: Path, earlier: str, ends: Ends
) -> None:
    told, found = [], set()
    if earlier:
        write(folder, earlier)
    for _ in ends(partial(write, folder, "b"), folder.parent):
        told.append(read(folder))
        found.add(seen(folder))
        shutil.rmtree(folder, ignore_errors=True)
        (folder.parent / "model.vec").unlink(missing_ok=True)
        if earlier:
            write(folder, earlier)
    assert {("b",) * 4, (earlier,) * 4} <= found
    assert len(found) == 5  # each rename was seen alone
    assert sum(map(bool, told)) >= 3
    assert told[0] == told[-1] == ""


def test_what_a_later_run_lacks_goes_with_the_earlier_one(folder: Path) -> None:
    write(folder, "a")
    for _ in kills(partial(write, folder, "b", ("page.html", "records.jsonl")), folder.parent):
        if seen(folder) == ("b", "b", "a", "b"):
            assert "list.txt is of the earlier" in read(folder)
        else:
            read(folder)
        write(folder, "a")
    assert seen(folder) == ("a",) * 4


def test_runs_that_are_killed_one_after_another_never_hide_a_mixture(
    folder: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    kept = tmp_path_factory.mktemp("kept")
    write(folder, "a")
    for _ in kills(partial(write, folder, "b"), folder.parent):
        if len(set(seen(folder))) > 1 and not (kept / "".join(seen(folder))).exists():
            shutil.copytree(folder.parent, kept / "".join(seen(folder)))
        write(folder, "a")
    assert {path.name for path in kept.iterdir()} == {"baaa", "baba", "bbba"}
    for state in kept.iterdir():
        shutil.copytree(state, folder.parent, dirs_exist_ok=True)
        for step in kills(partial(write, folder, "c"), folder.parent):
            told = read(folder)
            assert told or seen(folder) == ("c",) * 4, step
            shutil.rmtree(folder.parent)
            shutil.copytree(state, folder.parent)


def test_the_next_whole_run_mends_and_leaves_nothing_behind(folder: Path) -> None:
    write(folder, "a")
    for _ in kills(partial(write, folder, "b"), folder.parent):
        stopped(partial(write, folder, "c"), folder.parent, 1000)
        assert (read(folder), seen(folder)) == ("", ("c",) * 4)
        left = {path.name for path in folder.parent.rglob("*")}
        assert left == {"run", "model.vec", *NAMES}
        write(folder, "a")


def mixed(folder: Path) -> str:
    """Let a run end where some files are in place and others not; return what is told."""
    write(folder, "a")
    killed_before(partial(write, folder, "b"), folder / "records.jsonl")
    assert seen(folder) == ("b", "b", "b", "a")
    return read(folder)


def test_it_is_said_which_file_is_of_which_run(folder: Path) -> None:
    assert mixed(folder) == (
        f"{folder} holds parts of two runs, because one was interrupted while it put them in "
        "place: model.vec, list.txt and page.html are of the later, records.jsonl is of the "
        "earlier; run it again, or name one file to read that alone."
    )


def test_a_part_of_a_first_run_is_told_as_that(folder: Path) -> None:
    told = set()
    for _ in kills(partial(write, folder, "b"), folder.parent):
        told.add(read(folder))
        shutil.rmtree(folder, ignore_errors=True)
        (folder.parent / "model.vec").unlink(missing_ok=True)
    assert (
        f"{folder} holds a part of a run, because it was interrupted while it put them in place: "
        "records.jsonl is not there yet; run it again, or name one file to read that alone."
    ) in told


def test_drafts_that_were_swept_away_or_copied_without_leave_a_doubt(
    folder: Path, tmp_path: Path
) -> None:
    mixed(folder)
    copy = tmp_path / "elsewhere" / "copied"
    shutil.copytree(folder, copy)
    assert "may be of the other" in read(copy)


def test_files_written_one_by_one_clear_the_doubt_when_all_are_new(folder: Path) -> None:
    mixed(folder)
    for name, left in (("page.html", True), ("list.txt", True), ("records.jsonl", True)):
        assert bool(read(folder)) == left
        write_alone(folder / name, "c")
    assert "model.vec is of another than the rest" in read(folder)


def test_files_of_which_one_is_made_of_the_other_go_together(folder: Path) -> None:
    mixed(folder)
    renewed(folder, "page.html", "records.jsonl", "list.txt")
    assert [path.name for path in mark_of(folder).old] == ["model.vec"]  # type: ignore[union-attr]


def test_a_set_that_has_not_all_that_is_in_doubt_does_not_end_it(folder: Path) -> None:
    mixed(folder)
    with atomic_file_set(folder) as drafts:
        (drafts / "records.jsonl").write_text("c")
    assert "records.jsonl is of the later, model.vec, list.txt and page.html are" in read(folder)
    write(folder, "a")
    assert read(folder) == ""


def test_a_folder_may_be_named_as_one_stands_in_it(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    told = mixed(folder)
    monkeypatch.chdir(folder)
    with pytest.raises(FileFormatError) as caught:
        refuse_mixed(Path())
    assert str(caught.value).partition(" holds ")[2] == told.partition(" holds ")[2]
    with atomic_file_set(Path()) as drafts:
        (drafts / "records.jsonl").write_text("c")
    assert (folder / "records.jsonl").read_text() == "c"


def test_a_folder_behind_a_link_is_one_too(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    folder.symlink_to(tmp_path / "real")
    assert "model.vec" in mixed(folder)
    write(folder, "c")
    assert (read(folder), folder.is_symlink()) == ("", True)


def test_what_cannot_be_written_is_refused_before_anything_moves(folder: Path) -> None:
    write(folder, "a")
    (folder / "page.html").unlink()
    (folder / "page.html").mkdir()
    with pytest.raises(SettingError, match=r"page\.html is a folder"):
        write(folder, "b")
    assert (folder / "records.jsonl").read_text() == "a"
    assert {path.name for path in folder.parent.iterdir()} == {"run", "model.vec"}
    refuse_mixed(folder)


def test_an_error_while_drafting_leaves_all_as_it_was(folder: Path) -> None:
    write(folder, "a")
    with pytest.raises(UnicodeEncodeError), atomic_file_set(folder) as drafts:
        (drafts / "page.html").write_text("\ud800", encoding="utf-8")
    assert (read(folder), seen(folder)) == ("", ("a",) * 4)


def test_modes_stay(folder: Path) -> None:
    write(folder, "a")
    (folder / "records.jsonl").chmod(0o600)
    write(folder, "b")
    assert (folder / "records.jsonl").stat().st_mode & 0o777 == 0o600


def test_a_damaged_mark_costs_no_run_its_work(folder: Path) -> None:
    write(folder, "a")
    (folder / MARK).write_text("{")
    write_alone(folder / "page.html", "b")
    assert "is damaged" in read(folder)
    write(folder, "b")
    assert (read(folder), seen(folder)) == ("", ("b",) * 4)


def test_those_who_may_not_look_into_the_drafts_are_told_of_a_doubt(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    mixed(folder)
    lstat = Path.lstat

    def guarded(path: Path) -> os.stat_result:
        if ".parts/" in str(path):
            raise PermissionError
        return lstat(path)

    monkeypatch.setattr(Path, "lstat", guarded)
    assert "any of model.vec, list.txt, page.html and records.jsonl may be of" in read(folder)


def alone(who: str, place: Path) -> None:
    with atomic_file_set(place) as drafts:
        for name in NAMES:
            (drafts / name).write_text(who)


def test_a_folder_that_was_renamed_after_a_kill_is_told_of_and_cleared(folder: Path) -> None:
    alone("a", folder)
    killed_before(partial(alone, "b", folder), folder / "records.jsonl")
    moved = folder.rename(folder.with_name("moved"))
    assert "records.jsonl is of the earlier" in read(moved)
    alone("c", moved)
    assert {path.name for path in moved.iterdir()} == {*NAMES}
    refuse_mixed(moved)


# --- The mark of an unfinished run, as a stranger may have written it ---


@given(
    st.binary(max_size=60) | st.text(max_size=60).map(lambda text: text.encode("utf-8", "replace"))
)
def test_a_mark_of_strangers_is_read_or_refused(
    tmp_path_factory: pytest.TempPathFactory, content: bytes
) -> None:
    folder = tmp_path_factory.mktemp("run")
    (folder / MARK).write_bytes(content)
    with pytest.raises(FileFormatError, match="is damaged"):
        refuse_mixed(folder)


PLACES: st.SearchStrategy[object] = st.sampled_from(
    ["/etc/passwd", "..", "../..", "../../x", "a/b", "a\0b", "", ".", "\ud800", 5, None, [], "a\\b"]
)


@given(PLACES, st.sampled_from(["drafts", "parts", "gone", "old"]))
def test_a_mark_names_no_place_elsewhere(
    tmp_path_factory: pytest.TempPathFactory, place: object, where: str
) -> None:
    folder = tmp_path_factory.mktemp("run")
    said: dict[str, object] = {"drafts": None, "parts": [], "gone": [], "old": []}
    said[where] = place if where == "drafts" else [place]
    (folder / MARK).write_text(json.dumps(said))
    try:
        mark = mark_of(folder)
    except FileFormatError:
        return
    assert mark
    for each in (*mark.parts, *mark.gone, *mark.old, *filter(None, [mark.drafts])):
        assert each.parent == folder
        assert each.resolve().parent == folder.resolve()


def test_a_mark_that_is_a_pipe_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / MARK)
    with pytest.raises(FileFormatError, match="is damaged"):
        refuse_mixed(tmp_path)
