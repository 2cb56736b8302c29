"""Transformers: agreement with the library, refusals, threads."""

import json
import os
import pickle
import socket
import subprocess
import sys
import warnings
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from itertools import pairwise
from pathlib import Path
from shutil import copytree
from typing import Any

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from safetensors.torch import load_file, save_file
from transformers import AutoModel, AutoTokenizer
from transformers.utils import logging

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
from fairvec.encoders.transformer.model import TransformerModel
from fairvec.geometry import FloatArray
from fairvec.languages.sentences import Sentence
from tests.encoders.tiny_transformers import (
    DECODERS,
    DEPTH,
    KINDS,
    LONGEST,
    TEXTS,
    WIDTH,
    rewrite,
    tiny,
)

# --- Laws of a transformer's vectors, over the families, and agreement with transformers itself


WORDS = ["king", "королева", "रानी"]
SENTENCES = [
    Sentence(before, word, after)
    for word in WORDS
    for before, after in [("", ""), ("this is a ", "."), ("a the ", " of arts and maths")]
]


@pytest.fixture(scope="session")
def folders(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    return {kind: tiny(kind, tmp_path_factory.mktemp(kind) / kind) for kind in KINDS}


@pytest.fixture(params=KINDS)
def folder(request: pytest.FixtureRequest, folders: dict[str, Path]) -> Path:
    return folders[request.param]


@cache
def states(folder: Path, text: str) -> tuple[list[FloatArray], list[tuple[int, int]]]:
    """What transformers itself gives for one text, layer by layer."""
    tokenizer: Any = AutoTokenizer.from_pretrained(folder, local_files_only=True)
    model: Any = AutoModel.from_pretrained(folder, local_files_only=True)
    tokens = tokenizer(text, return_tensors="pt", return_offsets_mapping=True)
    places = [tuple(place) for place in tokens.pop("offset_mapping")[0].tolist()]
    with torch.inference_mode():
        found = model(**tokens, output_hidden_states=True).hidden_states
    return [layer[0].numpy() for layer in found], places


def test_it_is_recognised_and_described_without_its_weights(folder: Path) -> None:
    assert recognises(folder)
    model = read_transformer(folder)
    assert (model.dimensions, model.description.depth, model.longest) == (WIDTH, DEPTH, LONGEST)
    assert model.precision == 2**-23
    assert model.settings["pooling"] == ("last" if folder.name in DECODERS else "mean")
    assert "_network" not in vars(model)


@pytest.mark.parametrize("layer", ["last", "0", "1", "all", "0,2"])
def test_it_agrees_with_transformers(folder: Path, layer: str) -> None:
    layers, places = states(folder, "this is a king.")
    choices = Choices(layer)
    taken = np.mean([layers[one] for one in choices.layers(DEPTH + 1, "")], axis=0)
    word = [row for row, (start, end) in enumerate(places) if start < 14 and end > 10]
    expected = {"mean": taken.mean(axis=0), "last": taken[-1], "word": taken[word].mean(axis=0)}
    for pooling, vector in expected.items():
        model = read_transformer(folder, Choices(layer, pooling))  # type: ignore[arg-type]
        found = model.encode([Sentence("this is a ", "king", ".")])
        np.testing.assert_allclose(found[0], vector, atol=1e-5)


@pytest.mark.parametrize("pooling", ["mean", "last", "word"])
def test_order_and_padding_change_nothing(folder: Path, pooling: Any) -> None:
    model = read_transformer(folder, Choices("all", pooling))
    alone = np.vstack([model.encode([one]) for one in SENTENCES])
    together = model.encode(SENTENCES)
    np.testing.assert_allclose(together, alone, atol=1e-5)
    order = np.random.default_rng(0).permutation(len(SENTENCES))
    again = model.encode([SENTENCES[row] for row in order])
    np.testing.assert_allclose(again, together[order], atol=1e-5)


@given(st.permutations(range(8)), st.integers(1, 60))
@settings(max_examples=25)
def test_the_size_of_a_batch_changes_nothing(
    few: tuple[TransformerModel, FloatArray], order: list[int], budget: int
) -> None:
    model, expected = few
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("fairvec.encoders.transformer.model.CPU_BUDGET", budget)
        found = model.encode([SENTENCES[row] for row in order])
    np.testing.assert_allclose(found, expected[order], atol=1e-5)


@pytest.fixture(scope="session")
def few(folders: dict[str, Path]) -> tuple[TransformerModel, FloatArray]:
    model = read_transformer(folders["Bert"], Choices(pooling="word"))
    return model, np.vstack([model.encode([one]) for one in SENTENCES[:8]])


def test_the_mean_of_layers_is_their_mean(folder: Path) -> None:
    each = [read_transformer(folder, Choices(str(n))).encode(SENTENCES) for n in range(DEPTH + 1)]
    whole = read_transformer(folder, Choices("all")).encode(SENTENCES)
    np.testing.assert_allclose(whole, np.mean(each, axis=0), atol=1e-5)
    assert all(np.abs(one - other).max() > 0.01 for one, other in pairwise(each))


@pytest.mark.parametrize("kind", sorted(set(KINDS) - set(DECODERS)))
def test_the_first_token_sees_the_sentence_unless_it_is_a_decoder(
    kind: str, folders: dict[str, Path]
) -> None:
    found = read_transformer(folders[kind], Choices(pooling="cls")).encode(SENTENCES[:2])
    np.testing.assert_allclose(found[0], states(folders[kind], "king")[0][-1][0], atol=1e-5)
    assert np.abs(found[0] - found[1]).max() > 1e-3


@pytest.mark.parametrize("kind", DECODERS)
def test_the_first_token_of_a_decoder_is_refused(kind: str, folders: dict[str, Path]) -> None:
    with pytest.raises(SettingError, match="has seen nothing of its sentence"):
        read_transformer(folders[kind], Choices(pooling="cls"))


def test_a_word_is_found_where_it_stands_the_second_time(folder: Path) -> None:
    model = read_transformer(folder, Choices("0", "word"))
    first, second = model.encode([Sentence("", "king", " a king"), Sentence("king a ", "king", "")])
    layers, places = states(folder, "king a king")
    rows = [row for row, (start, end) in enumerate(places) if start < 11 and end > 7]
    np.testing.assert_allclose(second, layers[0][rows].mean(axis=0), atol=1e-5)
    assert np.abs(first - second).max() > 0 or folder.name == "Llama"  # it has no positions there


def test_bfloat16_is_reported_and_near(folders: dict[str, Path]) -> None:
    exact = read_transformer(folders["Bert"], Choices(dtype="float32"))
    coarse = read_transformer(folders["Bert"], Choices(dtype="bfloat16"))
    assert (coarse.settings["dtype"], coarse.precision) == ("bfloat16", 2**-7)
    assert coarse.content_hash != exact.content_hash
    difference = np.abs(exact.encode(SENTENCES) - coarse.encode(SENTENCES)).max()
    assert 0 < difference < 0.3


def test_an_encoder_holds_it(folders: dict[str, Path]) -> None:
    encoder = Encoder(read_transformer(folders["Roberta"]), "tiny")
    assert encoder.encode(SENTENCES).shape == (len(SENTENCES), WIDTH)
    assert encoder.encode([]).shape == (0, WIDTH)


# --- What is wrong with a folder or a sentence is said in one sentence ---


KING = Sentence("this is a ", "king", ".")


@pytest.fixture(scope="session")
def sound(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tiny("Bert", tmp_path_factory.mktemp("sound") / "bert")


@pytest.fixture
def folder_bad_folders(sound: Path, tmp_path: Path) -> Path:
    return Path(copytree(sound, tmp_path / "bert"))


@pytest.mark.parametrize(
    ("removed", "message"),
    [
        ("config.json", r"has no config\.json"),
        ("tokenizer.json", r"has no tokenizer \(tokenizer\.json"),
        ("model.safetensors", r"has no weights \(model\.safetensors or pytorch_model\.bin\)"),
    ],
)
def test_a_missing_file_is_named(folder_bad_folders: Path, removed: str, message: str) -> None:
    (folder_bad_folders / removed).unlink()
    with pytest.raises(FileFormatError, match=message):
        read_transformer(folder_bad_folders)


def test_a_missing_shard_is_named(folder_bad_folders: Path) -> None:
    (folder_bad_folders / "model.safetensors").unlink()
    index = folder_bad_folders / "model.safetensors.index.json"
    index.write_text('{"weight_map": {"a": "model-00001-of-00001.safetensors"}}')
    with pytest.raises(FileFormatError, match=r"has no model-00001-of-00001\.safetensors"):
        read_transformer(folder_bad_folders)


@pytest.mark.parametrize("named", ["sub/a.safetensors", "../a.safetensors", "/a.safetensors"])
def test_a_shard_outside_the_folder_is_refused(folder_bad_folders: Path, named: str) -> None:
    """One of its name in the folder would be looked at, and the other one opened."""
    (folder_bad_folders / "model.safetensors").rename(folder_bad_folders / "a.safetensors")
    index = folder_bad_folders / "model.safetensors.index.json"
    index.write_text(json.dumps({"weight_map": {"x": named}}))
    with pytest.raises(FileFormatError, match=r"names the file '.*a\.safetensors'.*no folder"):
        read_transformer(folder_bad_folders)


@pytest.mark.parametrize("named", ["other.bin", "sub/other.safetensors", "pytorch_model.bin"])
def test_weights_that_the_configuration_names_are_those_that_are_looked_at(
    folder_bad_folders: Path, named: str
) -> None:
    config = json.loads((folder_bad_folders / "config.json").read_text())
    options = config | {"transformers_weights": named}
    (folder_bad_folders / "config.json").write_text(json.dumps(options))
    (folder_bad_folders / "sub").mkdir()
    (folder_bad_folders / named).write_bytes(b"anything")
    with pytest.raises(FileFormatError, match="asks for the weights"):
        read_transformer(folder_bad_folders)
    options["transformers_weights"] = "model.safetensors"
    (folder_bad_folders / "config.json").write_text(json.dumps(options))
    assert read_transformer(folder_bad_folders).dimensions


@pytest.mark.parametrize("text", ["{", "[]", '{"model_type": 7}', "{}"])
def test_a_damaged_configuration_is_refused(folder_bad_folders: Path, text: str) -> None:
    (folder_bad_folders / "config.json").write_text(text)
    assert not recognises(folder_bad_folders)
    with pytest.raises(FileFormatError, match=r"config\.json"):
        read_transformer(folder_bad_folders)


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("model.safetensors", "transformers cannot read it"),
        ("tokenizer.json", "is not valid JSON"),
    ],
)
def test_a_damaged_file_is_refused(folder_bad_folders: Path, name: str, message: str) -> None:
    (folder_bad_folders / name).write_bytes(b"not what it should be")
    with pytest.raises(FileFormatError, match=message):
        read_transformer(folder_bad_folders).encode([KING])


