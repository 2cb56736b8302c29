"""Train the sentiment task with one embedding and one network, and record each figure."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from importlib.metadata import version
from pathlib import Path
from typing import Any

from fairvec.benchmarks import ReviewSet
from fairvec.core.errors import SettingError
from fairvec.embedding import Embedding
from fairvec.experiments.audit.languages import keys_by_script
from fairvec.experiments.audit.plan import Statistics
from fairvec.experiments.provenance import record_fields
from fairvec.experiments.utility import UtilityAnswer, identity_of_benchmark
from fairvec.languages.language import script
from fairvec.messages.sentiment import other_language_warning, scripts_clause
from fairvec.metrics.base import OneSample
from fairvec.metrics.utility import UtilityScore
from fairvec.results import Interval
from fairvec.results.identities import MetricIdentity
from fairvec.results.records import Description, GroupCoverage
from fairvec.stats.crossed import CrossedEstimate, CrossedRatio, crossed_estimate
from fairvec.tasks.sentiment.classifiers import EncodedReviews, MeansNetwork
from fairvec.tasks.sentiment.predictions import Predictions, TrainingProgress, cross_validate_all
from fairvec.tasks.sentiment.task import SentimentTask, classification_scores

LEVEL = 0.95
FEWEST_KNOWN = 0.05
"""A model that knows a smaller share of the tokens was made for other texts."""
USUALLY_KNOWN = 0.5
"""A model in the language of the reviews knows more than this share of their tokens.

