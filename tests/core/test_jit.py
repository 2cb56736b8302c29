"""Compiled code is kept and found again; files that are damaged or foreign are passed over."""

import os
import pickle
import sys
from collections.abc import Callable
from pathlib import Path
from runpy import run_path
from types import ModuleType

import pytest
from numba import config

import fairvec

SOURCE = """
from fairvec.core.jit import jit

@jit()
def doubled(number: int) -> int:
    return 2 * number
"""


@pytest.fixture
def ask(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[], str]:
    """A function that loads and asks a compiled function anew; the cache is empty.

    It says what was answered, and how often what was kept could be used.
    """
    (tmp_path / "kernel.py").write_text(SOURCE, encoding="utf-8")
    monkeypatch.setattr(config, "CACHE_DIR", str(tmp_path / "cache"))

    def asked() -> str:
        doubled = run_path(str(tmp_path / "kernel.py"))["doubled"]
        return " ".join(map(str, [doubled(21), *doubled.stats.cache_hits.values()]))

    return asked


class Told:
    """Unpickled, it writes a file: what a stranger's pickle could do."""

    def __init__(self, place: Path) -> None:
        self.place = place

    def __reduce__(self) -> tuple[object, tuple[str]]:
        return os.mkdir, (str(self.place),)


def kept(tmp_path: Path, ending: str) -> Path:
    (found,) = (tmp_path / "cache").rglob(f"*{ending}")
    return found


@pytest.mark.parametrize("ending", [".nbi", ".nbc"])
def test_a_damaged_file_is_compiled_anew_and_mended(
    ending: str, ask: Callable[[], str], tmp_path: Path
) -> None:
    assert ask() == "42"
    assert ask() == "42 1"
    whole = kept(tmp_path, ending).read_bytes()
    half = len(whole) // 2
    flipped = whole[:half] + bytes([whole[half] ^ 1]) + whole[half + 1 :]
    foreign = pickle.dumps(Told(tmp_path / "executed"))
    for damaged in (b"", whole[:half], whole[:-1], flipped, foreign + foreign):
        kept(tmp_path, ending).write_bytes(damaged)
        assert ask() == "42"
    assert ask() == "42 1"
    assert not (tmp_path / "executed").exists()


@pytest.mark.parametrize("ending", [".nbi", ".nbc"])
@pytest.mark.parametrize("what", ["pipe", "device"])
def test_what_is_no_file_is_not_waited_for(
    what: str, ending: str, ask: Callable[[], str], tmp_path: Path
) -> None:
    assert ask() == "42"
    place = kept(tmp_path, ending)
    place.unlink()
    if what == "pipe":
        os.mkfifo(place)
    else:
        place.symlink_to("/dev/full")  # a device that does not end
    assert ask() == "42"


def test_the_folder_is_closed_to_others(ask: Callable[[], str], tmp_path: Path) -> None:
    assert ask() == "42"
    folder = kept(tmp_path, ".nbi").parent
    assert folder.stat().st_mode & 0o777 == 0o700
    folder.chmod(0o777)
    assert ask() == "42 1"
    assert folder.stat().st_mode & 0o777 == 0o700


def test_a_folder_or_file_of_somebody_else_is_not_used(
    ask: Callable[[], str], tmp_path: Path
) -> None:
    if os.geteuid() != 0:
        pytest.skip("only root can give a file to somebody else")
    assert ask() == "42"
    file, folder = kept(tmp_path, ".nbi"), kept(tmp_path, ".nbi").parent
    os.chown(file, 12345, 12345)
    assert ask() == "42"
    os.chown(folder, 12345, 12345)
    assert ask() == "42"
    os.chown(folder, 0, 0)
    folder.rename(folder.with_name("elsewhere"))
    folder.symlink_to(folder.with_name("elsewhere"))
    assert ask() == "42"


def test_where_nothing_can_be_kept_it_is_compiled_each_time(
    ask: Callable[[], str], tmp_path: Path
) -> None:
    assert ask() == "42"
    file = kept(tmp_path, ".nbi")
    file.unlink()
    file.mkdir()
    assert ask() == "42"
    assert ask() == "42"


NUMBERS = """
FACTOR = {factor}
ADDED = ({added}, 0)
"""
INNER = """
from fairvec.core.jit import jit

@jit()
def more(number):
    return number + {more}
"""
OUTER = """
from fairvec import numbers_elsewhere as elsewhere
from fairvec.inner_elsewhere import more
from fairvec.numbers_elsewhere import ADDED
from fairvec.core.jit import jit

@jit()
def doubled(number: int) -> int:
    return more(elsewhere.FACTOR * number) + ADDED[0]
"""


def module(name: str, path: Path, text: str) -> ModuleType:
    path.write_text(text, encoding="utf-8")
    made = ModuleType(name)
    made.__file__ = str(path)
    exec(compile(text, str(path), "exec"), made.__dict__)
    return made


def test_what_other_files_give_to_compiled_code_is_noticed_when_it_changes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, ask: Callable[[], str]
) -> None:
    (tmp_path / "kernel.py").write_text(OUTER, encoding="utf-8")

    def asked(*, factor: int = 2, added: int = 0, more: int = 0) -> str:
        for name, text in (
            ("numbers_elsewhere", NUMBERS.format(factor=factor, added=added)),
            ("inner_elsewhere", INNER.format(more=more)),
        ):
            made = module(f"fairvec.{name}", tmp_path / f"{name}.py", text)
            monkeypatch.setitem(sys.modules, made.__name__, made)
            monkeypatch.setattr(fairvec, name, made, raising=False)
        return ask()

    for changed, answer in (({"factor": 3}, "63"), ({"added": 5}, "47"), ({"more": 7}, "49")):
        assert asked() == "42"
        assert asked() == "42 1"
        assert asked(**changed) == answer
        assert asked(**changed) == f"{answer} 1"
