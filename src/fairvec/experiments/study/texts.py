"""Corpora prepared once for all cells of a study: tokenised, and thinned to equal length."""

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from fairvec.core.errors import FileFormatError, SettingError
from fairvec.core.io.atomic_files import atomic_path, make_folder, scratch_folder
from fairvec.core.io.cache import entry_path, read_entry, write_entry
from fairvec.core.io.text_files import read_lines
from fairvec.core.parsing import parse_json
from fairvec.training.encode import VocabularyLimits
from fairvec.training.train import TrainingText

PREPARATION_VERSION, THINNING_VERSION = 2, 3
"""Increased whenever words are tokenised, or lines chosen, in another way."""


LONG_LINE_PARTS = 20
"""A line longer than this fraction of all words to keep is cut instead of left out."""

GOLDEN, TURN = 0x9E3779B97F4A7C15, 2**64
"""Multiples of the golden section of a turn are spread evenly, and match no rhythm of lines."""


@dataclass(frozen=True)
class PreparedText:
    """A file of words separated by spaces, line by line, with its number of words and of all."""

    path: Path
    sha256: str
    tokens: int
    tokens_in_all: int


def prepare_text(text: TrainingText, tokens: int | None, folder: Path) -> PreparedText:
    """Return the words of a text, at most `tokens`, as a file that is cached in `folder`.

    Of a longer text complete lines are chosen, evenly from its start to its end. Whether a line is
    chosen depends on its number and on how many words are still to come, never on its own length:
    otherwise short headings and answers would be over-represented. A very long line is cut at its
    share. Nothing is random, so that the same files give the same text.
    """
    identity = [text.sha256, text.language, text.words, tokens, PREPARATION_VERSION]
    identity += [] if tokens is None else [THINNING_VERSION]
    sizes_path = entry_path(folder, json.dumps(identity))
    path = sizes_path.with_suffix(".txt")
    if not (path.is_file() and sizes_path.is_file()):
        # The sizes are written last: they mark the text as complete.
        write_entry(sizes_path, json.dumps(_write(text, tokens, path)))
    try:
        sizes: dict[str, Any] = parse_json(read_entry(sizes_path))
        return PreparedText(path, path.stem, int(sizes["tokens"]), int(sizes["in_all"]))
    except (ValueError, KeyError, TypeError):
        raise FileFormatError(
            f"{sizes_path}: not the size of a prepared text; remove it and run the study again."
        ) from None


def vocabulary(path: Path, cut: VocabularyLimits) -> dict[str, int]:
    """Return the words of a prepared text that are frequent enough, with their counts."""
    counts: Counter[str] = Counter()
    for line in _lines(path):
        counts.update(line.split())
    frequent = [(word, count) for word, count in counts.most_common() if count >= cut.min_count]
    return dict(frequent[: cut.most_words])


def shared_words(vocabularies: Sequence[dict[str, int]]) -> tuple[str, ...]:
    """Return the words that every vocabulary has, in the order of the first."""
    first, *others = vocabularies
    return tuple(word for word in first if all(word in other for other in others))


def _write(text: TrainingText, tokens: int | None, path: Path) -> dict[str, int]:
    with make_folder(path.parent), scratch_folder(path.parent) as folder:
        full_text = folder / "whole.txt"
        in_all, words_of = 0, text.words_of
        with full_text.open("w", encoding="utf-8", newline="\n") as file:
            for source in text.files:
                for line in read_lines(source):
                    if words := words_of(line):
                        in_all += len(words)
                        file.write(" ".join(words) + "\n")
        if not in_all:
            names = ", ".join(file.name for file in text.files)
            raise SettingError(f"{names}: the corpus holds no word; give a text.")
        with atomic_path(path) as draft:
            if tokens is None or in_all <= tokens:
                full_text.replace(draft)
                return {"tokens": in_all, "in_all": in_all}
            kept_tokens = _thin(full_text, draft, tokens, in_all)
    return {"tokens": kept_tokens, "in_all": in_all}


def _thin(full_text: Path, draft: Path, tokens: int, in_all: int) -> int:
    tokens_read = tokens_kept = 0
    with draft.open("w", encoding="utf-8", newline="\n") as file:
        for number, line in enumerate(_lines(full_text)):
            words, tokens_left, tokens_to_come = (
                line.count(" ") + 1,
                tokens - tokens_kept,
                in_all - tokens_read,
            )
            tokens_read += words
            if words * LONG_LINE_PARTS > tokens:
                count = min(words, max(0, tokens * tokens_read // in_all - tokens_kept))
            else:
                is_chosen = number * GOLDEN % TURN * tokens_to_come < tokens_left * TURN
                count = min(words, tokens_left) if is_chosen else 0
            if count:
                tokens_kept += count
                file.write(" ".join(line[:-1].split(" ")[:count]) + "\n")
    return tokens_kept


def _lines(path: Path) -> Iterator[str]:
    with path.open(encoding="utf-8", newline="\n") as file:
        yield from file
