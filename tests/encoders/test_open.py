"""Opening an encoder by what its folder holds."""

import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from fairvec.api.models import as_model
from fairvec.core.errors import (
    DownloadError,
    FairvecError,
    FileFormatError,
    SettingError,
    UnknownNameError,
)
from fairvec.encoders import TextModel
from fairvec.encoders import open as opening
from fairvec.encoders.base import EncoderKind, Source
from fairvec.encoders.open import KINDS, is_encoder_name, open_encoder
from fairvec.geometry import FloatArray
from fairvec.languages.sentences import Sentence
from tests.encoders.elmo.toys import toy_elmo
from tests.encoders.tiny_transformers import tiny

WORD = Sentence("this is a ", "king", "")


@pytest.fixture(autouse=True)
def own_home(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    monkeypatch.setenv("FAIRVEC_HOME", str(tmp_path / "home"))
    return tmp_path / "home"


def test_a_folder_is_opened_by_what_it_holds(tmp_path: Path) -> None:
    bert, elmo = tiny("Bert", tmp_path / "bert"), toy_elmo(tmp_path / "elmo")
    kinds = {open_encoder(folder).model.settings["kind"] for folder in (bert, elmo)}
    assert kinds == {"transformer", "elmo"}
    encoder = open_encoder(bert, pooling="word", layer="1", language="en")
    assert (encoder.name, encoder.languages) == ("bert", ("en",))
    assert encoder.history[0].details["pooling"] == "word"
    assert encoder.encode([WORD]).shape == (1, 16)


def test_a_folder_whose_name_says_nothing_is_called_by_the_one_around_it(tmp_path: Path) -> None:
    assert open_encoder(tiny("Bert", tmp_path / "rubert" / "model")).name == "rubert"


def test_vectors_are_kept_by_weights_and_choices(tmp_path: Path, own_home: Path) -> None:
    folder = tiny("Bert", tmp_path / "bert")
    first = open_encoder(folder).encode([WORD])
    (kept,) = (own_home / "sentences").iterdir()
    open_encoder(folder, pooling="word").encode([WORD])
    assert len([*(own_home / "sentences").iterdir()]) == 2
    open_encoder(folder, keep=False, name="other").encode([Sentence.alone("queen")])
    again = open_encoder(folder)
    assert again.store is not None
    assert again.store.path == kept
    np.testing.assert_array_equal(again.encode([WORD]), first)


def test_kept_vectors_need_no_torch(tmp_path: Path) -> None:
    folder = tiny("Bert", tmp_path / "bert")
    open_encoder(folder).encode([WORD])
    open_encoder(folder).pieces(["king"])
    program = (
        "import sys\nfrom fairvec.languages.sentences import Sentence\n"
        "from fairvec.encoders.open import open_encoder\n"
        f"encoder = open_encoder({str(folder)!r})\n"
        "encoder.encode([Sentence('this is a ', 'king', '')])\nencoder.pieces(['king'])\n"
        "print([one for one in ('torch', 'transformers', 'tokenizers') if one in sys.modules])"
    )
    answer = subprocess.run(
        [sys.executable, "-c", program], env={**os.environ}, capture_output=True, text=True
    )
    assert (answer.stdout.strip(), answer.stderr) == ("[]", "")


def test_a_function_is_opened_too() -> None:
    named = "python:tests.encoders.test_encoder:lengths"
    assert open_encoder(named).encode([WORD]).tolist() == [[14, 1, 1]]
    assert open_encoder(lambda texts: np.ones((len(texts), 2)), name="ones").name == "ones"
    assert open_encoder(named).name == named.removeprefix("python:")
    assert open_encoder(named, name="mine", language="en").name == "mine"
    with pytest.raises(SettingError, match="no layers"):
        open_encoder(named, layer="0")


class Echo(TextModel):
    """The length of a text; what a new kind of encoder costs."""

    dimensions, precision = 1, 1e-7

    def __init__(self, address: str) -> None:
        self.address = address

    @property
    def settings(self) -> dict[str, str]:
        return {"kind": "echo", "echo": self.address}

    def encode(self, sentences: Sequence[Sentence]) -> FloatArray:
        return np.array([[len(sentence.text)] for sentence in sentences], dtype=np.float32)


def claims_echo(source: Source) -> bool:
    return isinstance(source, str) and source.startswith("echo://")


def test_a_kind_is_one_line_of_the_tuple(monkeypatch: pytest.MonkeyPatch) -> None:
    source = "echo://here/model.bin"
    assert not is_encoder_name(source)
    echo = EncoderKind("echo", claims_echo, lambda source, choices, name: Echo(source))
    monkeypatch.setattr(opening, "KINDS", (*KINDS, echo))
    assert is_encoder_name(source)
    encoder = open_encoder(source)
    assert encoder.name == source
    assert encoder.history[0].details == {"from": "echo", "echo": source}
    assert encoder.encode([WORD]).tolist() == [[14]]
    assert encoder.pieces(["king"]) == [(1, 0)]
    assert encoder.store is None
    assert encoder.content_hash == open_encoder(source).content_hash


def test_a_source_is_claimed_by_one_kind_first_and_named_in_the_settings(tmp_path: Path) -> None:
    assert len({kind.name for kind in KINDS}) == len(KINDS)
    for source in (
        lambda texts: np.ones((len(texts), 2)),
        "python:tests.encoders.test_encoder:lengths",
        tiny("Bert", tmp_path / "bert"),
        toy_elmo(tmp_path / "elmo"),
    ):
        first = next(kind for kind in KINDS if kind.claims(source))
        assert open_encoder(source).model.settings["kind"] == first.name


def test_what_is_no_encoder_is_reported(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    (tmp_path / "file.txt").write_text("x")
    for source, message in (
        (tmp_path / "empty", "holds no encoder"),
        (tmp_path / "file.txt", "is a file"),
        (tmp_path / "nothing", "There is no folder"),
        (tmp_path / ("a" * 5000), "There is no folder"),
    ):
        with pytest.raises(FileFormatError, match=message):
            open_encoder(source)


def test_a_name_of_the_hub_is_not_fetched_unless_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    message = r"on this machine; check the name, or say --download \(download=True\)\.$"
    with pytest.raises(DownloadError, match=f"^'owner/name' is no folder.*{message}"):
        open_encoder("owner/name")


@pytest.mark.parametrize(
    ("source", "is_one"),
    [
        ("python:a:b", True),
        ("owner/name", True),
        ("glove-en-small", False),
        ("folder/file.txt", False),
        ("folder/file.vec.gz", False),
        ("/absolute/owner/name", False),
    ],
)
def test_an_encoder_is_known_by_its_name(source: str, is_one: bool) -> None:
    assert is_encoder_name(source) is is_one


@pytest.mark.parametrize("gone", ["config.json", "tokenizer.json", "model.safetensors"])
def test_a_missing_file_is_named(tmp_path: Path, gone: str) -> None:
    folder = tiny("Bert", tmp_path / "bert")
    (folder / gone).unlink()
    with pytest.raises(FairvecError, match=gone.partition(".")[0]):
        open_encoder(folder).encode([WORD])


def test_a_name_that_no_disk_can_hold_is_no_encoder_and_no_model() -> None:
    assert not is_encoder_name("a" * 5000)
    assert not is_encoder_name("a" * 5000 + ".vec")
    with pytest.raises(UnknownNameError, match="no file or model named"):
        as_model("a" * 5000)
