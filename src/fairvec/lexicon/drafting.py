"""The TOML of a first draft: text in quotes, and example words in a language's script."""

import json
from collections.abc import Mapping
from typing import TypeVar

from fairvec.languages.scripts import script_of_language

Examples = TypeVar("Examples")


def quoted(text: str) -> str:
    """Return the text as TOML writes it."""
    # A JSON string is a TOML basic string, but for DEL, which JSON leaves bare.
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


def entry(example: str) -> str:
    """Return `word`, or `word|transliteration|gloss`, as an entry of a list."""
    word, *helps = example.split("|")
    if not helps:
        return quoted(word)
    transliteration, gloss = helps
    return (
        f"{{ word = {quoted(word)}, transliteration = {quoted(transliteration)}, "
        f"gloss = {quoted(gloss)} }}"
    )


def in_script_of(language: str, examples: Mapping[str, Examples]) -> Examples:
    """Return the examples in the script of a language; Latin ones where there are none."""
    return examples.get(script_of_language(language, ()), examples["LATIN"])
