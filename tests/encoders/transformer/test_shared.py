"""The small encoders that were trained for this project."""

from pathlib import Path

import numpy as np
import pytest

from fairvec.encoders import Encoder
from fairvec.encoders.base import Choices
from fairvec.encoders.transformer import read_transformer
from fairvec.languages.sentences import Sentence


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
