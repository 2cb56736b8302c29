"""What is wrong with a folder or a sentence is said in one sentence."""

import json
import os
import pickle
import socket
import subprocess
import sys
from pathlib import Path
from shutil import copytree
from typing import Any

import pytest
import torch
from safetensors.torch import load_file, save_file

from fairvec.core.errors import (
    EncoderError,
    FairvecError,
    FileFormatError,
    SettingError,
    UnsafeFileError,
)
from fairvec.encoders import Encoder
from fairvec.encoders.base import Choices
from fairvec.encoders.transformer import read_transformer, recognises
from fairvec.languages.sentences import Sentence
from tests.encoders.tiny import LONGEST, rewrite, tiny

KING = Sentence("this is a ", "king", ".")


@pytest.fixture(scope="session")
def sound(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tiny("Bert", tmp_path_factory.mktemp("sound") / "bert")


@pytest.fixture
def folder(sound: Path, tmp_path: Path) -> Path:
    return Path(copytree(sound, tmp_path / "bert"))


@pytest.mark.parametrize(
    ("removed", "said"),
    [
        ("config.json", r"has no config\.json"),
        ("tokenizer.json", r"has no tokenizer \(tokenizer\.json"),
        ("model.safetensors", r"has no weights \(model\.safetensors or pytorch_model\.bin\)"),
    ],
)
def test_a_missing_file_is_named(folder: Path, removed: str, said: str) -> None:
    (folder / removed).unlink()
    with pytest.raises(FileFormatError, match=said):
        read_transformer(folder)


def test_a_missing_shard_is_named(folder: Path) -> None:
    (folder / "model.safetensors").unlink()
    index = folder / "model.safetensors.index.json"
    index.write_text('{"weight_map": {"a": "model-00001-of-00001.safetensors"}}')
    with pytest.raises(FileFormatError, match=r"has no model-00001-of-00001\.safetensors"):
        read_transformer(folder)


@pytest.mark.parametrize("named", ["sub/a.safetensors", "../a.safetensors", "/a.safetensors"])
def test_a_shard_outside_the_folder_is_refused(folder: Path, named: str) -> None:
    """One of its name in the folder would be looked at, and the other one opened."""
    (folder / "model.safetensors").rename(folder / "a.safetensors")
    index = folder / "model.safetensors.index.json"
    index.write_text(json.dumps({"weight_map": {"x": named}}))
    with pytest.raises(FileFormatError, match=r"names the file '.*a\.safetensors'.*no folder"):
        read_transformer(folder)


@pytest.mark.parametrize("named", ["other.bin", "sub/other.safetensors", "pytorch_model.bin"])
def test_weights_that_the_configuration_names_are_those_that_are_looked_at(
    folder: Path, named: str
) -> None:
    config = json.loads((folder / "config.json").read_text())
    said = config | {"transformers_weights": named}
    (folder / "config.json").write_text(json.dumps(said))
    (folder / "sub").mkdir()
    (folder / named).write_bytes(b"anything")
    with pytest.raises(FileFormatError, match="asks for the weights"):
        read_transformer(folder)
    said["transformers_weights"] = "model.safetensors"
    (folder / "config.json").write_text(json.dumps(said))
    assert read_transformer(folder).dimensions


@pytest.mark.parametrize("text", ["{", "[]", '{"model_type": 7}', "{}"])
def test_a_damaged_configuration_is_refused(folder: Path, text: str) -> None:
    (folder / "config.json").write_text(text)
    assert not recognises(folder)
    with pytest.raises(FileFormatError, match=r"config\.json"):
        read_transformer(folder)


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("model.safetensors", "transformers cannot read it"),
        ("tokenizer.json", "is not valid JSON"),
    ],
)
def test_a_damaged_file_is_refused(folder: Path, name: str, said: str) -> None:
    (folder / name).write_bytes(b"not what it should be")
    with pytest.raises(FileFormatError, match=said):
        read_transformer(folder).encode([KING])


