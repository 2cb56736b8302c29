"""Reviews as people keep them: a table with a text and a label a row, in CSV or TSV."""

import csv
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches
from io import StringIO

from fairvec.benchmarks.sets import Review, SplitPart
from fairvec.core.errors import LexiconError, SettingError
from fairvec.core.format import pluralize
from fairvec.core.text import short_repr

CLASSES = {
    "positive": "positive",
    "pos": "positive",
    "1": "positive",
    "negative": "negative",
    "neg": "negative",
    "0": "negative",
}
"""What labels mean where nobody says it; those of any other class are words (neutral, conflict)."""

PARTS: dict[str, SplitPart] = {"train": "train", "test": "test", "val": "test", "dev": "test"}
"""The parts of a split by how their names begin; a validation part stands in where no test is."""

MOST_LISTED = 8
LONGEST_FIELD = 2**24


@dataclass(frozen=True)
class ReviewColumns:
    """What a file calls its columns and classes; empty: text, label, no split, CLASSES."""

    text: str = ""
    label: str = ""
    split: str = ""
    labels: Mapping[str, str] = field(default_factory=dict)

    def else_as(self, other: "ReviewColumns") -> "ReviewColumns":
        """Return these, and what they leave open as `other` has it."""
        return ReviewColumns(
            self.text or other.text,
            self.label or other.label,
            self.split or other.split,
            self.labels or other.labels,
        )


def parse_labels(text: str) -> dict[str, str]:
    """Read what labels mean, as in "0=negative,1=neutral,2=positive"."""
    found: dict[str, str] = {}
    for part in text.split(","):
        label, equals, meaning = (piece.strip() for piece in part.partition("="))
        if not (label and equals and meaning) or label.lower() in found:
            raise SettingError(
                f"The labels {short_repr(text)} should name each label once with its class, as in "
                "0=negative,1=neutral,2=positive."
            )
        found[label.lower()] = meaning.lower()
        near = get_close_matches(meaning.lower(), ("positive", "negative"), n=1, cutoff=0.8)
        if near and meaning.lower() not in near:
            raise SettingError(
                f"The labels {short_repr(text)} have the class {short_repr(meaning)}; did you mean "
                f"{near[0]}?"
            )
    if lacking := {"positive", "negative"} - {*found.values()}:
        raise SettingError(
            f"The labels {short_repr(text)} name none as {' and none as '.join(sorted(lacking))}; "
            "say which is, as in 0=negative,1=neutral,2=positive."
        )
    return found


def parse_reviews(
    text: str, where: str, columns: ReviewColumns
) -> tuple[tuple[Review, ...], tuple[tuple[str, int], ...]]:
    """Return the reviews that are positive or negative, and how many were dropped by class.

    The first line names the columns, parted by tabs, commas or semicolons. A field in quotes may
    hold line breaks; in a tab-parted file whose quotes do not close they are letters. Of a split
    the part that is validated on is dropped where there is one to test on.
    """
    rows = _rows(text, where)
    header = next(rows, None)
    if header is None:
        raise LexiconError(f"{where}: the file is empty; it should hold reviews.")
    names = header[1]
    at_text, at_label = (
        _place(name or usual, usual, names, where)
        for name, usual in ((columns.text, "text"), (columns.label, "label"))
    )
    at_split = _place(columns.split, "split", names, where) if columns.split else None
    meanings = {label.lower(): meaning.lower() for label, meaning in columns.labels.items()}
    found: list[tuple[Review, str]] = []
    dropped: Counter[str] = Counter()
    for line, cells in rows:
        if len(cells) != len(names):
            stand = pluralize(len(cells), "cell stands", "cells stand")
            raise LexiconError(
                f"{where}, line {line}: {stand} where {len(names)} should; put a "
                "text that holds the separator into quotes."
            )
        label = " ".join(cells[at_label].split()).lower()
        meant = _meaning(label, meanings)
        said = cells[at_split].strip().lower() if at_split is not None else ""
        if not cells[at_text].strip():
            dropped["without text"] += 1
        elif meant not in ("positive", "negative"):
            dropped[meant or "without label"] += 1
        else:
            part = _part(said, where, line) if at_split is not None else ""
            found.append((Review(cells[at_text], meant == "positive", part), said))
    _check(found, dropped, where, meanings)
    if at_split is not None:
        found = _without_validation(found, dropped, where)
    return tuple(review for review, _ in found), tuple(sorted(dropped.items()))


