"""gensim's own files: `.kv` and `.model`, from version 0.x to 4, with their .npy side files.

Also those of Poincaré GloVe, whose code is a fork of gensim. The pickle is rebuilt from inert
stand-ins (see safe_pickle); neither is ever imported.
"""

import re
from dataclasses import dataclass, replace
from pathlib import Path

from fairvec.embedding.formats.checks import kept
from fairvec.embedding.formats.fasttext.subwords import Subwords, composed, with_unseen
from fairvec.embedding.formats.pickles.gensim_parts import GensimPart
from fairvec.embedding.formats.pickles.safe_pickle import Shell, rebuild
from fairvec.embedding.formats.pickles.target_and_context import aggregated
from fairvec.embedding.formats.reading import Raw, ReadOptions
from fairvec.geometry import Euclidean, Geometry, Poincare, ProductOfBalls
from fairvec.ground.errors import FileFormatError
from fairvec.ground.text.remedies import without
from fairvec.ground.text.shown_values import shown

MATRICES = ("vectors", "syn0")
MODEL_PARTS = ("wv", "kv")
LONGEST_NGRAM, LONGEST_COMPOSED = 50, 5000
"""The default is 6; each letter of a word begins as many n-grams as the longest has letters."""
BEGINNING = re.compile(rb"\x80[\x01-\x05]|\(?[ci][\w.]+\n[\w.]+\n")
"""A protocol number, or in the oldest pickles the first name they ask for."""


@dataclass(frozen=True)
class GensimPickle:
    """Word2Vec, FastText, Poincaré and plain KeyedVectors as gensim's save() leaves them."""

    name: str = "gensim"
    suffixes: tuple[str, ...] = (".kv", ".model")

    def recognises(self, path: Path, head: bytes) -> bool:
        """A pickle begins with its protocol, or with a name on two lines."""
        return BEGINNING.match(head) is not None

    def read(self, path: Path, options: ReadOptions) -> Raw:
        """Read keys and vectors; points of Poincaré models lie in balls of c = 1."""
        rebuilt = rebuild(path)
        if not isinstance(rebuilt, Shell):
            raise FileFormatError(
                f"{path.name} is a pickle of {type(rebuilt).__name__}, not a model of gensim; save "
                "the vectors in word2vec text or binary format."
            )
        model = GensimPart(rebuilt, path)
        inner = [model.inner(name) for name in MODEL_PARTS]
        words = next((part for part in inner if part is not None), model)
        wants_target = options.vectors == "target"
        chosen = _target(words, options) if wants_target else _context(model, words, options)
        space = _geometry(words, chosen.vectors.shape[1])
        if options.vectors == "aggregated":
            chosen = aggregated(path, _target(words, options), chosen, space or Euclidean())
        notes = chosen.notes if wants_target else chosen.notes | {"vectors": options.vectors}
        return replace(chosen, notes=notes, geometry=space)


def _target(part: GensimPart, options: ReadOptions) -> Raw:
    for name in MATRICES:
        matrix = part.matrix(name)
        if matrix is not None:
            keys = part.keys(len(matrix))
            return kept(part.path, keys, matrix, options, counts=part.counts(len(keys)))
    rows = part.matrix("vectors_vocab")
    if rows is None:
        raise FileFormatError(
            f"{part.path.name} ({part.shell.path}) holds no vectors under a name that gensim gives "
            "them (vectors, syn0); save the word vectors alone in word2vec format."
        )
    # gensim 4 leaves the finished vectors of a FastText model out of its files.
    known = kept(part.path, part.keys(len(rows)), rows, options)
    subwords = _subwords(part, rows.shape[1])
    if subwords is None:
        return known
    longest = max(known.keys, key=len, default="")
    if len(longest) > LONGEST_COMPOSED:
        raise FileFormatError(
            f"{part.path.name}: the word {shown(longest, 20)} has {len(longest)} letters, too many "
            "for n-grams; save the vectors in word2vec format."
        )
    return with_unseen(part.path, composed(known, subwords), subwords, options)


def _context(model: GensimPart, words: GensimPart, options: ReadOptions) -> Raw:
    """Return the vectors that words have as neighbours; gensim calls them syn1neg."""
    for part in (model, model.inner("trainables"), words.inner("trainables")):
        matrix = None if part is None else part.matrix("syn1neg")
        if matrix is not None:
            keys = words.keys(len(matrix))
            return kept(model.path, keys, matrix, options, counts=words.counts(len(keys)))
    raise FileFormatError(
        f"{model.path.name} ({model.shell.path}) holds no context vectors (syn1neg); only whole "
        f"models trained with them do: leave out {without('vectors')}."
    )


def _subwords(part: GensimPart, dimensions: int) -> Subwords | None:
    """Return the n-grams of a FastText model, or None where it was trained without."""
    buckets = part.matrix("vectors_ngrams")
    shortest, longest = part.shell.get("min_n"), part.shell.get("max_n")
    if buckets is None or len(buckets) == 0 or _is_zero(part.shell.get("bucket")):
        return None
    proper = type(shortest) is int and type(longest) is int and longest <= LONGEST_NGRAM
    if not proper or buckets.shape[1:] != (dimensions,):
        raise FileFormatError(
            f"{part.path.name} holds n-grams of shape {buckets.shape} and length "
            f"{shown(shortest)} to {shown(longest)} beside vectors of {dimensions} "
            "columns; save it again with gensim."
        )
    return Subwords(buckets, shortest, longest)


def _is_zero(number: object) -> bool:
    return type(number) is int and number == 0


def _geometry(words: GensimPart, columns: int) -> Geometry | None:
    """Return the ball or balls of Poincaré models, by the class that holds the vectors."""
    if not words.kind.startswith("MixPoincare"):
        return Poincare(1.0) if words.kind.startswith("Poincare") else None
    balls = words.shell.get("num_embs")
    if type(balls) is not int or balls < 1 or columns % balls:
        raise FileFormatError(
            f"{words.path.name} ({words.kind}) shares {columns} columns among {shown(balls)} "
            "balls, which are no equal parts; save the model again."
        )
    return ProductOfBalls(balls, 1.0)
