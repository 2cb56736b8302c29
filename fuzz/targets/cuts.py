"""Files that end too early: what knows its own size is refused, and never read as less."""

from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from random import Random

from fairvec.embedding import load
from fairvec.embedding.formats.text import UNENDED
from fuzz.cases import Target
from fuzz.places import placed
from fuzz.targets.embeddings import honest_of
from fuzz.verdicts import BadAnswerError, RefusedError

UNCOUNTED = frozenset(("csv", "tsv", "glove-text"))
"""Of these nobody can know how much is missing."""
WORDS = "model.txt"
"""Nor of a list of words that lies beside an array."""


def cuts(folder: Path) -> Iterator[Target]:
    """Give a target for each format that counts what it holds."""
    for name, main, honest in honest_of(folder):
        if name in UNCOUNTED:
            continue
        place = folder / "whole" / name
        place.mkdir(parents=True)
        placed(honest[0], place)
        whole = load(place / main)
        held = list(whole.keys), whole.vectors.tobytes()
        yield Target(
            name=f"cut-{name}",
            run=partial(_whole_or_refused, main=main, held=held),
            honest=honest[:1],
            covers=[f"cut {name}"],
            fixed=frozenset((WORDS,)),
            change=_cut,
            refuses=True,
        )


def _cut(_: str, data: bytes, random: Random, others: Sequence[bytes]) -> tuple[bytes, str]:
    if len(data) < 2:
        return data, "as it is"
    # Half of the time only a few bytes are missing, which is the hardest to notice.
    least = max(1, len(data) - 40) if random.random() < 0.5 else 1
    at = random.randrange(least, len(data))
    return data[:at], f"cut at {at} of {len(data)}"


def _whole_or_refused(folder: Path, main: str, held: tuple[list[str], bytes]) -> None:
    read = load(folder / main)
    if (list(read.keys), read.vectors.tobytes()) != held:
        if UNENDED in read.history[-1].details:
            raise RefusedError("its last line has no break")  # which is said, if not refused
        raise BadAnswerError("a cut file is read", f"{len(read)} words")
