"""The input embeddings of a transformer as word vectors, and what a token stands for."""

import json
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from fairvec.embedding import Embedding, Step
from fairvec.encoders.model_folder import require_folder
from fairvec.encoders.transformer.config import check_files
from fairvec.encoders.transformer.loading import load_network, load_tokenizer

CONTINUES = "##"
"""The prefix of the key of a piece that continues a word, for every tokenizer."""


class WordPart(NamedTuple):
    """The letters of a token, whether it continues a word, and whether its letters are complete."""

    letters: str
    continues: bool = False
    whole_letters: bool = True


def read_input_embeddings(folder: Path) -> Embedding:
    """Return the input-embedding matrix of a transformer: one vector a piece of its vocabulary.

    A piece that begins a word has the word's own letters as its key, without the mark of its
    tokenizer (Ġ, ▁) and with the bytes of a byte-level vocabulary read as letters; one that goes on
    inside a word begins with ##. Special tokens, and vocabularies that mark neither, stay as they
    are. Of two pieces with one key the first counts; the history says how many were left out.
    """
    check_files(require_folder(folder))
    tokenizer = load_tokenizer(folder)
    matrix = load_network(folder).get_input_embeddings().weight.detach().numpy()
    parse_token = reader_of_pieces(description_of(tokenizer))
    verbatim = {*tokenizer.all_special_tokens, *tokenizer.get_added_vocab()}
    rows: dict[str, int] = {}
    repeated = 0
    vocabulary = sorted(tokenizer.get_vocab().items(), key=lambda item: item[1])
    for token, number in vocabulary:
        if number >= len(matrix):
            continue
        piece = WordPart(token) if token in verbatim else parse_token(token)
        key = f"{CONTINUES}{piece.letters}" if piece.continues else piece.letters
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


def description_of(tokenizer: Any) -> str:
    """Return the JSON of a tokenizer of transformers or tokenizers; of a slow one, {}."""
    fast = getattr(tokenizer, "backend_tokenizer", tokenizer)
    description: str = fast.to_str() if hasattr(fast, "to_str") else "{}"
    return description


def ends_are_marked(description: str) -> bool:
    """Say whether a vocabulary marks the ends of words and not their beginnings."""
    return bool(json.loads(description).get("model", {}).get("end_of_word_suffix"))


WORDPIECE = "##"
_SPACE = "▁"
_BYTE_SPACE = "Ġ"


def reader_of_pieces(description: str) -> Callable[[str], WordPart]:
    """Return the function that parses a token of this tokenizer.

    ## of WordPiece continues a word; Ġ and ▁ begin one, and the bytes of a byte-level
    vocabulary are read as letters. Vocabularies that mark neither are read as they are.
    """
    model = json.loads(description).get("model", {})
    if model.get("type") == "WordPiece":
        prefix = model.get("continuing_subword_prefix", WORDPIECE)
        return lambda token: _word_part(token, token.startswith(prefix), token.removeprefix(prefix))
    if '"ByteLevel"' in description:
        return lambda token: _parse_byte_level(token)
    if _SPACE in description:
        return lambda token: _word_part(
            token, not token.startswith(_SPACE), token.removeprefix(_SPACE)
        )
    return WordPart


def _word_part(token: str, continues: bool, letters: str) -> WordPart:
    return WordPart(letters, continues) if letters else WordPart(token)


def _parse_byte_level(token: str) -> WordPart:
    letters = token.removeprefix(_BYTE_SPACE)
    try:
        text = bytes(_byte_letters()[letter] for letter in letters).decode()
    except (KeyError, UnicodeDecodeError):  # an incomplete letter stays as the tokenizer writes it
        return WordPart(token, whole_letters=False)
    return _word_part(token, letters == token, text)


@cache
def _byte_letters() -> dict[str, int]:
    """Return the byte of each letter of a byte-level vocabulary (GPT-2)."""
    plain = [*range(ord("!"), ord("~") + 1), *range(ord("¡"), ord("¬") + 1)]
    plain += range(ord("®"), ord("ÿ") + 1)
    others = [byte for byte in range(256) if byte not in plain]
    shifted = {chr(256 + place): byte for place, byte in enumerate(others)}
    return {chr(byte): byte for byte in plain} | shifted
