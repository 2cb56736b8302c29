from pathlib import Path
from typing import Any

import numpy as np
import pytest
from transformers import AutoModel, AutoTokenizer

from fairvec.encoders.transformer import read_input_embeddings
from tests.encoders.tiny import tiny


@pytest.mark.parametrize("kind", ["Bert", "Roberta", "XLMRoberta", "Albert", "GPT2", "Llama"])
def test_a_word_has_the_row_of_the_piece_that_begins_it(tmp_path: Path, kind: str) -> None:
    folder = tiny(kind, tmp_path / kind)
    embedding = read_input_embeddings(folder)
    tokenizer: Any = AutoTokenizer.from_pretrained(folder, local_files_only=True)
    model: Any = AutoModel.from_pretrained(folder, local_files_only=True)
    matrix = model.get_input_embeddings().weight.detach().numpy()
    whole = 0
    for word in ["this", "king", "the", "a", "is", "она", "है", "यह"]:
        said = tokenizer(f"is {word}", add_special_tokens=False)["input_ids"]
        first = tokenizer("is", add_special_tokens=False)["input_ids"]
        if said[:-1] == first:  # the word is one piece
            whole += 1
            np.testing.assert_array_equal(embedding.rows([word])[0], matrix[said[-1]])
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
