"""A tokenizer of Hugging Face and the input embeddings of its model."""

from typing import Any

import numpy as np

from fairvec.api.holding.kinds import comes_from
from fairvec.api.holding.numbers import numbers_of
from fairvec.api.holding.vocabularies import Held
from fairvec.encoders.transformer.pieces_of_words import (
    description_of,
    ends_are_marked,
    reader_of_pieces,
)
from fairvec.ground.errors import SettingError

MARKS = ("##", "Ġ", "▁")


def is_tokenizer(held: Any) -> bool:
    """Say whether an object is a tokenizer of transformers or tokenizers."""
    return any(comes_from(held, package, "get_vocab") for package in ("transformers", "tokenizers"))


def input_vectors(tokenizer: Any, model: Any, name: str) -> Held:
    """Return the pieces of a vocabulary that begin a word, under their plain form, with their rows.

    Left out, and counted in the history, are pieces that go on inside a word (##ing) or hold part
    of a letter, special tokens, and all but the first of pieces with one plain form. A piece that
    begins a word may be no whole word: a vocabulary does not tell "hou" of "house" from a word.
    """
    matrix = np.asarray(numbers_of(_matrix(model, name), name))
    description = description_of(tokenizer)
    if ends_are_marked(description):
        raise SettingError(
            f"{name}: this vocabulary marks where words end and not where they begin, so whole "
            "words cannot be told from endings; make word vectors with 'fairvec distil'."
        )
    read = reader_of_pieces(description)
    vocabulary = sorted(tokenizer.get_vocab().items(), key=lambda item: item[1])
    if description == "{}" and any(mark in token for token, _ in vocabulary for mark in MARKS):
        raise SettingError(
            f"{name}: the tokenizer {type(tokenizer).__name__} does not say which of its marks "
            "begin a word; open the fast one (use_fast=True)."
        )
    special = {*getattr(tokenizer, "all_special_tokens", ()), *_added(tokenizer)}
    rows: dict[str, int] = {}
    inside = specials = beyond = repeated = 0
    collision = ""
    for token, row in vocabulary:
        piece = read(token)
        if token in special:
            specials += 1
        elif not 0 <= row < len(matrix):
            beyond += 1
        elif piece.continues or not piece.whole_letters:
            inside += 1
        elif piece.letters in rows:
            repeated += 1
            collision = collision or piece.letters
        else:
            rows[piece.letters] = row
    notes = {
        "pieces inside words left out": inside,
        "special tokens left out": specials,
        "tokens without a row left out": beyond,
        "pieces left out as repeated": repeated,
        "such as": collision,
    }
    kept = {what: said for what, said in notes.items() if said}
    path = str(getattr(tokenizer, "name_or_path", "") or "")
    title = path.rstrip("/").rpartition("/")[2]
    return Held([*rows], matrix[[*rows.values()]], "input embeddings", kept, title)


def _matrix(model: Any, name: str) -> Any:
    layer = model.get_input_embeddings() if hasattr(model, "get_input_embeddings") else model
    matrix = getattr(layer, "weight", layer)
    if getattr(matrix, "ndim", 0) != 2:
        raise SettingError(
            f"{name}: {type(model).__name__} has no matrix of input embeddings; give the model, or "
            "the matrix itself, beside its tokenizer."
        )
    return matrix


def _added(tokenizer: Any) -> list[str]:
    """Return the tokens that were added to the vocabulary of a tokenizer."""
    if hasattr(tokenizer, "get_added_vocab"):
        return [*tokenizer.get_added_vocab()]
    if hasattr(tokenizer, "get_added_tokens_decoder"):
        return [each.content for each in tokenizer.get_added_tokens_decoder().values()]
    return []
