"""Bias that the whole vocabulary shows: by neighbours, by clusters and by classification.

Gonen & Goldberg (2019), Lipstick on a Pig, NAACL, 609-614: even where no word leans along the
direction any more, words that leaned alike before may still be found together. All three need an
embedding with a vocabulary (`require_vocabulary`); of a cut they look at the words that it has, and
the title of the record says so.
"""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import Annotated, NamedTuple

import numpy as np
from pydantic import Field

from fairvec.core.errors import SettingError, UndefinedError
from fairvec.core.settings import PositiveInt, Seed, settings
from fairvec.embedding import Embedding
from fairvec.embedding.neighbours import named_rows
from fairvec.encoders import Representation
from fairvec.geometry import COSINE, FloatArray, Geometry
from fairvec.geometry.nearest import IntArray, nearest
from fairvec.geometry.norms import normalize_rows, unit_or_zero
from fairvec.lexicon import Groups, resolve
from fairvec.metrics.base import Metric, OneSample, Score, Traits
from fairvec.metrics.bias.direction import Direction, bias_direction, require_target_words
from fairvec.stats import pearson

NeighbourCount = Annotated[
    PositiveInt, Field(description="Nearest words of each word that are looked at.")
]
Original = Annotated[
    Embedding | None,
    Field(
        description="Of a debiased embedding the one from before, whose direction and leanings "
        "count."
    ),
]

NUMBERS_AT_A_TIME = 2**21
"""A block holds about so many numbers: 16 MB."""

NOTICEABLE = 1e-6
"""A cosine below this is the rounding of single precision."""


