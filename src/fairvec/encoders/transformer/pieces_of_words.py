"""What a token of a sub-word vocabulary stands for: its letters, and whether it begins a word."""

import json
from collections.abc import Callable
from functools import cache
from typing import Any, NamedTuple

WORDPIECE = "##"
_SPACE = "▁"
_BYTE_SPACE = "Ġ"


class WordPart(NamedTuple):
    """The letters of a token, whether it goes on inside a word, and whether they are whole ones."""

    letters: str
    continues: bool = False
    whole_letters: bool = True


def description_of(tokenizer: Any) -> str:
    """Return the JSON of a tokenizer of transformers or tokenizers; of a slow one, {}."""
    fast = getattr(tokenizer, "backend_tokenizer", tokenizer)
    described: str = fast.to_str() if hasattr(fast, "to_str") else "{}"
    return described


def ends_are_marked(description: str) -> bool:
    """Say whether a vocabulary marks where words end, so that beginnings are not known."""
    return bool(json.loads(description).get("model", {}).get("end_of_word_suffix"))


def reader_of_pieces(description: str) -> Callable[[str], WordPart]:
    """Return how a token of this tokenizer is read.

    ## of WordPiece goes on inside a word; Ġ and ▁ begin one, and the bytes of a byte-level
    vocabulary are read as letters. Vocabularies that mark neither are read as they are.
    """
    model = json.loads(description).get("model", {})
    if model.get("type") == "WordPiece":
        prefix = model.get("continuing_subword_prefix", WORDPIECE)
        return lambda token: _marked(token, token.startswith(prefix), token.removeprefix(prefix))
    if '"ByteLevel"' in description:
        return lambda token: _of_bytes(token)
    if _SPACE in description:
        return lambda token: _marked(
            token, not token.startswith(_SPACE), token.removeprefix(_SPACE)
        )
    return WordPart


def _marked(token: str, continues: bool, letters: str) -> WordPart:
    return WordPart(letters, continues) if letters else WordPart(token)


def _of_bytes(token: str) -> WordPart:
    letters = token.removeprefix(_BYTE_SPACE)
    try:
        text = bytes(_bytes()[letter] for letter in letters).decode()
    except (KeyError, UnicodeDecodeError):  # parts of a letter stay as the tokenizer writes them
        return WordPart(token, whole_letters=False)
    return _marked(token, letters == token, text)


@cache
def _bytes() -> dict[str, int]:
    """Return the byte that each letter of a byte-level vocabulary stands for (as in GPT-2)."""
    plain = [*range(ord("!"), ord("~") + 1), *range(ord("¡"), ord("¬") + 1)]
    plain += range(ord("®"), ord("ÿ") + 1)
    others = [byte for byte in range(256) if byte not in plain]
    shifted = {chr(256 + place): byte for place, byte in enumerate(others)}
    return {chr(byte): byte for byte in plain} | shifted