def test_a_name_is_not_a_folder() -> None:
    with pytest.raises(FileFormatError, match="is not a folder; nothing is fetched by itself"):
        read_transformer(Path("bert-base-uncased"))


def test_code_that_comes_with_a_model_is_never_run(folder_bad_folders: Path) -> None:
    rewrite(folder_bad_folders / "config.json", auto_map={"AutoModel": "modeling.Evil"})
    (folder_bad_folders / "modeling.py").write_text("raise SystemExit('it ran')")
    with pytest.raises(UnsafeFileError, match="never run"):
        read_transformer(folder_bad_folders)


def test_an_encoder_with_a_decoder_is_refused(folder_bad_folders: Path) -> None:
    rewrite(folder_bad_folders / "config.json", is_encoder_decoder=True)
    with pytest.raises(FileFormatError, match="an encoder and a decoder"):
        read_transformer(folder_bad_folders)


def test_weights_are_never_made_up(folder_bad_folders: Path) -> None:
    weights = load_file(folder_bad_folders / "model.safetensors")
    lost = "encoder.layer.1.output.dense.weight"
    kept = {name: tensor for name, tensor in weights.items() if name != lost}
    save_file(kept, folder_bad_folders / "model.safetensors", {"format": "pt"})
    with pytest.raises(FileFormatError, match=f"lack 1 tensors .* as {lost}"):
        read_transformer(folder_bad_folders).encode([KING])