Of Hindi film reviews the 10,000 words of glove-hi-small are 85 %; of English ones the 11,000 of
navec-ru-small, which are Russian but for 178, may well be a third."""
MOST_NAMED = 20
"""So many unknown tokens are named in a record, the commonest first."""


@dataclass(frozen=True)
class ReviewTask:
    """Which reviews are learnt, and how."""

    reviews: ReviewSet
    task: SentimentTask


@dataclass(frozen=True, eq=False)
class TaskResult:
    """The task as one embedding and one network do it."""

    encoded: EncodedReviews
    task: SentimentTask
    predictions: Predictions

    @property
    def embedding(self) -> Embedding:
        """What the reviews were read with."""
        return self.encoded.embedding

    @property
    def reviews(self) -> ReviewSet:
        """What was learnt from."""
        return self.encoded.reviews

    @cached_property
    def figures(self) -> dict[str, CrossedRatio]:
        """Every figure, item by item and pass by pass."""
        return classification_scores(self.predictions)

    @cached_property
    def outcomes(self) -> dict[str, Description]:
        """Every figure with its interval over reviews and trainings, as results.jsonl holds it."""
        return {
            part: Description(
                value=(estimate := crossed_estimate(ratio)).estimate,
                neutral=None,
                meaning=self.task.meaning,
                # Where nothing varies (no review was called so) nothing is known of the spread.
                interval=as_interval(estimate, within=(0.0, 1.0)) if estimate.variance else None,
                words=(),
                **self._fields(part),
            )
            for part, ratio in self.figures.items()
        }

    @property
    def answer(self) -> UtilityAnswer:
        """The accuracy, as a frontier counts it."""
        part, indices = "accuracy", tuple(map(int, self.predictions.indices))
        mean = self.predictions.correct.mean(axis=1, keepdims=True)
        samples = OneSample(mean, lambda drawn: drawn[..., 0].mean(axis=-1))
        value = self.outcomes[part].value
        positive = float(self.predictions.positive.mean())
        # Who always says the commoner class is right as often, and knows nothing of words.
        chance = max(positive, 1 - positive)
        figure = UtilityScore(part, value, samples, indices, len(indices), (), chance)
        return UtilityAnswer(self.outcomes[part], figure)

    def _fields(self, part: str) -> dict[str, Any]:
        library = "scikit-learn" if isinstance(self.task.network, MeansNetwork) else "torch"
        fitted_keys = {
            key for step in self.embedding.history for key in step.details.get("fitted_on", ())
        }
        described = MetricIdentity(
            name=self.task.name,
            needs=(),
            neutral=None,
            meaning=self.task.meaning,
            settings=self.task.settings(split=self.reviews.split),
        )
        statistics = Statistics(min_coverage=FEWEST_KNOWN, seed=self.task.seed)
        test = identity_of_benchmark(self.reviews, part)
        fields = record_fields(self.embedding, test, described, statistics)
        return fields | {
            "coverage": self._coverage(),
            "fitted_words": tuple(word for word in self.reviews.words if word in fitted_keys),
            "versions": fields["versions"] | {library: version(library)},
        }

    def _coverage(self) -> tuple[GroupCoverage, ...]:
        """Return the reviews that were predicted and dropped, and the tokens that were known."""
        texts, reviews = self.encoded.texts, self.reviews
        dropped = {
            name: f"{count} {'review' if count == 1 else 'reviews'}, dropped"
            for name, count in reviews.dropped
        }
        if trained := len(reviews) - len(self.predictions.indices):
            dropped["train"] = f"{trained} reviews of the split, trained on and not predicted"
        unknown = {
            token: f"unknown, dropped {count} {'time' if count == 1 else 'times'}"
            for token, count in texts.unknown.most_common(MOST_NAMED)
        }
        return (
            _group(
                "items",
                f"reviews of {reviews.title}",
                len(reviews) + sum(count for _, count in reviews.dropped),
                len(self.predictions.indices),
                dropped,
            ),
            _group("tokens", "tokens of the reviews", texts.tokens, texts.known, unknown),
        )


def run_task(
    encoded: EncodedReviews,
    task: SentimentTask,
    *,
    folder: Path | None = None,
    progress: TrainingProgress | None = None,
) -> TaskResult:
    """Learn the task from reviews as one embedding reads them."""
    (result,) = run_task_on_all([encoded], task, folder=folder, progress=progress)
    return result


def run_task_on_all(
    embeddings: Sequence[EncodedReviews],
    task: SentimentTask,
    *,
    folder: Path | None = None,
    progress: TrainingProgress | None = None,
) -> list[TaskResult]:
    """Learn the task from reviews as several embeddings read them, side by side."""
    predictions = cross_validate_all(
        embeddings,
        task.network,
        task.seeds,
        task.folds,
        folder=folder,
        progress=progress,
    )
    return [
        TaskResult(encoded, task, predicted)
        for encoded, predicted in zip(embeddings, predictions, strict=True)
    ]


def check_vocabulary(encoded: EncodedReviews) -> str:
    """Return a warning about a model that seems to be of another language; empty for one that fits.

    known tokens      script of model and reviews     answer
    below 5 %         any                             refused
    below 50 %        not the same                    refused
    below 50 %        the same                        warning
    50 % and more     not the same                    warning
    """
    embedding, reviews, texts = encoded.embedding, encoded.reviews, encoded.texts
    review_script = script_of_reviews(reviews) or "no"
    model_script = max(
        (key_counts := keys_by_script(embedding)), key=key_counts.__getitem__, default="no"
    )
    fewest = FEWEST_KNOWN if review_script == model_script else USUALLY_KNOWN
    if texts.tokens and texts.known >= fewest * texts.tokens:
        share = texts.known / texts.tokens
        if share >= USUALLY_KNOWN and review_script == model_script:
            return ""
        scripts = review_script, model_script
        return other_language_warning(embedding.name, reviews.title, share, scripts)
    raise SettingError(
        f"{embedding.name} knows {texts.known:,} of the {texts.tokens:,} tokens of "
        f"{reviews.title}, which is too little to learn from: "
        f"{scripts_clause(review_script, model_script)}; use a model in the language of the "
        "reviews."
    )


def script_of_reviews(reviews: ReviewSet) -> str:
    """Return the script of most letters of the reviews; empty if they have none."""
    counts = Counter(script(letter) for review in reviews.reviews for letter in review.text)
    counts.pop("", None)
    return max(counts, key=counts.__getitem__, default="")


def as_interval(
    estimate: CrossedEstimate, *, within: tuple[float, float] = (-1.0, 1.0)
) -> Interval | None:
    """Return the interval of a share, or of a difference of two: both have bounds."""
    sampled_units = (
        "items and trainings" if estimate.of_passes is not None else ("items alone, one training")
    )
    return estimate.interval(sampled_units, LEVEL, within=within)


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
