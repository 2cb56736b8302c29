"""A sentence about somebody, and two that could follow: one is a stereotype, one goes against it.

Nadeem, Bethke & Reddy (2021), StereoSet: measuring stereotypical bias in pretrained language
models, ACL, doi:10.18653/v1/2021.acl-long.416 (its part between sentences).
"""

from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple

from fairvec.benchmarks.base import (
    About,
    BenchmarkKind,
    BenchmarkSet,
    Reads,
    distinct,
    empty_error,
)
from fairvec.benchmarks.tables import table_records
from fairvec.core.errors import LexiconError
from fairvec.core.parsing import parse_json

COLUMNS = ("context", "stereotype", "anti-stereotype", "unrelated?", "target?", "category?")


class SentenceChoice(NamedTuple):
    """A sentence, and what could follow it; `unrelated` is empty where the set has none."""

    context: str
    stereotype: str
    anti_stereotype: str
    unrelated: str = ""
    target: str = ""
    category: str = ""


@dataclass(frozen=True)
class SentencePairSet(BenchmarkSet):
    """Sentences about people, each with a stereotype and its opposite; items share targets."""

    kind: ClassVar[str] = "sentence-pairs"
    items: ClassVar[str] = "targets"
    reads: ClassVar[Reads] = "sentences"

    choices: tuple[SentenceChoice, ...]

    def __len__(self) -> int:
        return len({(choice.category, choice.target) for choice in self.choices})

    @property
    def texts(self) -> tuple[str, ...]:
        """Every sentence once."""
        return distinct(text for choice in self.choices for text in choice[:4] if text)


def parse_choices(text: str, where: str) -> tuple[SentenceChoice, ...]:
    """Return the rows of a table, or the part between sentences of StereoSet's JSON.

    A row without a target is a target of its own: its context.
    """
    choices = (
        _parse_stereoset(text, where)
        if text.lstrip().startswith("{")
        else tuple(
            SentenceChoice(*(row[column.removesuffix("?")] for column in COLUMNS))
            for row in table_records(text, where, "sentences", COLUMNS)
        )
    )
    if not choices:
        raise empty_error(where, "sentences")
    for number, choice in enumerate(choices, start=1):
        if not all(choice[:3]) or choice.stereotype == choice.anti_stereotype:
            raise LexiconError(
                f"{where}, sentence {number}: a context needs a stereotype and another sentence "
                "against it; complete it."
            )
    return tuple(choice._replace(target=choice.target or choice.context) for choice in choices)


def _parse_stereoset(text: str, where: str) -> tuple[SentenceChoice, ...]:
    try:
        return tuple(_parse_entry(entry) for entry in parse_json(text)["data"]["intersentence"])
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        raise LexiconError(
            f"{where}: this is not the JSON of StereoSet ({error}); give its dev.json, or a table."
        ) from None


LABELS = ("stereotype", "anti-stereotype", "unrelated")


def _parse_entry(entry: Any) -> SentenceChoice:
    by_label = {one["gold_label"]: one["sentence"] for one in entry["sentences"]}
    texts = (entry["context"], *(by_label[label] for label in LABELS))
    return SentenceChoice(
        *(" ".join(text.split()) for text in (*texts, entry["target"], entry["bias_type"]))
    )


def _read(about: About, text: str, where: str, **_: Any) -> SentencePairSet:
    return SentencePairSet(*about, parse_choices(text, where))


SENTENCE_PAIRS = BenchmarkKind(
    SentencePairSet.kind,
    title="Sentence pairs",
    plain="related sentences",
    family="sentences",
    shares="mean",
    read=_read,
    unnamed=False,
    measures_bias=True,
    columns=("context", "stereotype", "anti-stereotype"),
    sensitive="Its sentences are stereotypes of people, and many of them insult.",
)
