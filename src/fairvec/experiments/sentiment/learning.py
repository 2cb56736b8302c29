"""Train the sentiment task with one embedding and one network, and record each figure."""

from collections import Counter
from dataclasses import dataclass
from functools import cached_property
from importlib.metadata import version
from pathlib import Path
from typing import Any

from fairvec.benchmarks import ReviewSet
from fairvec.core.errors import SettingError
from fairvec.embedding import Embedding
from fairvec.encoders.versions import versions
from fairvec.experiments.audit.languages import keys_by_script
from fairvec.experiments.provenance import describe_model
from fairvec.experiments.utility import UtilityAnswer, identity_of_benchmark
from fairvec.languages.language import script
from fairvec.metrics.base import OneSample
from fairvec.metrics.utility import UtilityScore
from fairvec.results import Description, GroupCoverage, Interval, MetricIdentity
from fairvec.stats.crossed import CrossedEstimate, CrossedRatio, crossed_estimate
from fairvec.tasks.sentiment.classifiers import MeansNetwork
from fairvec.tasks.sentiment.predictions import Predictions, TrainingProgress, cross_validate
from fairvec.tasks.sentiment.task import SentimentTask, classification_scores

LEVEL = 0.95
FEWEST_KNOWN = 0.05
"""A model that knows a smaller share of the tokens was made for other texts."""
MOST_NAMED = 20
"""So many unknown tokens are named in a record, the commonest first."""


@dataclass(frozen=True)
class ReviewTask:
    """Which reviews are learnt, and how."""

    reviews: ReviewSet
    task: SentimentTask


@dataclass(frozen=True, eq=False)
class LearnedTask:
    """The task as one embedding and one network do it."""

    embedding: Embedding
    reviews: ReviewSet
    task: SentimentTask
    found: Predictions

    @cached_property
    def figures(self) -> dict[str, CrossedRatio]:
        """Every figure, item by item and pass by pass."""
        return classification_scores(self.found)

    @cached_property
    def outcomes(self) -> dict[str, Description]:
        """Every figure with its interval over reviews and trainings, as results.jsonl holds it."""
        shared = self._shared()
        return {
            part: Description(
                test=identity_of_benchmark(self.reviews, part),
                value=(estimate := crossed_estimate(ratio)).estimate,
                neutral=None,
                meaning=self.task.meaning,
                # Where nothing varies (no review was called so) nothing is known of the spread.
                interval=as_interval(estimate, within=(0.0, 1.0)) if estimate.variance else None,
                words=(),
                **shared,
            )
            for part, ratio in self.figures.items()
        }

    @property
    def answer(self) -> UtilityAnswer:
        """The accuracy, as a frontier counts it."""
        part, places = "accuracy", tuple(int(place) for place in self.found.places)
        mean = self.found.correct.mean(axis=1, keepdims=True)
        samples = OneSample(mean, lambda drawn: drawn[..., 0].mean(axis=-1))
        value = self.outcomes[part].value
        positive = float(self.found.positive.mean())
        # Who always says the commoner class is right as often, and knows nothing of words.
        chance = max(positive, 1 - positive)
        figure = UtilityScore(part, value, samples, places, len(places), (), chance)
        return UtilityAnswer(self.outcomes[part], figure)

    def _shared(self) -> dict[str, Any]:
        """Return what all figures say alike."""
        library = "scikit-learn" if isinstance(self.task.network, MeansNetwork) else "torch"
        fitted_keys = {
            key for step in self.embedding.history for key in step.details.get("fitted_on", ())
        }
        return {
            "model": describe_model(self.embedding),
            "metric": self.task.name,
            "described": MetricIdentity(
                name=self.task.name,
                needs=(),
                neutral=None,
                meaning=self.task.meaning,
                settings=self.task.settings(split=self.reviews.split),
            ),
            "similarity": "",
            "coverage": self._coverage(),
            "fitted_words": tuple(word for word in self.reviews.words if word in fitted_keys),
            "smallest_coverage": FEWEST_KNOWN,
            "seed": self.task.seed,
            "versions": versions() | {library: version(library)},
        }

    def _coverage(self) -> tuple[GroupCoverage, ...]:
        """Return the reviews that were predicted and dropped, and the tokens that were known."""
        encoded, reviews = self.found.read, self.reviews
        dropped = {
            name: f"{count} {'review' if count == 1 else 'reviews'}, dropped"
            for name, count in reviews.dropped
        }
        if trained := len(reviews) - len(self.found.places):
            dropped["train"] = f"{trained} reviews of the split, trained on and not predicted"
        unknown = {
            token: f"unknown, dropped {count} {'time' if count == 1 else 'times'}"
            for token, count in encoded.unknown.most_common(MOST_NAMED)
        }
        return (
            _group(
                "items",
                f"reviews of {reviews.title}",
                len(reviews) + sum(count for _, count in reviews.dropped),
                len(self.found.places),
                dropped,
            ),
            _group("tokens", "tokens of the reviews", encoded.tokens, encoded.known, unknown),
        )


def train_task(
    embedding: Embedding,
    reviews: ReviewSet,
    task: SentimentTask,
    *,
    folder: Path | None = None,
    progress: TrainingProgress | None = None,
) -> LearnedTask:
    """Learn the task from one embedding; one that knows too little is refused before, by name."""
    predictions = cross_validate(
        reviews,
        embedding,
        task.network,
        task.seeds,
        task.folds,
        folder=folder,
        progress=progress,
    )
    return LearnedTask(embedding, reviews, task, predictions)


def check_script(embedding: Embedding, reviews: ReviewSet) -> None:
    """Refuse a model that hardly knows a token of the reviews, and say in which script both are."""
    from fairvec.tasks.sentiment.classifiers import encode_texts

    encoded = encode_texts([review.text for review in reviews.reviews], embedding, reviews.language)
    if encoded.tokens and encoded.known >= FEWEST_KNOWN * encoded.tokens:
        return
    review_script = script_of_reviews(reviews) or "no"
    model_script = max(
        (key_counts := keys_by_script(embedding)), key=key_counts.__getitem__, default="no"
    )
    scripts = (
        f"the reviews are written in {review_script} letters and the model in {model_script} ones"
        if review_script != model_script
        else f"both are written in {model_script} letters"
    )
    raise SettingError(
        f"{embedding.name} knows {encoded.known:,} of the {encoded.tokens:,} tokens of "
        f"{reviews.title}, which is too little to learn from: {scripts}; use a model in the "
        "language of the reviews."
    )


def script_of_reviews(reviews: ReviewSet) -> str:
    """Return the script of most letters of the reviews; empty if they have none."""
    counts = Counter(script(letter) for review in reviews.reviews for letter in review.text)
    counts.pop("", None)
    return max(counts, key=counts.__getitem__, default="")


def as_interval(
    estimate: CrossedEstimate, *, within: tuple[float, float] = (-1.0, 1.0)
) -> Interval:
    """Return the interval as a record has it; a share, or a difference of two, has bounds."""
    ends = estimate.interval(LEVEL)
    sampled_units = (
        "items and trainings" if estimate.of_passes is not None else ("items alone, one training")
    )
    return Interval(
        low=max(within[0], ends.low),
        high=min(within[1], ends.high),
        level=LEVEL,
        method=f"Student's t over {sampled_units}",
    )


def _group(
    role: str, title: str, wanted: int, found: int, missing: dict[str, str]
) -> GroupCoverage:
    return GroupCoverage(
        role=role,
        title=title,
        wanted=wanted,
        found=found,
        missing=missing,
        matched={},
        how={},
        merged=(),
    )