def _rows(text: str, where: str) -> Iterator[tuple[int, list[str]]]:
    """Give each row that is not blank with the number of the line where it starts."""
    first = text.lstrip("\r\n").partition("\n")[0]
    mark = next((mark for mark in "\t,;" if mark in first), ",")
    try:
        yield from _read(text, mark, quoted=True)
    except csv.Error as error:
        if mark != "\t":
            raise LexiconError(
                f"{where}: this is no table of reviews ({error}); close every quote, and write a "
                "quote within a field twice."
            ) from None
        yield from _read(text, mark, quoted=False)


def _read(text: str, mark: str, *, quoted: bool) -> list[tuple[int, list[str]]]:
    found = []
    limit = csv.field_size_limit(LONGEST_FIELD)
    try:
        reader = csv.reader(
            StringIO(text, newline=""),
            delimiter=mark,
            quoting=csv.QUOTE_MINIMAL if quoted else csv.QUOTE_NONE,
            strict=True,
        )
        line = 1
        for cells in reader:
            if any(cell.strip() for cell in cells):
                found.append((line, cells))
            line = reader.line_num + 1
    finally:
        csv.field_size_limit(limit)
    return found


def _place(wanted: str, usual: str, names: Sequence[str], where: str) -> int:
    """Return where a column stands; its name is sought as it is, then in any case."""
    stripped = [name.strip() for name in names]
    for known, name in ((stripped, wanted), ([one.lower() for one in stripped], wanted.lower())):
        if known.count(name) > 1:
            raise LexiconError(
                f"{where}: two columns are named {short_repr(wanted)}; rename one of them."
            )
        if name in known:
            return known.index(name)
    listed = ", ".join(stripped[:MOST_LISTED])
    near = get_close_matches(wanted, stripped, n=1)
    offer = f"did you mean {near[0]}" if near else f"there are {listed}"
    raise LexiconError(
        f"{where}: there is no column {short_repr(wanted)} ({offer}); name it by --{usual}-column."
    )


def _meaning(label: str, meanings: Mapping[str, str]) -> str:
    """Return the class of a label; one that nobody declared is a class of its own name."""
    if meanings:
        return meanings.get(label, label)
    return CLASSES.get(label, label)


def _part(said: str, where: str, line: int) -> SplitPart:
    for start, part in PARTS.items():
        if said.startswith(start):
            return part
    raise LexiconError(
        f"{where}, line {line}: {short_repr(said)} is no part of a split; call it train, valid or "
        "test."
    )


def _check(
    found: Sequence[tuple[Review, str]], dropped: Counter[str], where: str, declared: object
) -> None:
    """Refuse what nothing can be learnt from, and labels of which nobody knows what they mean."""
    counts = Counter(review.positive for review, _ in found)
    others = ", ".join(f"{name!r} ({count})" for name, count in dropped.most_common(MOST_LISTED))
    if not found and not dropped:
        raise LexiconError(f"{where}: the file holds no reviews; check that it is the right one.")
    numeric = [name for name in dropped if name.lstrip("+-").replace(".", "", 1).isdigit()]
    if numeric and not declared:
        kept = ", ".join(f"{'1' if side else '0'} or its word ({n})" for side, n in counts.items())
        raise LexiconError(
            f"{where}: numbers other than 0 and 1 are among the labels ({others}"
            f"{f', beside {kept}' if kept else ''}); say what each means by --labels, as in "
            "0=negative,1=neutral,2=positive."
        )
    if len(counts) < 2:
        every = f"all {len(found)} reviews that could be used are"
        whose = every if found[1:] else "the one that could be used is"
        only = f"{whose} of one class" if found else ""
        raise LexiconError(
            f"{where}: {only or 'no label is positive or negative'}"
            f"{f'; others are {others}' if others else ''}; both classes are needed, and --labels "
            "says what labels mean, as in good=positive,bad=negative."
        )


def _without_validation(
    found: list[tuple[Review, str]], dropped: Counter[str], where: str
) -> list[tuple[Review, str]]:
    kept = found
    if any(said.startswith("test") for _, said in found):
        kept = [each for each in found if not each[1].startswith(("val", "dev"))]
        if len(kept) < len(found):
            dropped["of the validation part"] = len(found) - len(kept)
    classes = {review.positive for review, _ in kept if review.split == "train"}
    if len(classes) < 2 or not any(review.split == "test" for review, _ in kept):
        raise LexiconError(
            f"{where}: a split needs reviews of both classes to train on and some to test on; "
            "leave out --split-column to have the reviews split in folds."
        )
    return kept
