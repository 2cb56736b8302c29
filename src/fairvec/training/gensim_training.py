"""Skip-gram, CBOW and fastText, as gensim trains them."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import count
from pathlib import Path
from typing import Annotated, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray
from pydantic import Field

from fairvec.core.errors import MissingExtraError, SettingError, TrainingError
from fairvec.core.io.text_files import read_lines
from fairvec.core.settings import settings
from fairvec.training.augment import LinesOfWords
from fairvec.training.encode import VocabularyLimits, no_pairs_error, vocabulary_error
from fairvec.training.models import Passes, VectorLength
from fairvec.training.progress import Progress, StageProgress
from fairvec.training.text import WordsOf

LONGEST = 10_000
"""gensim cuts a sentence after so many words, and says nothing: longer lines are given in parts."""

FASTEST = 1000.0
"""gensim falls with a signal where a larger rate of learning makes its numbers infinite."""

GensimName = Literal["skipgram", "cbow", "fasttext"]


@settings
class GensimModel:
    """Vectors that predict neighbours (skip-gram), or a word from them (CBOW); by gensim.

    In fastText a word is the sum of its character n-grams. Mikolov et al. (2013),
    arXiv:1301.3781 and 1310.4546; Bojanowski et al. (2017), doi:10.1162/tacl_a_00051.
    """

    name: Annotated[GensimName, Field(description="What is predicted, and from what.")] = "skipgram"
    dimensions: VectorLength = 100
    epochs: Passes = 5
    rate: Annotated[float, Field(gt=0, le=FASTEST, description="Pace of learning.")] = 0.025
    negative: Annotated[
        int, Field(ge=1, le=1000, description="Words drawn for each one that occurs.")
    ] = 5
    wanted: ClassVar[str] = "Training skip-gram, CBOW or fastText"


@dataclass(frozen=True)
class _Lines:
    """The lines of files as lists of words; every iteration reads the files again."""

    files: Sequence[Path]
    words_of: WordsOf
    passes: int
    progress: Progress | None = None
    line_transform: LinesOfWords | None = None
    number: Iterator[int] = field(default_factory=count, init=False)

    def __iter__(self) -> Iterator[list[str]]:
        number_of_pass = next(self.number)
        if self.progress:
            self.progress(StageProgress("training", number_of_pass, self.passes))
        read = (self.words_of(line) for file in self.files for line in read_lines(file))
        for words in self.line_transform(read) if self.line_transform else read:
            for start in range(0, len(words), LONGEST):
                yield words[start : start + LONGEST]


def train_gensim(
    files: Sequence[Path],
    words_of: WordsOf,
    model: GensimModel,
    cut: VocabularyLimits,
    *,
    window: int,
    seed: int,
    threads: int,
    progress: Progress | None = None,
    line_transform: LinesOfWords | None = None,
) -> tuple[tuple[str, ...], NDArray[np.float32], NDArray[np.int64]]:
    """Return the words, the most frequent first, their vectors and their counts.

    With one thread the same seed gives the same vectors.
    """
    try:
        from gensim.models import FastText, Word2Vec
    except ImportError:
        raise MissingExtraError(model.wanted, "gensim") from None
    trainer = (FastText if model.name == "fasttext" else Word2Vec)(
        vector_size=model.dimensions,
        window=window,
        min_count=cut.min_count,
        max_final_vocab=cut.most_words,
        sg=int(model.name != "cbow"),
        negative=model.negative,
        alpha=model.rate,
        seed=seed,
        workers=threads,
    )
    lines = _Lines(files, words_of, model.epochs, progress, line_transform)
    trainer.build_vocab(lines)
    if len(trainer.wv) < 2:
        counts = _counts(lines)
        raise SettingError(vocabulary_error(counts, len(trainer.wv), cut.min_count, cut.most_words))
    vocabulary = trainer.wv.key_to_index
    if all(sum(word in vocabulary for word in line) < 2 for line in replace(lines, progress=None)):
        counts = _counts(lines)
        frequent = int(np.count_nonzero(counts >= cut.min_count))
        raise SettingError(
            no_pairs_error(
                len(vocabulary),
                rare_left_out=len(counts) > len(vocabulary),
                frequent_left_out=frequent > len(vocabulary),
            )
        )
    trainer.train(lines, total_examples=trainer.corpus_count, epochs=model.epochs)
    keys = tuple(trainer.wv.index_to_key)
    counts = np.array([trainer.wv.get_vecattr(key, "count") for key in keys], np.int64)
    vectors = np.array(trainer.wv.vectors, np.float32)
    if not np.isfinite(vectors).all():
        raise TrainingError(
            f"Training diverged to NaN or infinity: lower the rate of {model.rate:g}."
        )
    return keys, vectors, counts


def _counts(lines: _Lines) -> NDArray[np.int64]:
    """Return how often each different word occurs; gensim has forgotten those that it left out."""
    counts = Counter(word for line in replace(lines, progress=None) for word in line)
    return np.array([*counts.values()], np.int64)
