"""The input embeddings of a transformer as an ordinary word list."""

from pathlib import Path

import numpy as np

from fairvec.embedding import Embedding, Step
from fairvec.encoders.model_folder import checked_folder
from fairvec.encoders.transformer.files import check_files
from fairvec.encoders.transformer.loading import load_network, load_tokenizer
from fairvec.encoders.transformer.pieces_of_words import WordPart, description_of, reader_of_pieces

CONTINUES = "##"
"""What stands before the key of a piece that goes on inside a word, whatever its tokenizer does."""


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
    read = reader_of_pieces(description_of(tokenizer))
    left_as_is = {*tokenizer.all_special_tokens, *tokenizer.get_added_vocab()}
    rows: dict[str, int] = {}
    repeated = 0
    vocabulary = sorted(tokenizer.get_vocab().items(), key=lambda item: item[1])
    for token, number in vocabulary:
        if number >= len(matrix):
            continue
        piece = WordPart(token) if token in left_as_is else read(token)
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
