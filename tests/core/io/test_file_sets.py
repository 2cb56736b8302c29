"""Sets of files that belong to one run: complete, incomplete after a kill, and never mixed."""

import os
import shutil
from functools import partial
from pathlib import Path

import pytest

from fairvec.core.errors import SettingError
from fairvec.core.io.atomic_files import atomic_file_set
from tests.fault_injection import Ends, failures, kills, stopped

NAMES = ("page.html", "list.txt", "records.jsonl")


def write(folder: Path, who: str, names: tuple[str, ...] = NAMES) -> None:
    """Write a set of files into a folder and one beside it; those that it lacks go."""
    gone = [name for name in NAMES if name not in names]
    with atomic_file_set(folder, gone=gone, around=True) as drafts:
        (drafts / folder.name).mkdir()
        for name in names:
            (drafts / folder.name / name).write_text(who)
        (drafts / "model.vec").write_text(who)


def write_inside(folder: Path, who: str) -> None:
    """Write a set of files that all lie in the folder."""
    with atomic_file_set(folder) as drafts:
        for name in NAMES:
            (drafts / name).write_text(who)


def seen(folder: Path) -> dict[str, str]:
    """Return who wrote each of the files that are there."""
    places = [folder.parent / "model.vec", *(folder / name for name in NAMES)]
    return {place.name: place.read_text() for place in places if place.exists()}


def whole(who: str, names: tuple[str, ...] = ("model.vec", *NAMES)) -> dict[str, str]:
    return dict.fromkeys(names, who)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "run"


def clear(folder: Path) -> None:
    shutil.rmtree(folder, ignore_errors=True)
    (folder.parent / "model.vec").unlink(missing_ok=True)


@pytest.mark.parametrize("ends", [kills, failures], ids=["killed", "failed"])
@pytest.mark.parametrize("earlier", ["a", ""], ids=["over another run", "in a new place"])
def test_a_run_that_ends_early_leaves_files_of_one_run_alone(
    folder: Path, earlier: str, ends: Ends
) -> None:
    states = []
    if earlier:
        write(folder, earlier)
    for _ in ends(partial(write, folder, "b"), folder.parent):
        states.append(seen(folder))
        assert len({*states[-1].values()}) <= 1
        assert not earlier or "model.vec" in states[-1]
        clear(folder)
        if earlier:
            write(folder, earlier)
    assert (whole(earlier) if earlier else {}) in states
    assert {"model.vec": "b"} in states
    assert states[-1] == whole("b")


def test_records_are_never_missing_between_two_runs(folder: Path) -> None:
    write_inside(folder, "a")
    states = []
    for _ in kills(partial(write_inside, folder, "b"), folder):
        states.append(seen(folder))
        assert len({*states[-1].values()}) == 1
        assert "records.jsonl" in states[-1]
        write_inside(folder, "a")
    assert [states[0], states[-1]] == [whole("a", NAMES), whole("b", NAMES)]
    assert {"records.jsonl": "a"} in states
    assert {"records.jsonl": "b"} in states


def test_what_a_later_run_lacks_goes_with_the_earlier_one(folder: Path) -> None:
    names = ("page.html", "records.jsonl")
    write(folder, "a")
    for _ in kills(partial(write, folder, "b", names), folder.parent):
        assert len({*seen(folder).values()}) == 1
        shutil.copytree(folder.parent, folder.parent.with_name("last"), dirs_exist_ok=True)
        last = seen(folder)
        write(folder, "a")
    assert last == whole("b", ("model.vec", *names))


def test_runs_that_are_killed_one_after_another_never_mix(
    folder: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    kept = tmp_path_factory.mktemp("kept")
    write(folder, "a")
    for _ in kills(partial(write, folder, "b"), folder.parent):
        state = kept / "-".join(f"{name}={who}" for name, who in seen(folder).items())
        if len(seen(folder)) < 3 and not state.exists():
            shutil.copytree(folder.parent, state)
        shutil.rmtree(folder.parent)  # drafts of this run would shift the steps of the next
        write(folder, "a")
    assert len([*kept.iterdir()]) == 4  # one or two files of either run
    for state in kept.iterdir():
        for _ in kills(partial(write, folder, "c"), folder.parent):
            assert len({*seen(folder).values()}) == 1
            shutil.rmtree(folder.parent)
            shutil.copytree(state, folder.parent)


def test_the_next_whole_run_mends_and_leaves_nothing_behind(folder: Path) -> None:
    write(folder, "a")
    for _ in kills(partial(write, folder, "b"), folder.parent):
        stopped(partial(write, folder, "c"), folder.parent, 1000)
        assert seen(folder) == whole("c")
        left = {path.name for path in folder.parent.rglob("*")}
        assert left == {"run", "model.vec", *NAMES}
        write(folder, "a")


def test_a_folder_may_be_named_as_one_stands_in_it(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(folder, "a")
    monkeypatch.chdir(folder)
    write_inside(Path(), "c")
    assert seen(folder) == whole("c", NAMES) | {"model.vec": "a"}


def test_a_folder_behind_a_link_is_one_too(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    folder.symlink_to(tmp_path / "real")
    write(folder, "c")
    assert (seen(folder), folder.is_symlink()) == (whole("c"), True)


def test_files_behind_links_are_replaced_and_the_links_stay(folder: Path, tmp_path: Path) -> None:
    write(folder, "a")
    (tmp_path / "elsewhere").mkdir()
    for name in NAMES:
        (folder / name).rename(tmp_path / "elsewhere" / name)
        (folder / name).symlink_to(tmp_path / "elsewhere" / name)
    write(folder, "b")
    assert seen(folder) == whole("b")
    assert all((folder / name).is_symlink() for name in NAMES)
    assert {path.read_text() for path in (tmp_path / "elsewhere").iterdir()} == {"b"}


def test_what_cannot_be_written_is_refused_before_anything_moves(folder: Path) -> None:
    write(folder, "a")
    (folder / "page.html").unlink()
    (folder / "page.html").mkdir()
    with pytest.raises(SettingError, match=r"page\.html is a folder"):
        write(folder, "b")
    assert (folder / "records.jsonl").read_text() == "a"
    assert {path.name for path in folder.parent.iterdir()} == {"run", "model.vec"}


def test_an_error_while_drafting_leaves_all_as_it_was(folder: Path) -> None:
    write(folder, "a")
    with pytest.raises(UnicodeEncodeError), atomic_file_set(folder) as drafts:
        (drafts / "page.html").write_text("\ud800", encoding="utf-8")
    assert seen(folder) == whole("a")


@pytest.mark.parametrize("name", ["model.vec", *NAMES])
def test_modes_and_owners_stay(folder: Path, name: str) -> None:
    write(folder, "a")
    file = folder.parent / name if name == "model.vec" else folder / name
    file.chmod(0o600)
    if os.geteuid() == 0:
        os.chown(file, 12345, 12346)
    before = file.stat()
    write(folder, "b")
    after = file.stat()
    assert (after.st_mode, after.st_uid, after.st_gid) == (
        before.st_mode,
        before.st_uid,
        before.st_gid,
    )
