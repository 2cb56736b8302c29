"""A tokenizer and the input embeddings of its model."""

import json
from typing import Any

import numpy as np
import pytest

from fairvec.api.models import as_model
from fairvec.core.errors import SettingError
from fairvec.embedding import Embedding
from tests.api.holding.stand_ins import like

WORDPIECE = {"[CLS]": 0, "he": 1, "##he": 2, "nurse": 3, "##s": 4}
MATRIX = np.arange(12, dtype=np.float32).reshape(6, 2)


def tokenizer(vocabulary: dict[str, int], described: dict[str, Any], **has: Any) -> Any:
    """Return the likes of tokenizers.Tokenizer."""
    text = json.dumps(described, ensure_ascii=False)
    return like(
        "tokenizers", kind="Tokenizer", get_vocab=lambda: vocabulary, to_str=lambda: text, **has
    )


def embedded(held: Any, **settings: Any) -> Embedding:
    found = as_model(held, **settings)
    assert isinstance(found, Embedding)
    return found


def test_pieces_that_begin_a_word_are_kept_and_the_others_counted() -> None:
    made = tokenizer(WORDPIECE, {"model": {"type": "WordPiece"}}, all_special_tokens=["[CLS]"])
    model = embedded((made, MATRIX))
    assert list(model) == ["he", "nurse"]
    assert model["nurse"].tolist() == [6, 7]
    assert dict(model.history[0].details) == {
        "from": "input embeddings",
        "pieces inside words left out": 2,
        "special tokens left out": 1,
    }


def test_bytes_are_read_as_letters_and_spaces_begin_words() -> None:
    # Ð and ° are the two bytes of a Cyrillic а; a lone Ð is half a letter.
    vocabulary = {"Ġhe": 0, "he": 1, "ĠÐ°": 2, "ĠÐ": 3}
    made = tokenizer(vocabulary, {"pre_tokenizer": {"type": "ByteLevel"}, "model": {"type": "BPE"}})
    model = embedded((made, MATRIX))
    assert list(model) == ["he", "а"]
    assert model["he"].tolist() == [0, 1]
    assert model.history[0].details["pieces inside words left out"] == 2


def test_sentence_pieces_lose_their_mark_and_collisions_are_named() -> None:
    vocabulary = {"▁he": 0, "he": 1, "▁she": 2, "<0x0A>": 3}
    described = {"model": {"type": "BPE"}, "decoder": {"content": "▁"}}
    assert list(embedded((tokenizer(vocabulary, described), MATRIX))) == ["he", "she"]
    doubled = tokenizer({"he": 0, "Ġhe": 1}, {"model": {"type": "WordLevel"}})
    assert list(embedded((doubled, MATRIX))) == ["he", "Ġhe"]
    padded = tokenizer({"▁he": 0, "▁": 1, "▁▁": 2}, described)
    model = embedded((padded, MATRIX))
    assert list(model) == ["he", "▁"]
    assert model.history[0].details["pieces left out as repeated"] == 1
    assert model.history[0].details["such as"] == "▁"


def test_a_token_beyond_the_matrix_has_no_vector() -> None:
    made = tokenizer({"a": 0, "b": 6}, {"model": {"type": "WordLevel"}})
    model = embedded((made, MATRIX))
    assert list(model) == ["a"]
    assert model.history[0].details["tokens without a row left out"] == 1


def test_what_cannot_be_told_is_refused() -> None:
    ends = tokenizer({"he</w>": 0}, {"model": {"type": "BPE", "end_of_word_suffix": "</w>"}})
    with pytest.raises(SettingError, match="whole words cannot be told from endings"):
        as_model((ends, MATRIX))
    slow = like("transformers.models.x", kind="SlowTokenizer", get_vocab=lambda: WORDPIECE)
    with pytest.raises(SettingError, match=r"SlowTokenizer does not say .* \(use_fast=True\)"):
        as_model((slow, MATRIX))
    plain = tokenizer({"a": 0}, {"model": {"type": "WordLevel"}})
    with pytest.raises(SettingError, match="no matrix of input embeddings"):
        as_model((plain, "model"))
    with pytest.raises(
        SettingError, match=r"Tokenizer of tokenizers alone; give \(tokenizer, model\)"
    ):
        as_model(plain)
    with pytest.raises(SettingError, match="the words or the tokenizer first"):
        as_model((MATRIX, plain))


def test_a_real_tokenizer_and_a_real_model() -> None:
    tokenizers = pytest.importorskip("tokenizers", reason="tokenizers is not installed")
    transformers = pytest.importorskip("transformers", reason="transformers is not installed")
    torch = pytest.importorskip("torch", reason="torch is not installed")
    torch.set_num_threads(1)
    made = tokenizers.Tokenizer(tokenizers.models.WordPiece(WORDPIECE, unk_token="[CLS]"))
    fast = transformers.PreTrainedTokenizerFast(tokenizer_object=made, unk_token="[CLS]")
    config = transformers.BertConfig(
        vocab_size=6, hidden_size=4, num_hidden_layers=1, num_attention_heads=1, intermediate_size=4
    )
    network = transformers.BertModel(config)
    weight = network.get_input_embeddings().weight
    for precision in (torch.float32, torch.bfloat16):
        network = network.to(precision)
        model = embedded((fast, network))
        assert list(model) == ["he", "nurse"]
        expected = weight.detach().float().numpy()[[1, 3]]
        np.testing.assert_array_equal(model.vectors, expected)
    assert model.vectors.dtype == np.float32
    assert list(embedded((fast, network.get_input_embeddings()))) == ["he", "nurse"]
    with pytest.raises(SettingError, match=r"BertModel of transformers alone; give \(tok"):
        as_model(network)
