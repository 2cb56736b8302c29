"""Loading transformers: hostile folders, input embeddings."""

import json
from pathlib import Path
from shutil import copytree
from threading import Thread
from typing import Any

import numpy as np
import pytest
import torch
from torch import nn
from transformers import AutoModel, AutoTokenizer

from fairvec.core.errors import FileFormatError
from fairvec.encoders.model_folder import read_tensors
from fairvec.encoders.transformer import read_input_embeddings, read_transformer
from fairvec.encoders.transformer.config import TransformerConfig
from fairvec.encoders.transformer.loading import (
    ALWAYS_NUMBERS,
    ALWAYS_PARTS,
    check_network_size,
    load_network,
)
from fairvec.languages.sentences import Sentence
from tests.embedding.formats.test_torch_file import archive, held, listed_twice, tensor
from tests.embedding.pickles import DEEP, keyed
from tests.encoders.tiny_transformers import tiny

# --- Folders that ask for far more than they hold, or hide what torch would not stand ---


@pytest.fixture(scope="session")
def sound(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tiny("Albert", tmp_path_factory.mktemp("sound") / "albert")


@pytest.fixture
def folder(sound: Path, tmp_path: Path) -> Path:
    return Path(copytree(sound, tmp_path / "albert"))


def say(folder: Path, **options: Any) -> None:
    config = json.loads((folder / "config.json").read_text())
    (folder / "config.json").write_text(json.dumps(config | options))


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"num_hidden_groups": 10**7}, "a network of more than 5,2.. parts"),
        ({"num_hidden_groups": 30, "intermediate_size": 10**6}, "more than 16,8.* numbers"),
    ],
)
def test_a_network_that_its_weights_cannot_fill_is_not_built(
    folder: Path, options: dict[str, int], words: str
) -> None:
    assert load_network(folder) is not None
    say(folder, **options)
    with pytest.raises(FileFormatError, match=words) as refused:
        load_network(folder)
    assert "config.json" in str(refused.value)
    # Nothing of it stays behind: networks of other makers are no affair of ours.
    torch.nn.Sequential(*(torch.nn.Identity() for _ in range(6000)))


@pytest.mark.parametrize(("layers", "proper"), [(1000, True), (1001, False), (10**30, False)])
def test_no_transformer_has_more_layers_than_can_be_built(
    folder: Path, layers: int, proper: bool
) -> None:
    say(folder, num_hidden_layers=layers)
    if proper:
        assert TransformerConfig(folder).depth == layers
        return
    with pytest.raises(FileFormatError, match=r"num_hidden_layers; .* not above 1,000"):
        _ = TransformerConfig(folder).depth


@pytest.mark.parametrize("names", [255, None])
def test_a_tokenizer_that_reads_nothing_is_reported(folder: Path, names: object) -> None:
    file = folder / "tokenizer_config.json"
    file.write_text(json.dumps(json.loads(file.read_text()) | {"model_input_names": names}))
    encoder = read_transformer(folder)
    for ask in (
        lambda: encoder.pieces(["king"]),
        lambda: encoder.encode([Sentence.alone("a king")]),
    ):
        with pytest.raises(FileFormatError, match=r"(reads no texts|cannot read it) \(TypeError"):
            ask()


HOSTILE = {
    "deep": (archive(keyed(DEEP)), "one of its keys is too large"),
    "listed twice": (listed_twice(), "does not lie where its end says"),
    "strides": (archive(held(weight=tensor(6, 0, (10**6, 10**6), (0, 0)))), "more numbers"),
}


@pytest.mark.parametrize("kind", HOSTILE)
def test_hostile_pickled_weights_are_refused_and_torch_opens_none(
    kind: str, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    content, message = HOSTILE[kind]
    (folder / "model.safetensors").unlink()
    (folder / "pytorch_model.bin").write_bytes(content)

    def opened(*_: Any, **__: Any) -> None:
        raise AssertionError("torch opened it")

    monkeypatch.setattr(torch, "load", opened)
    for read in (lambda: load_network(folder), lambda: read_tensors(folder / "pytorch_model.bin")):
        with pytest.raises(FileFormatError, match=message):
            read()


@pytest.mark.parametrize(
    "saved",
    [
        [torch.ones(2)],
        {"weight": 3},
        {"weight": [1.0]},
        {"weight": torch.eye(2).to_sparse()},
        torch.ones(2),
    ],
    ids=["a list", "a number", "a list by name", "a sparse tensor", "a tensor alone"],
)
def test_what_is_no_tensors_by_name_is_reported(saved: object, tmp_path: Path) -> None:
    torch.save(saved, tmp_path / "pytorch_model.bin")
    with pytest.raises(FileFormatError, match="holds no tensors by name"):
        read_tensors(tmp_path / "pytorch_model.bin")
    torch.save({"weight": torch.eye(2)}, tmp_path / "pytorch_model.bin")
    np.testing.assert_array_equal(read_tensors(tmp_path / "pytorch_model.bin")["weight"], np.eye(2))


# --- A network that somebody else builds meanwhile counts for nobody's file ---


def build(parts: int) -> nn.Module:
    return nn.Sequential(*(nn.Identity() for _ in range(parts)))


def test_what_another_thread_builds_is_not_counted() -> None:
    made: list[nn.Module] = []
    with check_network_size(Path("folder"), 0):
        other = Thread(target=lambda: made.append(build(ALWAYS_PARTS + 1)))
        other.start()
        other.join()
        large = Thread(target=lambda: made.append(nn.Linear(1, ALWAYS_NUMBERS + 1, device="meta")))
        large.start()
        large.join()
        build(10)
    assert len(made) == 2


def test_what_this_thread_builds_is() -> None:
    with (
        pytest.raises(FileFormatError, match="more than 5,000 parts"),
        check_network_size(Path("folder"), 0),
    ):
        build(ALWAYS_PARTS + 1)


# --- input embeddings ---


@pytest.mark.parametrize("kind", ["Bert", "Roberta", "XLMRoberta", "Albert", "GPT2", "Llama"])
def test_a_word_has_the_row_of_the_piece_that_begins_it(tmp_path: Path, kind: str) -> None:
    folder = tiny(kind, tmp_path / kind)
    embedding = read_input_embeddings(folder)
    tokenizer: Any = AutoTokenizer.from_pretrained(folder, local_files_only=True)
    model: Any = AutoModel.from_pretrained(folder, local_files_only=True)
    matrix = model.get_input_embeddings().weight.detach().numpy()
    whole = 0
    for word in ["this", "king", "the", "a", "is", "она", "है", "यह"]:
        tokens = tokenizer(f"is {word}", add_special_tokens=False)["input_ids"]
        first = tokenizer("is", add_special_tokens=False)["input_ids"]
        if tokens[:-1] == first:  # the word is one piece
            whole += 1
            np.testing.assert_array_equal(embedding.rows([word])[0], matrix[tokens[-1]])
    assert whole >= 1
    (step,) = embedding.history
    assert len(embedding) + step.details["keys left out as repeated"] == len(matrix)
    assert "<s>" in embedding
    assert any(key.startswith("##") for key in embedding.keys)
    assert not any(key[:1] in "▁Ġ" and len(key) > 1 and key[1:].isalpha() for key in embedding.keys)


@pytest.mark.parametrize(("name", "word"), [("enc_bert_en", "king"), ("enc_bert_hi", "राजा")])
def test_the_shared_encoders_know_words(shared_data: Path, name: str, word: str) -> None:
    embedding = read_input_embeddings(shared_data / name)
    assert embedding.dimensions == 256
    assert word in embedding
    assert len(embedding) == 12288
