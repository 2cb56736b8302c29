"""What is printed: progress, control characters, columns, counts."""

import io
import json
from itertools import pairwise
from pathlib import Path
from threading import Event
from threading import enumerate as all_threads

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from rich.console import Console, RenderableType
from rich.table import Column, Table
from rich.text import Text

from fairvec.cli import console
from fairvec.cli import console as columns
from fairvec.cli import console as plain_progress
from fairvec.cli.console import PlainProgress, TerminalTable, plain_lines
from fairvec.core.tables import strong, table_of
from fairvec.experiments.audit.audit import audit
from fairvec.experiments.audit.categories import category_answers
from fairvec.results import write_results
from tests.cli.conftest import Shell
from tests.encoders.toys import toy_encoder
from tests.experiments.toys import Drawn, embedding, outcomes_of, suite_of
from tests.laws.helpers import law

# --- progress ---


class Clock:
    """A clock that goes when it is told to."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


def lines_due(lines: PlainProgress, clock: Clock, until: int) -> dict[int, str]:
    """Look at the clock every second, and return each line with its second."""
    found = {}
    for second in range(1, until + 1):
        clock.now = 1000.0 + second
        if line := lines.due():
            found[second] = line
    return found


def test_nothing_is_printed_for_ten_seconds_and_then_at_a_calm_pace() -> None:
    clock = Clock()
    lines = PlainProgress("measuring", clock)
    lines.draw(3, 10, "model: caliskan2017/weat-1")
    found = lines_due(lines, clock, 600)
    assert list(found)[:6] == [10, 20, 30, 40, 50, 63]
    assert found[10] == "model: caliskan2017/weat-1: 30 % after 10 s"
    seconds = [*found]
    assert max(after - before for before, after in pairwise(seconds)) == 60
    assert len(found) < 20


def test_a_step_says_how_long_it_goes_on_at_its_own_pace() -> None:
    clock = Clock()
    lines = PlainProgress("working", clock)
    lines.draw(0, 4, "opening")
    clock.now += 6
    lines.draw(0, 50, "training")  # another total: a step of its own, which begins after 6 s
    clock.now += 4
    lines.draw(10, 50, "training")
    assert lines.due() == "training: 20 % after 10 s, this step about 16 s more"
    lines.draw(0, 50, "training another")
    clock.now += 10
    assert lines.due() == "training another: 0 % after 20 s"


def test_what_does_not_tell_how_far_it_is_tells_how_long_it_takes() -> None:
    clock = Clock()
    lines = PlainProgress("opening model", clock)
    assert lines_due(lines, clock, 10) == {10: "opening model: after 10 s"}
    lines.draw(5, 0)
    assert lines_due(lines, clock, 20)[20] == "opening model: after 20 s"


@law
@given(st.integers(0, 10**12), st.integers(0, 10**12), st.text())
def test_a_line_is_one_plain_line_and_nothing_is_done_before_it_is(
    done: int, total: int, what: str
) -> None:
    clock = Clock()
    lines = PlainProgress("working", clock)
    lines.draw(done, total, what)
    (line,) = lines_due(lines, clock, 10).values()
    assert line.replace("\u200c", "").replace("\u200d", "").isprintable()
    assert "100 %" not in line.replace(what, "")
    if total and done < total and "%" not in what:
        assert int(line.rpartition(" % ")[0].rpartition(" ")[2]) == done * 100 // total


def test_the_joiners_of_letters_stay() -> None:
    clock = Clock()
    lines = PlainProgress("क\u094d\u200dष\x1b[31m\u202e", clock)
    (line,) = lines_due(lines, clock, 10).values()
    assert line == "क\u094d\u200dष [31m : after 10 s"


@pytest.fixture
def _hurried(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the first line be due at once."""
    monkeypatch.setattr(plain_progress, "FIRST", 0.0)
    monkeypatch.setattr(plain_progress, "TICK", 0.001)


@pytest.mark.usefixtures("_hurried")
def test_lines_are_written_while_the_work_is_silent() -> None:
    lines_printed: list[str] = []
    event = Event()

    def write(line: str) -> None:
        lines_printed.append(line)
        event.set()

    with plain_lines("opening", write):
        assert event.wait(60)
    assert lines_printed == ["opening: after 0 s"]
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
    lines_printed: list[str] = []
    event = Event()

    def say(line: str) -> None:
        lines_printed.append(line)
        event.set()

    monkeypatch.setattr(console, "print_note", say)
    assert not console.err.is_terminal
    with console.progress_bar("reading \x1b[31mmodel\r\n") as draw:
        draw(1, 4)
        assert event.wait(60)
    assert lines_printed[0].endswith(" after 0 s")
    assert "\x1b" not in lines_printed[0]


def test_quick_work_says_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    with console.progress_bar("reading") as draw:
        draw(1, 4)
        draw(4, 4, "model")
    assert capsys.readouterr() == ("", "")


