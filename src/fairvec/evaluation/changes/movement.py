"""What a change did to the vectors themselves, as outcomes: movement and lost neighbours."""

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from fairvec.embedding import Embedding
from fairvec.evaluation.changes.measure import Measured, neighbours_of
from fairvec.evaluation.runs.describe import identity_of_model, versions
from fairvec.geometry import natural_similarity
from fairvec.ground.errors import UndefinedError
from fairvec.metrics.utility.change import AMONG, WordByWord, displacement
from fairvec.results import Description, Interval, Outcome, Skipped, TestIdentity, WordScore
from fairvec.stats import interval

MEDIAN, CHURN = "median-displacement", "neighbourhood-churn"

Tried = WordByWord | str
"""One number per word, or the reason why there is none."""


def movement(before: Measured, after: Measured) -> Iterator[Outcome]:
    """Describe how far words moved and how many neighbours they lost; of an encoder nothing."""
    if not (isinstance(before.source, Embedding) and isinstance(after.source, Embedding)):
        return
    was, is_now = before.embedding, after.embedding
    shared = {
        "model": identity_of_model(is_now),
        "coverage": (),
        "seed": after.statistics.seed,
        "versions": versions(),
    }
    unit, far = (
        ("in hyperbolic distance", "the larger, the farther words moved.")
        if was.geometry.curvature
        else ("by the turn of its direction", "1: a turn by 60 degrees; 2: to the opposite side.")
    )
    (moved,) = _tried(lambda: (displacement(was, is_now),), 1)
    for name, title in (
        ("displacement", "a word moved on average"),
        (MEDIAN, "the middle one did"),
    ):
        test = _test(name, f"How far {title}, {unit}")
        about = {**shared, "test": test, "metric": name, "similarity": ""}
        yield _described(moved, about, f"0: no word moved; {far}")
    counts = neighbours_of(was)
    among = f", among the {AMONG:,} most frequent" if len(was) > AMONG else ""
    losses = _tried(lambda: before.neighbourhoods.churn(is_now, *counts), len(counts))
    for count, lost in zip(counts, losses, strict=True):
        test = _test(f"churn-{count}", f"Share of the {count} nearest words lost{among}")
        similarity = natural_similarity(was.geometry).name
        about = {**shared, "test": test, "metric": CHURN, "similarity": similarity}
        yield _described(lost, about, "0: every word has the neighbours it had; 1: none of them.")


def _tried(measure: Callable[[], tuple[WordByWord, ...]], count: int) -> tuple[Tried, ...]:
    try:
        return measure()
    except UndefinedError as error:
        return (str(error),) * count


def _described(answer: Tried, about: dict[str, Any], meaning: str) -> Outcome:
    if isinstance(answer, str):
        return Skipped(**about, cause="undefined", reason=answer)
    median, sampled = about["metric"] == MEDIAN, about["metric"] == CHURN
    sample = answer.samples
    spread = interval([sample.rows], sample.effect, seed=about["seed"]) if sampled else None
    return Description(
        **about,
        value=float(np.median(answer.values)) if median else answer.mean,
        neutral=0.0,
        meaning=meaning,
        interval=Interval.model_validate(spread, from_attributes=True) if spread else None,
        words=() if median else _most(answer),
    )


def _most(numbers: WordByWord) -> tuple[WordScore, ...]:
    largest = numbers.largest().items()
    return tuple(WordScore(word=key, key=key, role="words", score=far) for key, far in largest)


def _test(name: str, title: str) -> TestIdentity:
    return TestIdentity(
        suite="movement",
        suite_version="1",
        id=f"movement/{name}",
        title=title,
        category="movement",
        kind="movement",
        language="mul",
        source="fairvec: what a change did to the vectors themselves",
        positive_means="words moved, or lost neighbours",
        negative_means="never",
    )
