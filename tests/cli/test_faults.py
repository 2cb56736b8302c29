"""A fault of fairvec is one sentence and an exit code of its own, whatever it was."""

import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from fairvec import catalogue
from fairvec.cli.startup import TRACEBACK
from fairvec.core.errors import is_out_of_memory, redact
from tests.cli.conftest import Shell

KINDS: list[type[Exception]] = [
    ArithmeticError,
    AssertionError,
    AttributeError,
    EOFError,
    IndexError,
    KeyError,
    NotImplementedError,
    OverflowError,
    RecursionError,
    RuntimeError,
    StopIteration,
    TypeError,
    ValueError,
    np.linalg.LinAlgError,
]


@pytest.fixture(autouse=True)
def logs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder into which details are written."""
    folder = tmp_path / "logs"
    folder.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(folder))
    monkeypatch.delenv(TRACEBACK, raising=False)
    return folder


LONG = "x" * 5000


def failing(monkeypatch: pytest.MonkeyPatch, error: BaseException) -> None:
    def fail() -> None:
        raise error

    monkeypatch.setattr(catalogue, "models", fail)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(kind=st.sampled_from(KINDS), message=st.text(max_size=60))
def test_whatever_is_raised_is_one_sentence_and_a_code_of_its_own(
    shell: Shell, monkeypatch: pytest.MonkeyPatch, kind: type[Exception], message: str
) -> None:
    failing(monkeypatch, kind(message))
    answer = shell("models", "list")
    assert answer.code == 3
    assert answer.out == ""
    (line,) = answer.err.strip("\n").split("\n")
    assert line.startswith("error: this is a fault of fairvec")
    assert kind.__name__ in line
    assert "report it" in line
    log = Path(line.rpartition("details are in ")[2].removesuffix("."))
    details = log.read_text(encoding="utf-8")
    assert "Traceback" in details
    assert "models list" in details
    log.unlink()


@pytest.mark.parametrize(
    ("kind", "message"),
    [
        (MemoryError, ""),
        (MemoryError, "Unable to allocate 3.35 GiB for an array"),
        (RuntimeError, "can't start new thread"),
        (RuntimeError, "DefaultCPUAllocator: can't allocate memory: you tried to allocate 9 bytes"),
        (ImportError, "a.so: failed to map segment from shared object"),
        (OSError, "[Errno 12] Cannot allocate memory"),
    ],
)
def test_memory_that_ran_out_is_an_error_with_a_remedy(
    shell: Shell,
    monkeypatch: pytest.MonkeyPatch,
    logs: Path,
    kind: type[Exception],
    message: str,
) -> None:
    failing(monkeypatch, kind(message))
    answer = shell("models", "list")
    assert answer.code == 3
    assert len(answer.err.strip().splitlines()) == 1
    assert answer.err.startswith("error: the memory of this machine ran out")
    assert message in answer.err
    assert "--max-memory" in answer.err
    assert "Traceback" not in answer.err
    (log,) = logs.iterdir()
    assert answer.err.endswith(f"the details are in {log}.\n")
    assert kind.__name__ in log.read_text()


def test_a_library_that_found_no_room_is_recognised_by_the_first_error() -> None:
    message = "libx.so: failed to map segment from shared object"
    for hidden in (ImportError("This can happen for many reasons"), OSError("It cannot be loaded")):
        assert not is_out_of_memory(hidden)
        hidden.__context__ = OSError(message)
        assert is_out_of_memory(hidden)
    assert not is_out_of_memory(ValueError(message))


def test_a_runtime_error_is_of_memory_only_where_it_says_so() -> None:
    assert not is_out_of_memory(RuntimeError("mat1 and mat2 shapes cannot be multiplied"))


@pytest.mark.skipif(os.name == "nt", reason="of POSIX systems")
def test_a_log_is_for_its_user_alone_and_holds_no_secret(
    shell: Shell, monkeypatch: pytest.MonkeyPatch, logs: Path
) -> None:
    failing(monkeypatch, ValueError("tcp://me:hidden@host failed, http://h/?token=hidden&x=1"))
    assert shell("models", "list").code == 3
    (log,) = logs.iterdir()
    assert log.stat().st_mode & 0o777 == 0o600
    text = log.read_text()
    assert "hidden" not in text
    assert "tcp://***@host" in text
    assert "token=***&x=1" in text


@pytest.mark.parametrize(
    "secret",
    [
        "https://me:hid@hidden@host/x",
        "https://host/x?X-Amz-Signature=hidden&y",
        "MY_API_KEY=hidden",
        "--set password=hidden",
        "{'Authorization': 'Bearer hidden-hidden'}",
        "hf_hiddenhiddenhidden",
    ],
    ids=["address", "signature", "key", "password", "header", "hub"],
)
def test_no_secret_of_a_fault_is_printed(
    shell: Shell, monkeypatch: pytest.MonkeyPatch, logs: Path, secret: str
) -> None:
    monkeypatch.setattr("sys.argv", ["fairvec", "audit", secret])
    failing(monkeypatch, ValueError(f"odd {secret}"))
    answer = shell("models", "list")
    (log,) = logs.iterdir()
    monkeypatch.setenv(TRACEBACK, "1")
    for text in (answer.err, log.read_text(), shell("models", "list").err):
        assert "hidden" not in text
        assert "***" in text


def test_hiding_secrets_takes_no_time_on_long_texts() -> None:
    for part in ("-a", "token", "://", "a" * 29 + "-", "Bearer "):
        long = part * (100_000 // len(part))
        assert len(redact(long)) <= len(long) + 3


def test_a_full_disk_leaves_no_empty_log(
    shell: Shell, monkeypatch: pytest.MonkeyPatch, logs: Path
) -> None:
    def full(handle: int, *_: object) -> None:
        os.close(handle)
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("fairvec.core.errors.os.fdopen", full)
    failing(monkeypatch, ValueError("odd"))
    assert f"{TRACEBACK}=1" in shell("models", "list").err
    assert list(logs.iterdir()) == []


@pytest.mark.skipif(os.name == "nt", reason="of POSIX systems")
def test_a_temporary_folder_that_is_not_there_is_no_trouble(tmp_path: Path) -> None:
    program = """