def test_an_audit_of_an_encoder_moves_with_every_batch_and_never_back(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("fairvec.encoders.base.CHUNK", 7)
    drawn: list[tuple[float, str]] = []
    bar = console.ReadingProgress(lambda done, total, what="": drawn.append((done / total, what)))
    encoder, model = toy_encoder()
    tests = ["caliskan2017/weat-6", "caliskan2017/weat-7", "caliskan2017/weat-8"]
    audit(encoder.with_progress(bar.draw_sentences), suites=tests, progress=bar.draw_tests)
    shares = [share for share, _ in drawn]
    assert shares == sorted(shares)
    assert shares[0] == 0
    assert 0.9 < shares[-1] < 1
    # It moves at least once for each batch, until the last sentences of a test are read.
    assert len({*shares}) > len(model.asked) / 7 / 2
    assert drawn[1][1].startswith("letters: caliskan2017/weat-6, 0 of ")


def test_sentences_read_before_the_first_test_are_counted_by_themselves() -> None:
    drawn: list[tuple[int, int, str]] = []
    bar = console.ReadingProgress(lambda done, total, what="": drawn.append((done, total, what)))
    bar.draw_sentences(512, 1100)
    assert drawn == [(512, 1100, "encoding, 512 of 1,100 sentences")]


# --- Names that would move the cursor, forge a line or turn text around are shown, not obeyed ---


EVIL = "m\x1b[2J\x9b1A\u202e\nPASSED\rx"
SUITE = suite_of(Drawn("gender", seed=1), Drawn("gender", seed=2))


@pytest.fixture
def run(tmp_path: Path) -> Path:
    outcomes = [
        one for name in (EVIL, "plain") for one in outcomes_of(SUITE, of=embedding(name=name))
    ]
    write_results([*outcomes, *category_answers(outcomes)], tmp_path)
    return tmp_path


@pytest.mark.parametrize(
    "command",
    [
        ("check", "RUN", "--fail-if", "p <= 1"),
        ("check", "RUN", "--fail-if", "p <= 1", "--markdown"),
        ("check", "RUN", "--fail-if", "model == 'no'"),
        ("compare", "RUN", "RUN"),
        ("compare", "RUN", "RUN", "--fail-if", "answered == 'both'"),
        ("compare", "RUN", "RUN", "--json"),
    ],
    ids=range(6),
)
def test_no_command_obeys_a_name(shell: Shell, run: Path, command: tuple[str, ...]) -> None:
    answer = shell(*(str(run) if word == "RUN" else word for word in command))
    for text in (answer.out, answer.err):
        assert not {"\x1b", "\x9b", "\u202e", "\r"} & {*text}
        assert not [line for line in text.splitlines() if line.startswith("PASSED")]
    if "--json" in command:
        assert json.loads(answer.out.splitlines()[0])["model_before"] == EVIL


def test_audit_does_not_obey_names(shell: Shell, tmp_path: Path, suite_file: Path) -> None:
    from tests.cli.conftest import write_model

    model = write_model(tmp_path / "m\x1b[2J\u202e.vec", 1.0)
    answer = shell("audit", model, "-s", suite_file)
    assert answer.code == 0
    assert not {"\x1b", "\u202e"} & {*(answer.out + answer.err)}


def test_every_way_of_printing_shows_controls(capsys: pytest.CaptureFixture[str]) -> None:
    console.print_table(table_of(("a",), [("x\x1b[1m",)]))
    console.out.print(Text("y\x9b", style="bold"))
    console.print_answer("z\x1b\n\tw")
    console.print_note("s\u202e")
    got = capsys.readouterr()
    for text in ("x\\u001b[1m", "y\\u009b", "z\\u001b\n"):
        assert text in got.out
    assert got.err == "s\\u202e\n"


def test_no_name_is_cut_in_a_narrow_terminal(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(console.out, "width", 20)
    name = "poincare-glove-en-small"
    styled = table_of(("name", "licence"), [(strong(name), "a licence of many words")])
    for table in (styled, table_of(("word", "near"), [(name, "nurse")])):
        console.print_table(table)
        lines = capsys.readouterr().out.splitlines()[1:]
        assert max(map(len, lines)) <= 20
        assert "".join(line.split()[0] for line in lines if line[1] != " ") == name


def test_rows_of_one_name_can_be_distinguished(shell: Shell, tmp_path: Path) -> None:
    english, hindi = (
        outcomes_of(suite_of(Drawn("gender", seed=1), id=id, language=language))
        for id, language in (("e", "en"), ("h", "hi"))
    )
    outcomes = [*english, *hindi]
    write_results([*outcomes, *category_answers(outcomes)], tmp_path)
    file = tmp_path / "gate.xml"
    answer = shell("check", tmp_path, "--fail-if", "status == 'pooled'", "--junit", file)
    assert "test=category/gender  language=en  effect=" in answer.out
    assert "test=category/gender  language=hi  effect=" in answer.out
    assert 'name="category/gender (weat, hi)"' in file.read_text()
    output = shell("check", tmp_path, "--fail-if", "status == 'pooled'", "--markdown").out
    assert "| category/gender | hi |" in output
    gate = ("--fail-if", "kind == 'category'")
    assert "language=hi" in shell("compare", tmp_path, tmp_path, *gate).out
    write_results([*english, *category_answers(english)], tmp_path / "one")
    assert "language" not in shell("check", tmp_path / "one", "--fail-if", "p <= 1").out


# --- Columns of words print what rich's table without a box prints ---


WORDS = st.text(alphabet=st.characters(codec="utf-8"), max_size=6)


def printed(renderable: RenderableType, width: int, *, colour: bool = False) -> str:
    file = io.StringIO()
    console = Console(
        file=file,
        width=width,
        force_terminal=colour,
        color_system="standard" if colour else None,
        highlight=False,
        soft_wrap=True,
    )
    console.print(renderable)
    return file.getvalue()


def table_of_rich(headings: tuple[str, ...], rows: list[tuple[str, ...]]) -> Table:
    columns = (Column(heading, overflow="fold") for heading in headings)
    table = Table(*columns, box=None, header_style="bold")
    for row in rows:
        table.add_row(*map(Text, row))
    return table


@given(rows=st.lists(st.tuples(WORDS, WORDS), max_size=5), width=st.sampled_from([8, 20, 500]))
@example(rows=[("日本語", "क\u094d\u200dष"), ("a\nb", ""), ("\t", "x\x1b[2J")], width=500)
@example(rows=[("a long word here", "b")], width=8)
def test_they_are_those_of_rich(rows: list[tuple[str, ...]], width: int) -> None:
    headings = ("word", "nächster")
    expected = printed(table_of_rich(headings, rows), width)
    assert printed(TerminalTable(table_of(headings, rows)), width) == expected


def test_rows_beyond_one_batch_follow_and_headings_are_bold(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(columns, "ROWS_AT_A_TIME", 2)
    rows = [(f"word{number}", f"{number}") for number in range(5)]
    output = printed(TerminalTable(table_of(("word", "n"), rows)), 80, colour=True)
    assert output.splitlines()[1:] == [f" {word}  {number} " for word, number in rows]
    assert output.splitlines()[0].startswith("\x1b[1m word")


def test_a_plain_table_is_not_drawn_cell_by_cell(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(columns, "Table", None)
    table = TerminalTable(table_of(("word", "n"), [("a", "1")]))
    assert printed(table, 80) == " word  n \n a     1 \n"


# --- A count of one has a singular, wherever a count can be one ---


SUITE_PLURAL = """
id = "mine"
version = "1"
title = "Mine"
language = "en"
source = "Written for this test"
licence = "CC0-1.0"

[sets.x]
title = "x"
words = ["she"]

[sets.y]
title = "y"
words = ["he", "him"]

[[tests]]
id = "one"
title = "One"
category = "gender"
kind = "bias"
x = "y"
y = "x"
a = "y"
b = "x"
"""


@pytest.fixture
def suite(tmp_path: Path) -> Path:
    file = tmp_path / "mine.toml"
    file.write_text(SUITE_PLURAL, encoding="utf-8")
    return file


def test_a_list_of_one_word(shell: Shell, suite: Path) -> None:
    output = shell("suites", "show", suite).out
    assert "  y: x, 1 word\n" in output
    assert "  x: y, 2 words\n" in output


def test_one_finding(shell: Shell, tmp_path: Path) -> None:
    file = tmp_path / "draft.toml"
    assert shell("suites", "new", file).code == 0
    file.write_text(file.read_text(encoding="utf-8").replace('"tulip"', '"rose"', 1), "utf-8")
    answer = shell("suites", "lint", file)
    assert len(answer.out.splitlines()) == 1
    assert (answer.code, answer.err) == (1, "1 suite, 1 finding, 0 waived\n")


@pytest.mark.parametrize(("words", "count"), [("he", "1 key x"), ("he\nshe", "2 keys x")])
def test_a_model_of_one_word(shell: Shell, tmp_path: Path, words: str, count: str) -> None:
    (tmp_path / "words.txt").write_text(f"{words}\nqqqq\n", encoding="utf-8")
    listed = ("--words", tmp_path / "words.txt")
    answer = shell("convert", "glove-en-small", tmp_path / "one.vec", *listed)
    assert f": {count} 100 in the format" in answer.err
    assert "words wanted is not in glove-en-small." in answer.err


def test_a_suite_that_lacks_a_word_does_not_fit_completely(shell: Shell) -> None:
    fits = shell("audit", "glove-en-small", "--metric", "mac").err.splitlines()[0]
    assert "caliskan2017 (99% of its words), chaloner2019 (100% of its words)" in fits
