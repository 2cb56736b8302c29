"""Laws of a transformer's vectors, over the families, and agreement with transformers itself."""

from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from transformers import AutoModel, AutoTokenizer

from fairvec.core.errors import SettingError
from fairvec.encoders import Encoder
from fairvec.encoders.base import Choices
from fairvec.encoders.transformer import read_transformer, recognises
from fairvec.encoders.transformer.model import TransformerModel
from fairvec.geometry import FloatArray
from fairvec.languages.sentences import Sentence
from tests.encoders.tiny import DECODERS, DEPTH, KINDS, LONGEST, WIDTH, tiny

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
    said = tokenizer(text, return_tensors="pt", return_offsets_mapping=True)
    places = [tuple(place) for place in said.pop("offset_mapping")[0].tolist()]
    with torch.inference_mode():
        found = model(**said, output_hidden_states=True).hidden_states
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


def test_bfloat16_is_said_and_near(folders: dict[str, Path]) -> None:
    exact = read_transformer(folders["Bert"], Choices(numbers="float32"))
    coarse = read_transformer(folders["Bert"], Choices(numbers="bfloat16"))
    assert (coarse.settings["numbers"], coarse.precision) == ("bfloat16", 2**-7)
    assert coarse.content_hash != exact.content_hash
    difference = np.abs(exact.encode(SENTENCES) - coarse.encode(SENTENCES)).max()
    assert 0 < difference < 0.3


def test_an_encoder_holds_it(folders: dict[str, Path]) -> None:
    encoder = Encoder(read_transformer(folders["Roberta"]), "tiny")
    assert encoder.encode(SENTENCES).shape == (len(SENTENCES), WIDTH)
    assert encoder.encode([]).shape == (0, WIDTH)
