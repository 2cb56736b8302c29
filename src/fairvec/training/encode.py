"""A corpus as integers: its vocabulary, the encoded text, and subsampling of frequent words.

The integers lie in a file and are mapped, so that a corpus may be larger than memory.
"""

from array import array
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import Annotated, ClassVar

import numpy as np
from numpy.typing import NDArray
from pydantic import Field

from fairvec.core.errors import SettingError
from fairvec.core.format import pluralize
from fairvec.core.io.mapped_arrays import mapped, write_array
from fairvec.core.io.text_files import read_lines
from fairvec.core.settings import PositiveInt, settings
from fairvec.training.augment import LinesOfWords
from fairvec.training.progress import Progress, StageProgress
from fairvec.training.text import WordsOf

END = -1
"""Stands between lines: no window reaches over it."""

AT_A_TIME = 2**22
"""The size of a block of numbers that is written or read at once."""

MinCount = Annotated[PositiveInt, Field(description="Words seen less often are left out.")]
MaxWords = Annotated[
    PositiveInt, Field(description="Keep only so many of the most frequent words.")
]


@settings
class VocabularyLimits:
    """Which words are kept: those seen `min_count` times, and of them at most so many."""

    name: ClassVar[str] = "vocabulary"
    min_count: MinCount = 5
    most_words: MaxWords | None = None


@dataclass(frozen=True, eq=False)
class EncodedCorpus:
    """The words of a corpus, the most frequent first, their counts, and the text in their numbers.

    Words that are too rare are taken out before distances are counted, as in GloVe's program, and
    `seen` tells how many words there were with them.
    """

    words: tuple[str, ...]
    counts: NDArray[np.int64]
    tokens: NDArray[np.int32]
    seen: int


def encode_files(
    files: Sequence[Path],
    words_of: WordsOf,
    cut: VocabularyLimits,
    folder: Path,
    progress: Progress | None = None,
    line_transform: LinesOfWords | None = None,
) -> EncodedCorpus:
    """Read a corpus once, and keep the words that are frequent enough; numbers go to `folder`.

    `line_transform` maps the lines that are read to those that are learnt from.
    """

    def lines() -> Iterator[str]:
        for file in files:

            def on_bytes(done: int, total: int, name: str = file.name) -> None:
                if progress:
                    progress(StageProgress("reading", done, total, name))

            yield from read_lines(file, on_bytes)

    name = ", ".join(file.name for file in files)
    return encode_lines(lines(), words_of, cut, folder, name, line_transform)


def encode_lines(
    lines: Iterable[str],
    words_of: WordsOf,
    cut: VocabularyLimits,
    folder: Path,
    name: str = "corpus",
    line_transform: LinesOfWords | None = None,
) -> EncodedCorpus:
    """Encode lines of text; `name` says in errors where they are from."""
    numbers: defaultdict[str, int] = defaultdict(count().__next__)
    with write_array(folder / "raw.i32") as raw:
        words = map(words_of, lines)
        for block in _number_words(line_transform(words) if line_transform else words, numbers):
            raw.write(block)
    counts = _count_numbers(folder / "raw.i32", len(numbers))
    if not len(counts):
        raise SettingError(f"{name}: the corpus holds no word; give a text.")
    kept = _select_words(counts, cut, name)
    # The mark between lines is the last of the numbers, and finds itself there.
    new = np.full(len(numbers) + 1, END - 1, np.int32)
    new[kept] = np.arange(len(kept), dtype=np.int32)
    new[END] = END
    _renumber(folder / "raw.i32", new, folder / "tokens.i32")
    (folder / "raw.i32").unlink()  # nothing maps it any more: Windows would not let it go
    names = [*numbers]
    return EncodedCorpus(
        words=tuple(names[number] for number in kept),
        counts=counts[kept],
        tokens=mapped(folder / "tokens.i32", np.int32),
        seen=int(counts.sum()),
    )