def test_a_name_is_not_a_folder() -> None:
    with pytest.raises(FileFormatError, match="is not a folder; nothing is fetched by itself"):
        read_transformer(Path("bert-base-uncased"))


def test_code_that_comes_with_a_model_is_never_run(folder: Path) -> None:
    rewrite(folder / "config.json", auto_map={"AutoModel": "modeling.Evil"})
    (folder / "modeling.py").write_text("raise SystemExit('it ran')")
    with pytest.raises(UnsafeFileError, match="never run"):
        read_transformer(folder)


def test_an_encoder_with_a_decoder_is_refused(folder: Path) -> None:
    rewrite(folder / "config.json", is_encoder_decoder=True)
    with pytest.raises(FileFormatError, match="an encoder and a decoder"):
        read_transformer(folder)


def test_weights_are_never_made_up(folder: Path) -> None:
    weights = load_file(folder / "model.safetensors")
    lost = "encoder.layer.1.output.dense.weight"
    kept = {name: tensor for name, tensor in weights.items() if name != lost}
    save_file(kept, folder / "model.safetensors", {"format": "pt"})
    with pytest.raises(FileFormatError, match=f"lack 1 tensors .* as {lost}"):
        read_transformer(folder).encode([KING])


def test_pickled_tensors_are_read_as_tensors_alone(folder: Path, sound: Path) -> None:
    weights = load_file(folder / "model.safetensors")
    (folder / "model.safetensors").unlink()
    torch.save(weights, folder / "pytorch_model.bin")
    expected = read_transformer(sound).encode([KING])
    assert (read_transformer(folder).encode([KING]) == expected).all()


class Opened:
    """A pickle that writes a file when it is opened."""

    def __init__(self, mark: Path) -> None:
        self.mark = mark

    def __reduce__(self) -> tuple[Any, ...]:
        return os.mkdir, (str(self.mark),)


@pytest.mark.parametrize("zipped", [True, False])
def test_a_pickle_that_asks_for_more_is_not_opened(
    folder: Path, tmp_path: Path, zipped: bool
) -> None:
    (folder / "model.safetensors").unlink()
    mark, weights = tmp_path / "opened", folder / "pytorch_model.bin"
    if zipped:
        torch.save({"a": Opened(mark)}, weights)
    else:
        weights.write_bytes(pickle.dumps({"a": Opened(mark)}))
    with pytest.raises(FairvecError):
        read_transformer(folder).encode([KING])
    assert not mark.exists()


def test_weights_that_are_not_numbers_are_said(folder: Path) -> None:
    weights = load_file(folder / "model.safetensors")
    weights["encoder.layer.0.output.dense.bias"][3] = float("nan")
    save_file(weights, folder / "model.safetensors", {"format": "pt"})
    with pytest.raises(EncoderError, match="gave NaN or infinity"):
        Encoder(read_transformer(folder), "tiny").encode([KING])


def test_a_layer_that_is_not_there_is_refused(folder: Path) -> None:
    with pytest.raises(SettingError, match="has no layer 3"):
        read_transformer(folder, Choices("3"))


@pytest.mark.parametrize(("kind", "marks"), [("Bert", 2), ("Roberta", 2), ("GPT2", 0)])
def test_the_longest_sentence_is_read_and_one_more_token_refused(
    tmp_path: Path, kind: str, marks: int
) -> None:
    model = read_transformer(tiny(kind, tmp_path / kind), Choices(pooling="mean"))
    whole = " ".join(["a"] * (LONGEST - marks))
    assert model.encode([Sentence("", "a", whole[1:])]).shape == (1, model.dimensions)
    said = rf"reads {LONGEST} tokens at the most and the sentence 'a a .* has {LONGEST + 1}"
    with pytest.raises(EncoderError, match=said):
        model.encode([KING, Sentence("", "a", whole[1:] + " a")])


