"""Tables of labelled reviews, in CSV or TSV: a text and a label a row."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches
from typing import Any, ClassVar, Literal, NamedTuple

from fairvec.benchmarks.base import About, BenchmarkKind, BenchmarkSet, Reads, distinct
from fairvec.benchmarks.tables import MOST_LISTED, column_index, table_rows
from fairvec.core.errors import LexiconError, SettingError
from fairvec.core.format import pluralize
from fairvec.core.text import short_repr
from fairvec.languages.text import token_pattern

SplitPart = Literal["train", "test", ""]

CLASSES = {
    "positive": "positive",
    "pos": "positive",
    "1": "positive",
    "negative": "negative",
    "neg": "negative",
    "0": "negative",
}
"""What labels mean by default; any other label is a class of its own (neutral, conflict)."""

PARTS: dict[str, SplitPart] = {"train": "train", "test": "test", "val": "test", "dev": "test"}
"""The parts of a split by the start of their names; validation is the test where there is none."""


class Review(NamedTuple):
    """A text, whether it is positive, and its part of a published split."""

    text: str
    positive: bool
    split: SplitPart = ""


@dataclass(frozen=True)
class ReviewSet(BenchmarkSet):
    """Positive and negative reviews; `dropped` counts those of other classes by name.

    Either every review is in a part of one split, train or test, or none is.
    """

    kind: ClassVar[str] = "sentiment"
    items: ClassVar[str] = "reviews"
    reads: ClassVar[Reads] = "sentences"

    reviews: tuple[Review, ...]
    dropped: tuple[tuple[str, int], ...] = ()

    def __len__(self) -> int:
        return len(self.reviews)

    @property
    def texts(self) -> tuple[str, ...]:
        """Every review once."""
        return distinct(review.text.strip() for review in self.reviews)

    @property
    def words(self) -> tuple[str, ...]:
        """Every word once."""
        return distinct(word for text in self.texts for word in token_pattern().findall(text))

    @property
    def split(self) -> bool:
        """Whether a published split says which reviews to train on."""
        return any(review.split for review in self.reviews)


@dataclass(frozen=True)
class ReviewColumns:
    """What a file calls its columns and classes; empty: text, label, no split, CLASSES."""

    text: str = ""
    label: str = ""
    split: str = ""
    labels: Mapping[str, str] = field(default_factory=dict)

    def with_defaults(self, other: "ReviewColumns") -> "ReviewColumns":
        """Return these columns, completed by those of `other`."""
        return ReviewColumns(
            self.text or other.text,
            self.label or other.label,
            self.split or other.split,
            self.labels or other.labels,
        )


def parse_labels(text: str) -> dict[str, str]:
    """Read what labels mean, as in "0=negative,1=neutral,2=positive"."""
    meanings: dict[str, str] = {}
    for part in text.split(","):
        label, equals, meaning = (piece.strip() for piece in part.partition("="))
        if not (label and equals and meaning) or label.lower() in meanings:
            raise SettingError(
                f"The labels {short_repr(text)} should name each label once with its class, as in "
                "0=negative,1=neutral,2=positive."
            )
        meanings[label.lower()] = meaning.lower()
        near = get_close_matches(meaning.lower(), ("positive", "negative"), n=1, cutoff=0.8)
        if near and meaning.lower() not in near:
            raise SettingError(
                f"The labels {short_repr(text)} have the class {short_repr(meaning)}; did you mean "
                f"{near[0]}?"
            )
    if missing := {"positive", "negative"} - {*meanings.values()}:
        raise SettingError(
            f"The labels {short_repr(text)} name none as {' and none as '.join(sorted(missing))}; "
            "say which is, as in 0=negative,1=neutral,2=positive."
        )
    return meanings


def parse_reviews(
    text: str, where: str, columns: ReviewColumns
) -> tuple[tuple[Review, ...], tuple[tuple[str, int], ...]]:
    """Return the reviews that are positive or negative, and how many were dropped by class.

    The first line names the columns, separated by tabs, commas or semicolons. A field in quotes may
    hold line breaks; in a tab-separated file whose quotes do not close they are letters. The
    validation part of a split is dropped where there is a test part.
    """
    rows = table_rows(text, where, "reviews")
    header = next(rows, None)
    if header is None:
        raise LexiconError(f"{where}: the file is empty; it should hold reviews.")
    names = header[1]
    text_column, label_column = (
        column_index(name or usual, names, where, f"name it by --{usual}-column")
        for name, usual in ((columns.text, "text"), (columns.label, "label"))
    )
    split_column = (
        column_index(columns.split, names, where, "name it by --split-column")
        if columns.split
        else None
    )
    meanings = {label.lower(): meaning.lower() for label, meaning in columns.labels.items()}
    reviews: list[tuple[Review, str]] = []
    dropped: Counter[str] = Counter()
    for line, cells in rows:
        if len(cells) != len(names):
            stand = pluralize(len(cells), "cell stands", "cells stand")
            raise LexiconError(
                f"{where}, line {line}: {stand} where {len(names)} should; put a "
                "text that holds the separator into quotes."
            )
        label = " ".join(cells[label_column].split()).lower()
        meaning = _class_of(label, meanings)
        split_name = cells[split_column].strip().lower() if split_column is not None else ""
        if not cells[text_column].strip():
            dropped["without text"] += 1
        elif meaning not in ("positive", "negative"):
            dropped[meaning or "without label"] += 1
        else:
            part = _split_part(split_name, where, line) if split_column is not None else ""
            reviews.append((Review(cells[text_column], meaning == "positive", part), split_name))
    _check_classes(reviews, dropped, where, meanings)
    if split_column is not None:
        reviews = _without_validation(reviews, dropped, where)
    return tuple(review for review, _ in reviews), tuple(sorted(dropped.items()))


def _class_of(label: str, meanings: Mapping[str, str]) -> str:
    """Return the class of a label; one that is not declared is a class of its own."""
    if meanings:
        return meanings.get(label, label)
    return CLASSES.get(label, label)


def _split_part(name: str, where: str, line: int) -> SplitPart:
    for start, part in PARTS.items():
        if name.startswith(start):
            return part
    raise LexiconError(
        f"{where}, line {line}: {short_repr(name)} is no part of a split; call it train, valid or "
        "test."
    )


def _check_classes(
    reviews: Sequence[tuple[Review, str]], dropped: Counter[str], where: str, declared: object
) -> None:
    """Refuse reviews of a single class, and numeric labels that are not declared."""
    counts = Counter(review.positive for review, _ in reviews)
    others = ", ".join(f"{name!r} ({count})" for name, count in dropped.most_common(MOST_LISTED))
    if not reviews and not dropped:
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
        every = f"all {len(reviews)} reviews that could be used are"
        whose = every if reviews[1:] else "the one that could be used is"
        only = f"{whose} of one class" if reviews else ""
        raise LexiconError(
            f"{where}: {only or 'no label is positive or negative'}"
            f"{f'; others are {others}' if others else ''}; both classes are needed, and --labels "
            "says what labels mean, as in good=positive,bad=negative."
        )


def _without_validation(
    reviews: list[tuple[Review, str]], dropped: Counter[str], where: str
) -> list[tuple[Review, str]]:
    remaining = reviews
    if any(split_name.startswith("test") for _, split_name in reviews):
        remaining = [pair for pair in reviews if not pair[1].startswith(("val", "dev"))]
        if len(remaining) < len(reviews):
            dropped["of the validation part"] = len(reviews) - len(remaining)
    classes = {review.positive for review, _ in remaining if review.split == "train"}
    if len(classes) < 2 or not any(review.split == "test" for review, _ in remaining):
        raise LexiconError(
            f"{where}: a split needs reviews of both classes to train on and some to test on; "
            "leave out --split-column to have the reviews split in folds."
        )
    return remaining


def _read(about: About, text: str, where: str, *, columns: ReviewColumns, **_: Any) -> ReviewSet:
    reviews, dropped = parse_reviews(text, where, columns)
    return ReviewSet(*about, reviews, dropped)


REVIEWS = BenchmarkKind(
    ReviewSet.kind,
    title="Sentiment of reviews",
    plain="sentiment of reviews",
    family="sentiment",
    shares="mean",
    read=_read,
    counted="accuracy",
    unnamed=False,
)