def _number_words(
    lines: Iterable[list[str]], numbers: defaultdict[str, int]
) -> Iterator[NDArray[np.int32]]:
    number_of = numbers.__getitem__
    buffer = array("i")
    for words in lines:
        if words:
            buffer.extend(map(number_of, words))
            buffer.append(END)
        if len(buffer) >= AT_A_TIME:
            yield np.frombuffer(buffer, np.int32)
            buffer = array("i")
    if buffer:
        yield np.frombuffer(buffer, np.int32)


def _count_numbers(raw: Path, words: int) -> NDArray[np.int64]:
    """Return how often each number occurs, marks left out."""
    counts = np.zeros(words + 1, np.int64)
    for block in number_blocks(mapped(raw, np.int32)):
        counts += np.bincount(block - END, minlength=len(counts))
    return counts[1:]


def _renumber(raw: Path, new: NDArray[np.int32], target: Path) -> None:
    """Write the new number of each token; tokens without one are left out."""
    with write_array(target) as tokens:
        for block in number_blocks(mapped(raw, np.int32)):
            renumbered = new[block]
            tokens.write(renumbered[renumbered >= END])


def number_blocks(numbers: NDArray[np.int32]) -> Iterator[NDArray[np.int32]]:
    """Yield a text block by block, so that it may be larger than memory."""
    for start in range(0, len(numbers), AT_A_TIME):
        yield numbers[start : start + AT_A_TIME]


def _select_words(counts: NDArray[np.int64], cut: VocabularyLimits, name: str) -> NDArray[np.int64]:
    """Return the numbers of the words to keep, the most frequent first, earlier ones before."""
    order = np.argsort(-counts, kind="stable")
    kept = order[counts[order] >= cut.min_count][: cut.most_words]
    if len(kept) < 2:
        reason = vocabulary_error(counts, len(kept), cut.min_count, cut.most_words)
        raise SettingError(f"{name}: {reason}")
    return kept


def vocabulary_error(
    counts: NDArray[np.int64], kept: int, min_count: int, most_words: int | None
) -> str:
    """Return why too few words are kept, and what helps; `counts` are those of all words."""
    verb = "is" if kept == 1 else "are"
    lead = f"{kept} of {pluralize(len(counts), 'word')} {verb} kept and a model needs two; "
    if np.count_nonzero(counts >= min_count) >= 2:
        return f"{lead}raise --max-words of {most_words}, or leave it out."
    if kept == len(counts):
        return f"{lead}give a text of more different words."
    return (
        f"{lead}the most frequent one occurs {pluralize(int(counts.max()), 'time')}: give more "
        f"text, or lower the smallest count of {min_count}."
    )


def no_pairs_error(kept: int, *, rare_left_out: bool, frequent_left_out: bool) -> str:
    """Return that no two words stand near one another, and what helps."""
    remedy = "put a sentence or a document on a line"
    if frequent_left_out:
        remedy += ", or raise --max-words"
    elif rare_left_out:
        remedy += ", or lower the smallest count"
    return f"No two of the {kept:,} words stand in one line; {remedy}."


def subsample_frequent(
    corpus: EncodedCorpus, threshold: float, seed: int, folder: Path
) -> NDArray[np.int32]:
    """Return the text without some of its most frequent words; its numbers go to `folder`.

    A word that makes up the share f of the text stays each time with probability
    min(1, sqrt(t / f) + t / f), as in word2vec's program (Mikolov et al., 2013, have the root
    alone). It is taken out before distances are counted: windows reach farther over what is left.
    """
    shares = corpus.counts / corpus.counts.sum()
    staying = np.minimum(1.0, np.sqrt(threshold / shares) + threshold / shares)
    # The mark between lines is the last of the numbers; it always stays.
    staying = np.append(staying, 1.0)
    generator = np.random.default_rng([seed, 2])
    with write_array(folder / "thinned.i32") as tokens:
        for block in number_blocks(corpus.tokens):
            tokens.write(block[generator.random(len(block)) < staying[block]])
    return mapped(folder / "thinned.i32", np.int32)
