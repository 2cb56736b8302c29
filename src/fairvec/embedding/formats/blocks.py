"""An embedding as blocks of rows, so that no second copy of its matrix is ever held."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from fairvec.embedding.embedding import Embedding
from fairvec.embedding.formats.checks import refuse_non_finite
from fairvec.embedding.formats.reading import Vectors
from fairvec.ground.disk.files import Progress
from fairvec.ground.machine.mapped_files import let_go

BLOCK_VALUES = 1 << 18


class Block(NamedTuple):
    """Some keys and their finite vectors."""

    keys: Sequence[str]
    vectors: Vectors


def blocks(embedding: Embedding, path: Path, progress: Progress | None) -> Iterator[Block]:
    """Yield all rows in their order, refusing NaN and infinity on the way."""
    rows = max(1, BLOCK_VALUES // embedding.dimensions)
    for start in range(0, len(embedding), rows):
        keys = embedding.keys[start : start + rows]
        vectors = embedding.vectors[start : start + rows]
        refuse_non_finite(path, keys, vectors)
        yield Block(keys, vectors)
        let_go(vectors)
        if progress is not None:
            progress(min(start + rows, len(embedding)), len(embedding))