def unit_blocks(embedding: Embedding, size: int) -> Iterator[tuple[int, FloatArray]]:
    """Yield the first row and the unit vectors of each block of `size` words, or of what fits.

    A vector of length zero stays as it is.
    """
    require_vocabulary(embedding)
    step = max(1, min(max(size, 256), NUMBERS_AT_A_TIME // embedding.dimensions))
    for start in range(0, len(embedding), step):
        vectors = embedding.block(start, start + step)
        yield start, unit_or_zero(vectors)


def require_vocabulary(model: Representation) -> Embedding:
    """Return a model of words; raise UndefinedError if it has none, or only what some task needs.

    Which words are neighbours, or lean most, would be a matter of the task. A cut that somebody
    made, as the shipped models are, is a model of its own.
    """
    if not isinstance(model, Embedding):
        raise UndefinedError(
            f"This measure looks at every word of a model, and {model.name} is an encoder, which "
            "has no vocabulary; make word vectors of it with 'fairvec distil'."
        )
    for step in model.history:
        if step.action == "subset" and "words" in step.details:
            raise UndefinedError(
                f"This measure looks at every word of the embedding, and of {model.name} only "
                f"{step.details['words']} are here; measure the model itself."
            )
    return model


def cosines_with(direction: FloatArray, embedding: Embedding) -> FloatArray:
    """Return the cosine of every word with a direction; a vector of length zero leans nowhere."""
    blocks = unit_blocks(embedding, NUMBERS_AT_A_TIME)
    return np.concatenate([block @ direction for _, block in blocks])


class Extremes(NamedTuple):
    """Rows of the words that lean most to A and most to B, the farthest first."""

    a: IntArray
    b: IntArray


def most_extreme(leanings: FloatArray, groups: Groups, each: int) -> Extremes:
    """Return the `each` words that lean most to either side; those of A and B are left out."""
    positions, name = groups.vocabulary.positions, groups.vocabulary.name
    attributes = [positions[key] for role in "ab" for key in groups[role].keys if key in positions]
    rows = np.delete(np.arange(len(leanings)), attributes)
    if len(rows) < 2 * each:
        raise UndefinedError(
            f"{name} has {len(rows)} words besides A and B and {2 * each} are needed; use an "
            "embedding with its whole vocabulary or ask for fewer words."
        )
    order = rows[np.argsort(leanings[rows], kind="stable")]
    extremes = Extremes(a=order[::-1][:each], b=order[:each])
    if leanings[extremes.a[0]] - leanings[extremes.b[0]] <= NOTICEABLE:
        raise UndefinedError(
            f"No word of {name} leans more to A or to B than another; if it was debiased, give the "
            "embedding from before as the setting original."
        )
    return extremes


def extreme_words(
    groups: Groups, each: int, how: Direction, original: Embedding | None
) -> tuple[FloatArray, FloatArray]:
    """Return the unit vectors of the words that lean most to A, and of those that do to B.

    The leanings are those of the original embedding if there is one, the vectors those of now.
    """
    before, now = groups_in_original(groups, original), groups.vocabulary
    leanings = cosines_with(bias_direction(before, how), before.vocabulary)
    a, b = (
        normalize_rows(now.rows([now.keys[row] for row in rows]))
        for rows in most_extreme(leanings, groups, each)
    )
    return a, b


def groups_in_original(groups: Groups, original: Embedding | None) -> Groups:
    """Return the words as they were in the original embedding; the same groups if there is none."""
    if original is None:
        return groups
    if list(original.keys) != list(groups.vocabulary.keys):
        raise SettingError(
            f"{original.name} and {groups.vocabulary.name} do not hold the same keys in the same "
            "order; give as original the embedding from before the change."
        )
    before = resolve(groups.test, original)
    if any(before[role].keys != group.keys for role, group in groups.groups.items()):
        raise UndefinedError(
            f"Not the same words of the test {groups.test.id} have a vector in {original.name} and "
            f"in {groups.vocabulary.name}; leave out the words that only one of them knows."
        )
    return before


@settings
class BiasByNeighbours(Metric):
    """Can one tell how a word leans from how its neighbours lean?

    r = Pearson correlation over words w of cos(w, g) with the share of the n nearest neighbours v
    of w that have cos(v, g) > 0

    1: a word is surrounded by words that lean as it does; 0: its surroundings say nothing of it.
    n is `neighbours`; words of A and B are no neighbours. Each word's own number is the share of
    its neighbours that lean to A, less one half. Near words are alike in everything, so some of
    this holds for any direction: on Google News ten random words for A and ten for B score .76 to
    .86 over professions. The figure should be held against such lists.
    To measure a debiased embedding give the one from before as `original`: neighbours are then
    those of now, and g and the leanings those of before, as in the paper. In the ball words are
    seen from the origin and the curvature is not noticed.

    Gonen & Goldberg (2019), NAACL, 609-614, section 4; there g is he - she and a list of all
    gender-specific words is kept out of the neighbourhoods.
    """

    name = "bias-by-neighbours"
    meaning = (
        "1: words that lean to A live among others that do, and so for B; 0: a word's "
        "neighbours do not tell how it leans; lists of random words can score as high."
    )
    similarity = COSINE
    traits = Traits(
        sees="X to A, Y to B",
        shown="above",
        positive="words live among others that lean as they do",
        whole_vocabulary=True,
    )

    neighbours: NeighbourCount = 100
    direction: Direction = "auto"
    original: Original = None

    def measure(self, groups: Groups, geometry: Geometry) -> Score:
        """Return the correlation and each word's share of neighbours that lean to A."""
        before = groups_in_original(groups, self.original)
        words = require_target_words(groups)
        direction = bias_direction(before, self.direction)
        near = nearest_words(
            words.vectors,
            [found.key for found in words.found],
            groups.vocabulary,
            self.neighbours,
            without={key for role in ("a", "b") for key in groups[role].keys},
        )
        leaning_to_a = cosines_with(direction, before.vocabulary) > 0
        shares = leaning_to_a[near.rows].mean(axis=1)
        rows = np.column_stack(
            [normalize_rows(require_target_words(before).vectors) @ direction, shares]
        )
        value = float(pearson(rows))
        if np.isnan(value):
            raise UndefinedError(
                "All words lean alike or have equally many neighbours that lean to A, so there is "
                "nothing to correlate; use more and different words."
            )
        return Score(value, words.shares(shares - 0.5), OneSample(rows, pearson))


@dataclass(frozen=True, eq=False)
class Neighbours:
    """The rows of the nearest words of several points, nearest first, and their cosines."""

    rows: IntArray
    cosines: FloatArray


def nearest_words(
    points: FloatArray,
    keys: Sequence[str],
    embedding: Embedding,
    count: int,
    *,
    without: Collection[str] = (),
) -> Neighbours:
    """Return the `count` words of the embedding with the largest cosine to each point.

    Point i belongs to `keys[i]`, which is not its own neighbour; words of `without` and vectors of
    length zero are never neighbours. In the ball cosines are seen from the origin.
    """
    require_vocabulary(embedding)
    excluded = [embedding.positions[key] for key in without if key in embedding]
    own = [embedding.positions.get(key, -1) for key in keys]
    try:
        with named_rows(embedding):
            found = nearest(
                points,
                embedding.vectors,
                count,
                embedding.geometry,
                COSINE,
                excluded=np.array([[row, *excluded] for row in own], np.int64),
            )
    except UndefinedError as error:
        raise UndefinedError(
            f"{embedding.name} has fewer than {count} other words to be a word's neighbours; use "
            "an embedding with its whole vocabulary or ask for fewer neighbours."
        ) from error
    return Neighbours(found.rows, found.similarities)


@settings
class BiasByClustering(Metric):
    """Do the most A-leaning and the most B-leaning words fall apart into two clusters?

    accuracy = share of these words whose side two clusters guess right, by the better naming

    0.5: the clusters have nothing to do with A and B; 1: they are A's and B's words. The words are
    the `each` of the vocabulary with the largest and those with the smallest cos(w, g), without
    the words of A and B; the clusters are those of k-means on unit vectors, the best of 10 starts
    from the `seed`.
    Words that are chosen by their lean differ at least in that: on Google News ten random words
    for A and ten for B score .997 to 1. The figure is about a changed embedding, and even there
    should be held against random lists (.69 to .89 once their own direction is removed).
    To measure a debiased embedding give the one from before as `original`: vectors are then those
    of now, and the leanings those of before, as in the paper. In the ball words are seen from the
    origin and the curvature is not noticed.

    Gonen & Goldberg (2019), NAACL, 609-614, section 4; there g is he - she and a list of all
    gender-specific words is left out.
    """

    name = "bias-by-clustering"
    needs = ("a", "b")
    neutral = 0.5
    meaning = (
        "How well two clusters tell the words that lean to A from those that lean to B: "
        "0.5: not at all; 1: always; lists of random words can score as high."
    )
    similarity = COSINE
    traits = Traits(sees="X to A, Y to B", shown="above", whole_vocabulary=True)

    each: Annotated[PositiveInt, Field(description="Words of either side that are clustered.")] = (
        500
    )
    direction: Direction = "auto"
    original: Original = None
    seed: Annotated[Seed, Field(description="Seed of the clustering.")] = 0

    def measure(self, groups: Groups, geometry: Geometry) -> Score:
        """Return the accuracy; the words are the vocabulary's, so none has a share to show."""
        points = np.concatenate(extreme_words(groups, self.each, self.direction, self.original))
        if np.ptp(points, axis=0).max() <= NOTICEABLE:
            raise UndefinedError(
                "All the words that lean to A or B have the same direction, so there is nothing to "
                "divide into clusters; use an embedding whose words differ."
            )
        clusters = _two_clusters(points, self.seed)
        accuracy = float((clusters == np.repeat([0, 1], self.each)).mean())
        return Score(max(accuracy, 1 - accuracy), ())


def _two_clusters(points: FloatArray, seed: int) -> FloatArray:
    # scikit-learn takes a second to import and few audits need it.
    from sklearn.cluster import KMeans

    # Where the search starts depends on the order of the points: one that knows nothing of sides.
    order = np.argsort(points @ points.mean(axis=0), kind="stable")
    clusters: FloatArray = np.empty(len(points))
    clusters[order] = KMeans(n_clusters=2, n_init=10, random_state=seed).fit_predict(points[order])
    return clusters


@settings
class BiasByClassification(Metric):
    """Can a classifier that has seen some leaning words tell to which side others lean?

    accuracy = share of unseen words whose side a support vector machine gets right

    0.5: no better than a coin; 1: always. The words are the `each` of the vocabulary with the
    largest and those with the smallest cos(w, g), without the words of A and B; the machine learns
    from the unit vectors of `learnt` of each side, drawn by the `seed`, and is asked for the rest.
    Its kernel is exp(-|u - v|^2 / dimensions), its penalty 1: the paper's figures need these.
    Words that are chosen by their lean differ at least in that: on Google News ten random words
    for A and ten for B score .97 to .995. The figure is about a changed embedding; even there it
    should be held against random lists (.82 to .87 once their own direction is removed).
    To measure a debiased embedding give the one from before as `original`: vectors are then those
    of now, and the leanings those of before, as in the paper. In the ball words are seen from the
    origin and the curvature is not noticed.

    Gonen & Goldberg (2019), NAACL, 609-614, section 4; there g is he - she and a list of all
    gender-specific words is left out.
    """

    name = "bias-by-classification"
    needs = ("a", "b")
    neutral = 0.5
    meaning = (
        "How well a classifier tells unseen words that lean to A from those that lean to B: "
        "0.5: not at all; 1: always; lists of random words can score as high."
    )
    similarity = COSINE
    traits = Traits(sees="X to A, Y to B", shown="above", whole_vocabulary=True)

    each: Annotated[PositiveInt, Field(description="Words of either side that are taken.")] = 2500
    learnt: Annotated[
        PositiveInt, Field(description="Words of either side that the classifier learns from.")
    ] = 500
    direction: Direction = "auto"
    original: Original = None
    seed: Annotated[Seed, Field(description="Seed of the choice of these words.")] = 0

    def __post_init__(self) -> None:
        if self.learnt >= self.each:
            raise SettingError(
                f"{self.name}: learnt is {self.learnt} of each {self.each} words a side; it must "
                "be fewer, so that some are left to be asked for."
            )

    def measure(self, groups: Groups, geometry: Geometry) -> Score:
        """Return the accuracy; the words are the vocabulary's, so none has a share to show."""
        sides = extreme_words(groups, self.each, self.direction, self.original)
        # The same ranks are drawn on both sides, so that swapping A and B changes nothing.
        order = np.random.default_rng(self.seed).permutation(self.each)
        training, held_out = (
            np.concatenate([side[ranks] for side in sides])
            for ranks in np.split(order, [self.learnt])
        )
        predicted = _predict(training, held_out)
        return Score(float((predicted == _side_labels(held_out)).mean()), ())


def _side_labels(points: FloatArray) -> FloatArray:
    """Return 0 for the first half of the points, which lean to A, and 1 for the second."""
    return np.repeat([0.0, 1.0], len(points) // 2)


def _predict(training: FloatArray, held_out: FloatArray) -> FloatArray:
    # scikit-learn takes a second to import and few audits need it.
    from sklearn.svm import SVC

    classifier = SVC(kernel="rbf", gamma="auto").fit(training, _side_labels(training))
    predicted: FloatArray = classifier.predict(held_out)
    return predicted