@pytest.mark.parametrize("shards", [1, 2])
def test_pickled_tensors_are_read_as_tensors_and_torch_opens_none(
    folder_bad_folders: Path, sound: Path, shards: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    weights = load_file(folder_bad_folders / "model.safetensors")
    (folder_bad_folders / "model.safetensors").unlink()
    names = [f"pytorch_model-{number}.bin" for number in range(shards)]
    if shards == 1:
        names = ["pytorch_model.bin"]
    else:
        index = {name: names[number % shards] for number, name in enumerate(weights)}
        (folder_bad_folders / "pytorch_model.bin.index.json").write_text(
            json.dumps({"metadata": {}, "weight_map": index})
        )
    for number, name in enumerate(names):
        part = {key: weights[key] for key in [*weights][number::shards]}
        torch.save(part, folder_bad_folders / name)

    def opened(*_: Any, **__: Any) -> None:
        raise AssertionError("torch opened it")

    monkeypatch.setattr(torch, "load", opened)
    expected = read_transformer(sound).encode([KING])
    assert (read_transformer(folder_bad_folders).encode([KING]) == expected).all()


def test_a_pooler_that_was_not_saved_is_not_missed(folder_bad_folders: Path, sound: Path) -> None:
    weights = load_file(folder_bad_folders / "model.safetensors")
    (folder_bad_folders / "model.safetensors").unlink()
    headed = {f"bert.{name}": held for name, held in weights.items() if "pooler" not in name}
    assert len(headed) < len(weights)
    headed["cls.predictions.bias"] = torch.ones(3, dtype=torch.float16)
    torch.save(headed, folder_bad_folders / "pytorch_model.bin")
    expected = read_transformer(sound).encode([KING])
    assert (read_transformer(folder_bad_folders).encode([KING]) == expected).all()


class Opened:
    """A pickle that writes a file when it is opened."""

    def __init__(self, mark: Path) -> None:
        self.mark = mark

    def __reduce__(self) -> tuple[Any, ...]:
        return os.mkdir, (str(self.mark),)


@pytest.mark.parametrize("zipped", [True, False])
def test_a_pickle_that_asks_for_more_is_not_opened(
    folder_bad_folders: Path, tmp_path: Path, zipped: bool
) -> None:
    (folder_bad_folders / "model.safetensors").unlink()
    mark, weights = tmp_path / "opened", folder_bad_folders / "pytorch_model.bin"
    if zipped:
        torch.save({"a": Opened(mark)}, weights)
    else:
        weights.write_bytes(pickle.dumps({"a": Opened(mark)}))
    with pytest.raises(FairvecError):
        read_transformer(folder_bad_folders).encode([KING])
    assert not mark.exists()


def test_weights_that_are_not_numbers_are_reported(folder_bad_folders: Path) -> None:
    weights = load_file(folder_bad_folders / "model.safetensors")
    weights["encoder.layer.0.output.dense.bias"][3] = float("nan")
    save_file(weights, folder_bad_folders / "model.safetensors", {"format": "pt"})
    with pytest.raises(EncoderError, match="gave NaN or infinity"):
        Encoder(read_transformer(folder_bad_folders), "tiny").encode([KING])


def test_a_layer_that_is_not_there_is_refused(folder_bad_folders: Path) -> None:
    with pytest.raises(SettingError, match="has no layer 3"):
        read_transformer(folder_bad_folders, Choices("3"))


@pytest.mark.parametrize(("kind", "marks"), [("Bert", 2), ("Roberta", 2), ("GPT2", 0)])
def test_the_longest_sentence_is_read_and_one_more_token_refused(
    tmp_path: Path, kind: str, marks: int
) -> None:
    model = read_transformer(tiny(kind, tmp_path / kind), Choices(pooling="mean"))
    whole = " ".join(["a"] * (LONGEST - marks))
    assert model.encode([Sentence("", "a", whole[1:])]).shape == (1, model.dimensions)
    message = rf"reads {LONGEST} tokens at the most and the sentence 'a a .* has {LONGEST + 1}"
    with pytest.raises(EncoderError, match=message):
        model.encode([KING, Sentence("", "a", whole[1:] + " a")])


def test_the_tokenizer_may_say_a_lower_limit(tmp_path: Path) -> None:
    assert read_transformer(tiny("Bert", tmp_path / "a", max_length=9)).longest == 9
    assert read_transformer(tiny("Bert", tmp_path / "b", max_length=int(1e30))).longest == LONGEST


def test_unknown_words_are_counted_and_not_guessed(folder_bad_folders: Path) -> None:
    model = read_transformer(folder_bad_folders, Choices(pooling="word"))
    known, unknown = model.pieces(["king", "龘"])
    assert known.all >= 1
    assert known.unknown == 0
    assert unknown == (1, 1)


@pytest.mark.parametrize("word", [" ", "\u0000"])
def test_a_word_of_which_nothing_is_left_is_reported(folder_bad_folders: Path, word: str) -> None:
    model = read_transformer(folder_bad_folders, Choices(pooling="word"))
    with pytest.raises(EncoderError, match="leaves nothing of the word"):
        model.encode([Sentence("a ", word, " king")])


def test_a_sentence_without_tokens_is_reported(tmp_path: Path) -> None:
    model = read_transformer(tiny("GPT2", tmp_path / "gpt2"))
    with pytest.raises(EncoderError, match="knows no token"):
        model.encode([Sentence.alone("")])


def test_a_slow_tokenizer_cannot_find_the_word(folder_bad_folders: Path) -> None:
    model = read_transformer(folder_bad_folders, Choices(pooling="word"))

    class Slow:
        is_fast = False

    vars(model)["_tokenizer"] = Slow()
    with pytest.raises(SettingError, match=r"Slow does not say which token .* another pooling"):
        model.encode([KING])


def test_weights_of_another_vocabulary_are_reported(
    folder_bad_folders: Path, tmp_path: Path
) -> None:
    other = tiny("Bert", tmp_path / "other")
    weights = load_file(other / "model.safetensors")
    name = "embeddings.word_embeddings.weight"
    weights[name] = weights[name][:5].clone()
    save_file(weights, other / "model.safetensors", {"format": "pt"})
    rewrite(other / "config.json", vocab_size=5)
    with pytest.raises(EncoderError, match="may belong to two models"):
        read_transformer(other).encode([KING])


def test_nothing_is_asked_of_the_network(
    folder_bad_folders: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refused(*_: Any) -> None:
        raise AssertionError("a connection was tried")

    monkeypatch.setattr(socket.socket, "connect", refused)
    assert read_transformer(folder_bad_folders).encode([KING]).shape == (1, 16)


def test_it_is_described_without_torch_and_read_in_silence(folder_bad_folders: Path) -> None:
    program = f"""
import os, sys, warnings
warnings.simplefilter("error")
from pathlib import Path
from fairvec.languages.sentences import Sentence
from fairvec.encoders.transformer import read_transformer
model = read_transformer(Path({str(folder_bad_folders)!r}))
model.dimensions, model.precision, model.settings, model.content_hash
assert not {{"torch", "transformers"}} & set(sys.modules)
model.encode([Sentence.alone("king")])
assert "TOKENIZERS_PARALLELISM" not in os.environ
"""
    clean = {name: value for name, value in os.environ.items() if name[:10] != "TOKENIZERS"}
    message = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=False, env=clean
    )
    assert (message.returncode, message.stdout, message.stderr) == (0, "", "")


def test_without_the_extra_it_says_what_to_install(
    folder_bad_folders: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "torch", None)
    with pytest.raises(FairvecError, match=r'pip install "fairvec\[encoders\]"'):
        read_transformer(folder_bad_folders).encode([KING])


def test_the_hash_follows_what_makes_the_vectors(folder_bad_folders: Path) -> None:
    def hashed(choices: Choices = Choices()) -> str:  # noqa: B008 - it is frozen
        return read_transformer(folder_bad_folders, choices).content_hash

    before = hashed()
    (folder_bad_folders / "README.md").write_text("nothing to do with it")
    assert hashed() == before
    assert len({before, hashed(Choices("1")), hashed(Choices(pooling="word"))}) == 3
    for name in ("config.json", "tokenizer.json", "model.safetensors"):
        content = (folder_bad_folders / name).read_bytes()
        (folder_bad_folders / name).write_bytes(content + b" ")
        assert hashed() != before
        (folder_bad_folders / name).write_bytes(content)
    assert hashed() == before


# --- One encoder in several threads: the same rows, and nothing of what was silenced stays silent


SENTENCES_THREADS = [Sentence.alone(text) for text in TEXTS]


def test_threads_read_as_one_does_and_leave_no_silence(tmp_path: Path) -> None:
    folder = tiny("Bert", tmp_path / "bert")
    spoken: Any = logging
    before = (spoken.get_verbosity(), [*warnings.filters], os.environ.get("TOKENIZERS_PARALLELISM"))

    def read(_: int) -> Any:
        return Encoder(read_transformer(folder, Choices())).encode(SENTENCES_THREADS)

    alone = read(0)
    with ThreadPoolExecutor(4) as pool:
        assert all(np.array_equal(rows, alone) for rows in pool.map(read, range(4)))
    after = (spoken.get_verbosity(), [*warnings.filters], os.environ.get("TOKENIZERS_PARALLELISM"))
    assert after == before


# --- The small encoders that were trained for this project ---


@pytest.mark.parametrize(
    ("name", "near", "far"),
    [("enc_bert_en", ("king", "queen"), "seven"), ("enc_bert_hi", ("राजा", "रानी"), "सात")],
)
def test_related_words_are_nearer(
    shared_data: Path, name: str, near: tuple[str, str], far: str
) -> None:
    pytest.importorskip("torch", reason="torch is not installed")
    model = read_transformer(shared_data / name, Choices("0", "word"))
    assert (model.dimensions, model.longest) == (256, 128)
    assert [one.unknown for one in model.pieces([*near, far])] == [0, 0, 0]
    rows = Encoder(model).encode([Sentence.alone(word) for word in (*near, far)])
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    assert rows[0] @ rows[1] > rows[0] @ rows[2]
