"""What the pages show of an answer is what the command, or the record, says today."""

import shlex
from pathlib import Path

import pytest

import fairvec
from scripts.site.links import pages, tokens
from tests.cli.conftest import Shell

ROOT = Path(__file__).parents[2]
SHOWN = {
    command.removeprefix("$ fairvec "): answer
    for page in pages(ROOT)
    if "    $ fairvec " in (text := page.read_text(encoding="utf-8"))
    for token in tokens(text)
    if token.type in {"fence", "code_block"} and token.content.startswith("$ fairvec ")
    for command, _, answer in [token.content.partition("\n")]
}


def words(text: str) -> str:
    """Return a text without the layout of its lines, which depends on the terminal."""
    return " ".join(text.split())


def test_answers_are_shown() -> None:
    assert set(SHOWN) == {"audit glove-en-small", "benchmarks ask glove-en-small sembias"}


@pytest.mark.parametrize("command", SHOWN)
def test_a_shown_answer_is_that_of_the_command(
    command: str, shell: Shell, shared_data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FAIRVEC_DATA", str(shared_data))
    said = words(shell(*shlex.split(command)).out)
    begins, *rest = map(words, SHOWN[command].split("\n..."))
    assert begins in said
    assert rest in ([], [""])


def test_a_shown_record_is_that_of_an_audit() -> None:
    page = (ROOT / "docs/notebooks.md").read_text(encoding="utf-8")
    found = fairvec.audit("glove-en-small", suites="caliskan2017", categories=False)
    (one,) = (record for record in found if record.test.id == "caliskan2017/weat-6")
    assert f"\n    {one}\n" in page