from fairvec import catalogue, cli
catalogue.models = lambda: [None]
cli.main()
"""
    done = subprocess.run(
        [sys.executable, "-c", program, "models", "list"],
        capture_output=True,
        text=True,
        cwd=tmp_path,
        env=os.environ | {"TMPDIR": str(tmp_path / "absent")},
        check=False,
    )
    assert done.returncode == 3
    log = Path(done.stderr.rpartition("details are in ")[2].strip().removesuffix("."))
    assert "Traceback" in log.read_text()
    log.unlink()


def test_an_interruption_is_one_line(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    failing(monkeypatch, KeyboardInterrupt())
    assert shell("models", "list") == (130, "", "Interrupted.\n")
    failing(monkeypatch, KeyboardInterrupt("Interrupted; \x1b[31m3 cells are kept."))
    assert shell("models", "list") == (130, "", "Interrupted; \\u001b[31m3 cells are kept.\n")


@pytest.mark.skipif(os.name == "nt", reason="Windows has no SIGINT to send")
def test_a_real_interruption_is_one_line(tmp_path: Path) -> None:
    ready = tmp_path / "ready"
    program = f"""
import pathlib, signal, time
from fairvec import catalogue, cli
# A job in the background is started with interruptions ignored.
signal.signal(signal.SIGINT, signal.default_int_handler)
def wait():
    pathlib.Path({str(ready)!r}).touch()
    time.sleep(60)
catalogue.models = wait
cli.main()
"""
    command = [sys.executable, "-c", program, "models", "list"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        while not ready.exists() and process.poll() is None:
            time.sleep(0.02)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate()
    assert (process.returncode, out, err.split()) == (130, b"", [b"Interrupted."])


def test_the_traceback_is_shown_when_asked_for(
    shell: Shell, monkeypatch: pytest.MonkeyPatch, logs: Path
) -> None:
    monkeypatch.setenv(TRACEBACK, "1")
    failing(monkeypatch, ValueError("odd"))
    answer = shell("models", "list")
    assert answer.code == 3
    assert "Traceback" in answer.err
    assert answer.err.rstrip().splitlines()[-1].startswith("error: this is a fault of fairvec")
    assert list(logs.iterdir()) == []


def test_without_a_place_for_the_details_the_variable_is_named(
    shell: Shell, monkeypatch: pytest.MonkeyPatch, logs: Path
) -> None:
    logs.rmdir()
    failing(monkeypatch, ValueError("odd"))
    answer = shell("models", "list")
    assert answer.code == 3
    assert f"run it again with {TRACEBACK}=1" in answer.err


def test_a_fault_says_where_it_was(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(catalogue, "models", lambda: [None])
    answer = shell("models", "list")
    assert re.search(r"AttributeError: .* in api/lists\.py, line \d+", answer.err)


@pytest.mark.parametrize("arguments", [(), ("nonsense",), ("audit",), ("models", "get", "x")])
def test_bad_input_stays_bad_input(shell: Shell, arguments: tuple[str, ...]) -> None:
    answer = shell(*arguments)
    assert answer.code == 2
    assert "this is a fault" not in answer.err


def test_help_names_every_exit_code(shell: Shell) -> None:
    page = " ".join(shell("--help").out.split())
    for code in (
        "0 all is well",
        "1 a check failed",
        "2 bad input",
        "3 a fault",
        "130 interrupted",
    ):
        assert code in page


@pytest.mark.parametrize(
    "arguments",
    [
        ("audit", LONG),
        ("convert", "glove-en-small", LONG),
        ("audit", "glove-en-small", "--suite", LONG),
        ("concepts", "show", LONG),
        ("analogy", "glove-en-small", "man", "king", "woman", "--method", LONG),
        ("suites", "new", LONG),
        ("frontier", "glove-en-small", "-o", "x", "--concept", LONG),
    ],
    ids=["model", "file", "suite", "concept", "method", "new file", "frontier"],
)
def test_a_name_of_thousands_of_letters_is_not_repeated(
    shell: Shell, arguments: tuple[str]
) -> None:
    answer = shell(*arguments)
    assert answer.code == 2
    assert answer.err.count("\n") == 1
    assert len(answer.err) < 700
    assert "make room" not in answer.err
