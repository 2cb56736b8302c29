"""One encoder in several threads: the same rows, and nothing of what was silenced stays silent."""

import os
import warnings
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
from transformers.utils import logging

from fairvec.encoders import Encoder
from fairvec.encoders.base import Choices
from fairvec.encoders.transformer import read_transformer
from fairvec.languages.sentences import Sentence
from tests.encoders.tiny import TEXTS, tiny

SENTENCES = [Sentence.alone(text) for text in TEXTS]


def test_threads_read_as_one_does_and_leave_no_silence(tmp_path: Path) -> None:
    folder = tiny("Bert", tmp_path / "bert")
    spoken: Any = logging
    before = (spoken.get_verbosity(), [*warnings.filters], os.environ.get("TOKENIZERS_PARALLELISM"))

    def read(_: int) -> Any:
        return Encoder(read_transformer(folder, Choices())).encode(SENTENCES)

    alone = read(0)
    with ThreadPoolExecutor(4) as pool:
        assert all(np.array_equal(rows, alone) for rows in pool.map(read, range(4)))
    after = (spoken.get_verbosity(), [*warnings.filters], os.environ.get("TOKENIZERS_PARALLELISM"))
    assert after == before
