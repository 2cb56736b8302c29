"""Sentence vectors on disk are those that were encoded, and damage is noticed."""

import os
import sqlite3
import subprocess
import sys
from contextlib import closing
from errno import ENOSPC
from pathlib import Path

import numpy as np
import pytest

from fairvec.core.errors import EncoderError
from fairvec.encoders import VectorStore
from fairvec.encoders.store import open_database
from fairvec.languages.sentences import Sentence
from tests.encoders.toys import toy_encoder
from tests.resource_limits import outcome

SENTENCES = [Sentence("this is ", word, ".") for word in ("a", "b", "हिन्दी", "ё", "")]


def test_what_was_encoded_once_is_not_encoded_again(tmp_path: Path) -> None:
    store = VectorStore(tmp_path / "deep" / "kept.sqlite")
    first, _ = toy_encoder(store)
    rows = first.encode(SENTENCES)
    second, model = toy_encoder(store)
    np.testing.assert_array_equal(second.encode(SENTENCES[::-1]), rows[::-1])
    assert model.asked == []
    more = [*SENTENCES, Sentence.alone("new")]
    np.testing.assert_array_equal(second.encode(more)[:-1], rows)
    assert model.asked == ["new"]


def test_the_same_text_with_another_word_is_another_sentence(tmp_path: Path) -> None:
    store = VectorStore(tmp_path / "kept.sqlite")
    here, there = Sentence("she saw ", "her", " her"), Sentence("she saw her ", "her", "")
    store.keep([here], np.ones((1, 2), np.float32))
    assert [*store.vectors([here, there])] == [here]


def test_pieces_are_kept_too(tmp_path: Path) -> None:
    store = VectorStore(tmp_path / "kept.sqlite")
    read = toy_encoder(store, unknown=("b",))[0].pieces(["a", "b", "a"])
    assert toy_encoder(store)[0].pieces(["a", "b", "a"]) == read
    assert read[1].unknown == 1


def test_an_interrupted_work_goes_on_where_it_stopped(tmp_path: Path) -> None:
    store = VectorStore(tmp_path / "kept.sqlite")
    many = [Sentence.alone(str(n)) for n in range(1200)]

    def stop(done: int, every: int) -> None:
        if done >= 1024:
            raise KeyboardInterrupt

    encoder, _ = toy_encoder(store)
    object.__setattr__(encoder, "on_progress", stop)
    with pytest.raises(KeyboardInterrupt):
        encoder.encode(many)
    again, model = toy_encoder(store)
    again.encode(many)
    assert len(model.asked) == 1200 - 1024


def test_a_damaged_file_is_reported_and_not_guessed_at(tmp_path: Path) -> None:
    path = tmp_path / "kept.sqlite"
    path.write_bytes(b"this is no database" * 100)
    with pytest.raises(EncoderError, match=r"kept\.sqlite.*delete the file"):
        toy_encoder(VectorStore(path))[0].encode(SENTENCES)


def test_two_processes_may_keep_at_once(tmp_path: Path) -> None:
    program = (
        "from pathlib import Path\n"
        "from fairvec.encoders import VectorStore\n"
        "from fairvec.languages.sentences import Sentence\n"
        "from tests.encoders.toys import toy_encoder\n"
        f"encoder, _ = toy_encoder(VectorStore(Path({str(tmp_path / 'kept.sqlite')!r})))\n"
        "for n in range(40): encoder.encode([Sentence.alone(str(n))])\n"
    )
    root = Path(__file__).parents[2]
    both = [
        subprocess.Popen([sys.executable, "-c", program], cwd=root, env={**os.environ})
        for _ in range(2)
    ]
    assert [one.wait(60) for one in both] == [0, 0]
    kept = VectorStore(tmp_path / "kept.sqlite").vectors(
        [Sentence.alone(str(n)) for n in range(40)]
    )
    assert len(kept) == 40


@pytest.mark.parametrize(
    "change",
    [
        "vector = substr(vector, 1, 7)",
        "vector = substr(vector, 1, 8)",
        "vector = vector || vector",
        "vector = zeroblob(0)",
        f"vector = x'{'0000c07f' * 8}'",  # NaN
        f"vector = x'{'0000807f' * 8}'",  # infinity
        "vector = NULL",
        "dtype = 'nonsense'",
        "dtype = '<f8'",
        "dtype = '|O'",
    ],
)
def test_a_kept_vector_that_cannot_be_the_models_is_reported(tmp_path: Path, change: str) -> None:
    store = VectorStore(tmp_path / "kept.sqlite")
    toy_encoder(store)[0].encode(SENTENCES)
    with closing(sqlite3.connect(store.path)) as database, database:
        first = "SELECT rowid FROM vectors LIMIT 1"
        database.execute(f"UPDATE vectors SET {change} WHERE rowid IN ({first})")
    with pytest.raises(EncoderError, match=r"kept\.sqlite.*delete the file"):
        toy_encoder(store)[0].encode(SENTENCES)


@pytest.mark.skipif(os.name == "nt", reason="of POSIX systems")
def test_a_full_disk_is_no_damaged_file(tmp_path: Path) -> None:
    """What was kept before stays, and nobody is told to delete it."""
    message = outcome(f"""
import resource
from pathlib import Path
import numpy as np
from fairvec.languages.sentences import Sentence
from fairvec.encoders import VectorStore
from fairvec.encoders.store import open_database
from fairvec.core.errors import EncoderError
store, first = VectorStore(Path({str(tmp_path / "kept.sqlite")!r})), Sentence.alone("first")
store.keep([first], np.ones((1, 2), np.float32))
resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000))
try:
    store.keep([Sentence.alone(str(one)) for one in range(400)], np.ones((400, 64)))
except EncoderError as error:
    print(len(store.vectors([first])), error)
""")
    assert message.startswith(f"1 {tmp_path / 'kept.sqlite'}: no more vectors can be kept there")
    assert "the disk is full" in message
    assert "make room" in message
    assert "delete" not in message


@pytest.mark.parametrize("code", [sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR | 3 << 8])
def test_no_room_is_reported_of_every_kind(tmp_path: Path, code: int) -> None:
    error = sqlite3.OperationalError("some words of SQLite")
    error.sqlite_errorcode = code
    with (
        pytest.raises(EncoderError, match="make room"),
        open_database(tmp_path / "a", "vectors", ()),
    ):
        raise error
    with (
        pytest.raises(EncoderError, match="because the disk is full; make room"),
        open_database(tmp_path / "a", "vectors", ()),
    ):
        raise OSError(ENOSPC, "No space left on device")
    with pytest.raises(EncoderError, match="delete"), open_database(tmp_path / "a", "vectors", ()):
        raise sqlite3.DatabaseError("file is not a database")


def test_what_another_process_writes_is_not_to_be_deleted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("fairvec.encoders.store._PATIENCE", 0.01)
    store = VectorStore(tmp_path / "kept.sqlite")
    toy_encoder(store)[0].encode(SENTENCES)
    with closing(sqlite3.connect(store.path, isolation_level=None)) as other:
        other.execute("BEGIN EXCLUSIVE")
        with pytest.raises(EncoderError, match=r"another process .* wait until") as refusal:
            toy_encoder(store)[0].encode(SENTENCES)
        assert "delete" not in str(refusal.value)
    assert len(store.vectors(SENTENCES)) == len(SENTENCES)
