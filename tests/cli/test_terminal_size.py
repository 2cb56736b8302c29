"""What the environment says of the terminal's size is believed only where it can be true."""

import os
import subprocess
import sys

import pytest

from fairvec.cli.startup import drop_invalid_terminal_sizes

ODD = ("²", "٣٠", "9" * 5000, "9" * 30, "-80", "0", "", "x", "80.5", "10001")


@pytest.mark.parametrize("name", ["COLUMNS", "LINES"])
@pytest.mark.parametrize("said", ODD, ids=lambda text: text[:6])
def test_an_odd_size_is_forgotten(name: str, said: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(name, said)
    drop_invalid_terminal_sizes()
    assert name not in os.environ


@pytest.mark.parametrize(
    ("name", "said"), [("COLUMNS", "80"), ("COLUMNS", "10000"), ("LINES", "1")]
)
def test_a_size_that_can_be_is_kept(name: str, said: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(name, said)
    drop_invalid_terminal_sizes()
    assert os.environ[name] == said


@pytest.mark.parametrize("name", ["COLUMNS", "LINES"])
def test_a_command_answers_whatever_the_size_is_said_to_be(name: str) -> None:
    # In a process of its own: consoles are made once, when they are first needed.
    asked = [sys.executable, "-m", "fairvec", "suites", "list"]
    plain = subprocess.run(asked, capture_output=True, check=True)
    odd = subprocess.run(asked, capture_output=True, env={**os.environ, name: "²"}, check=True)
    assert odd.stdout == plain.stdout
    assert odd.stderr == b""
