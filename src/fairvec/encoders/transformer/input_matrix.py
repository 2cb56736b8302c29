"""The input embeddings of a transformer as an ordinary word list."""

import json
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from fairvec.embedding import Embedding, Step
from fairvec.encoders.model_folder import checked_folder
from fairvec.encoders.transformer.files import check_files
from fairvec.encoders.transformer.loading import load_network, load_tokenizer

CONTINUES = "##"
"""What stands before the key of a piece that goes on inside a word, whatever its tokenizer does."""

_SPACE = "▁"
_BYTE_SPACE = "Ġ"


def token_embeddings(folder: Path) -> Embedding:
    """Return the input-embedding matrix of a transformer: one vector a piece of its vocabulary.

    A piece that begins a word has the word's own letters as its key, without the mark of its
    tokenizer (Ġ, ▁) and with the bytes of a byte-level vocabulary read as letters; one that goes on
    inside a word begins with ##. Special tokens, and vocabularies that mark neither, stay as they
    are. Of two pieces with one key the first counts; the history says how many were left out.
    """
    check_files(checked_folder(folder))
    tokenizer = load_tokenizer(folder)
    matrix = load_network(folder).get_input_embeddings().weight.detach().numpy()
    named = _naming(tokenizer)
    left_as_is = {*tokenizer.all_special_tokens, *tokenizer.get_added_vocab()}
    rows: dict[str, int] = {}
    repeated = 0
    vocabulary = sorted(tokenizer.get_vocab().items(), key=lambda item: item[1])
    for token, number in vocabulary:
        if number >= len(matrix):
            continue
        key = token if token in left_as_is else named(token)
        repeated += key in rows
        rows.setdefault(key, number)
    vectors = np.ascontiguousarray(matrix[list(rows.values())])
    details = {
        "from": "input embeddings",
        "folder": folder.name,
        "rows without a key": len(matrix) - len(rows) - repeated,
        "keys left out as repeated": repeated,
    }
    return Embedding([*rows], vectors, name=folder.name, history=(Step("read", details),))


def _naming(tokenizer: Any) -> Callable[[str], str]:
    """Return how a token of this tokenizer becomes a key."""
    described = tokenizer.backend_tokenizer.to_str() if tokenizer.is_fast else "{}"
    model = json.loads(described).get("model", {})
    if model.get("type") == "WordPiece":
        prefix = model.get("continuing_subword_prefix", CONTINUES)
        return lambda token: _marked(token, token.startswith(prefix), token.removeprefix(prefix))
    if '"ByteLevel"' in described:
        return lambda token: _of_bytes(token)
    if _SPACE in described:
        return lambda token: _marked(
            token, not token.startswith(_SPACE), token.removeprefix(_SPACE)
        )
    return lambda token: token


def _marked(token: str, continues: bool, letters: str) -> str:
    if not letters:
        return token
    return f"{CONTINUES}{letters}" if continues else letters


def _of_bytes(token: str) -> str:
    letters = token.removeprefix(_BYTE_SPACE)
    try:
        text = bytes(_bytes()[letter] for letter in letters).decode()
    except (KeyError, UnicodeDecodeError):  # parts of a letter stay as the tokenizer writes them
        return token
    return _marked(token, letters == token, text)


@cache
def _bytes() -> dict[str, int]:
    """Return the byte that each letter of a byte-level vocabulary stands for (as in GPT-2)."""
    plain = [*range(ord("!"), ord("~") + 1), *range(ord("¡"), ord("¬") + 1)]
    plain += range(ord("®"), ord("ÿ") + 1)
    others = [byte for byte in range(256) if byte not in plain]
    shifted = {chr(256 + place): byte for place, byte in enumerate(others)}
    return {chr(byte): byte for byte in plain} | shifted