def test_the_tokenizer_may_say_a_lower_limit(tmp_path: Path) -> None:
    assert read_transformer(tiny("Bert", tmp_path / "a", max_length=9)).longest == 9
    assert read_transformer(tiny("Bert", tmp_path / "b", max_length=int(1e30))).longest == LONGEST


def test_unknown_words_are_counted_and_not_guessed(folder: Path) -> None:
    model = read_transformer(folder, Choices(pooling="word"))
    known, unknown = model.pieces(["king", "龘"])
    assert known.all >= 1
    assert known.unknown == 0
    assert unknown == (1, 1)


@pytest.mark.parametrize("word", [" ", "\u0000"])
def test_a_word_of_which_nothing_is_left_is_said(folder: Path, word: str) -> None:
    model = read_transformer(folder, Choices(pooling="word"))
    with pytest.raises(EncoderError, match="leaves nothing of the word"):
        model.encode([Sentence("a ", word, " king")])


def test_a_sentence_without_tokens_is_said(tmp_path: Path) -> None:
    model = read_transformer(tiny("GPT2", tmp_path / "gpt2"))
    with pytest.raises(EncoderError, match="knows no token"):
        model.encode([Sentence.alone("")])


def test_a_slow_tokenizer_cannot_find_the_word(folder: Path) -> None:
    model = read_transformer(folder, Choices(pooling="word"))

    class Slow:
        is_fast = False

    vars(model)["_tokenizer"] = Slow()
    with pytest.raises(SettingError, match=r"Slow does not say which token .* another pooling"):
        model.encode([KING])


def test_weights_of_another_vocabulary_are_said(folder: Path, tmp_path: Path) -> None:
    other = tiny("Bert", tmp_path / "other")
    weights = load_file(other / "model.safetensors")
    name = "embeddings.word_embeddings.weight"
    weights[name] = weights[name][:5].clone()
    save_file(weights, other / "model.safetensors", {"format": "pt"})
    rewrite(other / "config.json", vocab_size=5)
    with pytest.raises(EncoderError, match="may belong to two models"):
        read_transformer(other).encode([KING])


def test_nothing_is_asked_of_the_network(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(*_: Any) -> None:
        raise AssertionError("a connection was tried")

    monkeypatch.setattr(socket.socket, "connect", refused)
    assert read_transformer(folder).encode([KING]).shape == (1, 16)


def test_it_is_described_without_torch_and_read_in_silence(folder: Path) -> None:
    program = f"""
import os, sys, warnings
warnings.simplefilter("error")
from pathlib import Path
from fairvec.languages.sentences import Sentence
from fairvec.encoders.transformer import read_transformer
model = read_transformer(Path({str(folder)!r}))
model.dimensions, model.precision, model.settings, model.content_hash
assert not {{"torch", "transformers"}} & set(sys.modules)
model.encode([Sentence.alone("king")])
assert "TOKENIZERS_PARALLELISM" not in os.environ
"""
    clean = {name: value for name, value in os.environ.items() if name[:10] != "TOKENIZERS"}
    said = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=False, env=clean
    )
    assert (said.returncode, said.stdout, said.stderr) == (0, "", "")


def test_without_the_extra_it_says_what_to_install(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "torch", None)
    with pytest.raises(FairvecError, match=r'pip install "fairvec\[encoders\]"'):
        read_transformer(folder).encode([KING])


def test_the_hash_follows_what_makes_the_vectors(folder: Path) -> None:
    def hashed(choices: Choices = Choices()) -> str:  # noqa: B008 - it is frozen
        return read_transformer(folder, choices).content_hash

    before = hashed()
    (folder / "README.md").write_text("nothing to do with it")
    assert hashed() == before
    assert len({before, hashed(Choices("1")), hashed(Choices(pooling="word"))}) == 3
    for name in ("config.json", "tokenizer.json", "model.safetensors"):
        content = (folder / name).read_bytes()
        (folder / name).write_bytes(content + b" ")
        assert hashed() != before
        (folder / name).write_bytes(content)
    assert hashed() == before
