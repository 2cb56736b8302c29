from itertools import pairwise
from threading import Event
from threading import enumerate as all_threads

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairvec.cli import console
from fairvec.cli import console as plain_progress
from fairvec.cli.console import PlainProgress, plain_lines
from tests.laws.test_stats_laws import law


class Clock:
    """A clock that goes when it is told to."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


def told(lines: PlainProgress, clock: Clock, until: int) -> dict[int, str]:
    """Look at the clock every second, and return each line with its second."""
    found = {}
    for second in range(1, until + 1):
        clock.now = 1000.0 + second
        if line := lines.due():
            found[second] = line
    return found


def test_nothing_is_told_for_ten_seconds_and_then_at_a_calm_pace() -> None:
    clock = Clock()
    lines = PlainProgress("measuring", clock)
    lines.draw(3, 10, "model: caliskan2017/weat-1")
    found = told(lines, clock, 600)
    assert list(found)[:6] == [10, 20, 30, 40, 50, 63]
    assert found[10] == "model: caliskan2017/weat-1: 30 % after 10 s"
    seconds = [*found]
    assert max(after - before for before, after in pairwise(seconds)) == 60
    assert len(found) < 20


def test_what_does_not_tell_how_far_it_is_tells_how_long_it_takes() -> None:
    clock = Clock()
    lines = PlainProgress("opening model", clock)
    assert told(lines, clock, 10) == {10: "opening model: after 10 s"}
    lines.draw(5, 0)
    assert told(lines, clock, 20)[20] == "opening model: after 20 s"


@law
@given(st.integers(0, 10**12), st.integers(0, 10**12), st.text())
def test_a_line_is_one_plain_line_and_nothing_is_done_before_it_is(
    done: int, total: int, what: str
) -> None:
    clock = Clock()
    lines = PlainProgress("working", clock)
    lines.draw(done, total, what)
    (line,) = told(lines, clock, 10).values()
    assert line.replace("\u200c", "").replace("\u200d", "").isprintable()
    assert "100 %" not in line.replace(what, "")
    if total and done < total and "%" not in what:
        assert int(line.rpartition(" % ")[0].rpartition(" ")[2]) == done * 100 // total


def test_the_joiners_of_letters_stay() -> None:
    clock = Clock()
    lines = PlainProgress("क\u094d\u200dष\x1b[31m\u202e", clock)
    (line,) = told(lines, clock, 10).values()
    assert line == "क\u094d\u200dष [31m : after 10 s"


@pytest.fixture
def _hurried(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the first line be due at once."""
    monkeypatch.setattr(plain_progress, "FIRST", 0.0)
    monkeypatch.setattr(plain_progress, "TICK", 0.001)


@pytest.mark.usefixtures("_hurried")
def test_lines_are_written_while_the_work_is_silent() -> None:
    said: list[str] = []
    heard = Event()

    def write(line: str) -> None:
        said.append(line)
        heard.set()

    with plain_lines("opening", write):
        assert heard.wait(60)
    assert said == ["opening: after 0 s"]
    assert "progress" not in {thread.name for thread in all_threads()}


@pytest.mark.usefixtures("_hurried")
def test_a_stream_that_nobody_reads_does_not_cost_the_work() -> None:
    tried = Event()

    def write(line: str) -> None:
        tried.set()
        raise BrokenPipeError

    with plain_lines("opening", write) as lines:
        assert tried.wait(60)
        lines.draw(1, 2)


def test_work_that_fails_ends_its_lines() -> None:
    with pytest.raises(KeyError), plain_lines("opening", print):
        raise KeyError
    assert "progress" not in {thread.name for thread in all_threads()}


@pytest.mark.usefixtures("_hurried")
def test_a_pipe_gets_lines_without_control_codes(monkeypatch: pytest.MonkeyPatch) -> None:
    said: list[str] = []
    heard = Event()

    def say(line: str) -> None:
        said.append(line)
        heard.set()

    monkeypatch.setattr(console, "print_note", say)
    assert not console.err.is_terminal
    with console.progress_bar("reading \x1b[31mmodel\r\n") as draw:
        draw(1, 4)
        assert heard.wait(60)
    assert said[0].endswith(" after 0 s")
    assert "\x1b" not in said[0]


def test_quick_work_says_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    with console.progress_bar("reading") as draw:
        draw(1, 4)
        draw(4, 4, "model")
    assert capsys.readouterr() == ("", "")
