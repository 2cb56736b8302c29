"""A change of a model tried at once: only the words that are shown are moved.

change_report       the tests before and after, over their own words
map_frame           words along the concept and between two lists, on axes of the model before
neighbours_around   the nearest words before and after, among the first words of a model
similarity_pairs    figures of the benchmarks of similarity, before and after
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from fairvec.benchmarks import SimilaritySet, find_words
from fairvec.embedding import Embedding
from fairvec.experiments.audit.audit import audit
from fairvec.experiments.audit.plan import DEFAULT_STATISTICS, Statistics
from fairvec.experiments.comparison.before_after import (
    ChangeReport,
    ModelMeasurements,
    changes_of_use,
)
from fairvec.experiments.neighbours import NearWords, keys_of_words, near_words
from fairvec.experiments.projections.axes import MapAxis, axis_of_concept, axis_of_lists
from fairvec.experiments.projections.layouts import ShownWords, plotted_words
from fairvec.experiments.utility import USUAL, UtilityAnswer, answers, select_benchmarks
from fairvec.geometry import FloatArray
from fairvec.lexicon import Concept, SelectedTest, Test
from fairvec.mitigation import Transform
from fairvec.mitigation.out_of_core import lazy_transform
from fairvec.results.records import Change


def measure_tests(
    words: Embedding, tests: Sequence[SelectedTest], statistics: Statistics = DEFAULT_STATISTICS
) -> ModelMeasurements:
    """Return the records of the tests, as `fairvec.audit` of these words gives them."""
    found = audit(
        words, suites=[each.test for each in tests], statistics=statistics, categories=False
    )
    return ModelMeasurements(words, tuple(found), (), statistics)


def change_report(
    before: ModelMeasurements,
    transform: Transform,
    tests: Sequence[SelectedTest],
    statistics: Statistics = DEFAULT_STATISTICS,
) -> ChangeReport:
    """Judge a change by tests whose words were measured before; only these are moved."""
    model = before.embedding
    moved = transform.transform(model).with_name(f"{model.name}, {transform.name}")
    return ChangeReport(before, measure_tests(moved, tests, statistics), pooled=False)


Axes = tuple[MapAxis, MapAxis]
Places = tuple[FloatArray, FloatArray]

FIRST = 1_000
"""Most frequent words that are drawn beside those of the test."""


@dataclass(frozen=True, eq=False)
class MapFrame:
    """Words along the concept's direction and between the targets of a test.

    The axes are of the model before a change, so that a word that loses the concept moves to the
    middle.
    """

    words: ShownWords
    axes: Axes

    def places(self, points: FloatArray) -> Places:
        """Return where points lie across and up."""
        across, up = self.axes
        return across.leaning(points), up.leaning(points)

    @property
    def before(self) -> Places:
        """Where the words lie before a change."""
        return self.places(self.words.points)

    def after(self, transform: Transform) -> Places:
        """Return where the words lie after a change."""
        return self.places(transform.apply(self.words.points, self.words.keys))


def map_frame(model: Embedding, concept: Concept, test: Test) -> MapFrame:
    """Return the words of a test and the most frequent ones, with the axes of their map."""
    test_words = [word.word for wordset in test.sets.values() for word in wordset.words]
    plotted = plotted_words(model, FIRST, test_words)
    targets = {"a": test.sets["x"], "b": test.sets["y"]}
    up = axis_of_lists(Test(sets=targets, language=test.language), model, title=test.title)
    return MapFrame(plotted, (axis_of_concept(concept, model), up))


AMONG = 50_000
"""Neighbours after a change are sought among so many first words: each has to be moved."""


def neighbours_around(
    model: Embedding, transform: Transform, word: str, count: int
) -> tuple[NearWords, NearWords, int, list[str]]:
    """Return the near words of a word before and after, among how many, and remarks.

    They are sought among the first words of a model, which are moved block by block, never all in
    memory.
    """
    remarks: list[str] = []
    (key,) = keys_of_words([word], model, remarks.append)
    first = _first(model, AMONG, key)
    moved = lazy_transform(transform, first)
    (was,), (now,) = (near_words(one, [key], count) for one in (first, moved))
    return was, now, len(first), remarks


def _first(model: Embedding, among: int, key: str) -> Embedding:
    """Return the first words of a model, and the one named, wherever it stands."""
    if len(model) <= among:
        return model
    own = model.positions[key]
    if own < among:
        keys, vectors = model.keys[:among], model.vectors[:among]
        return replace(model, keys=keys, vectors=vectors, counts=None)
    # Few rows are read, so that the rest of the model stays on disk.
    rows = [*range(among), own]
    keys = [*model.keys[:among], key]
    return replace(model, keys=keys, vectors=model.vectors[rows], counts=None)


LONGEST = 3500
"""Most pairs of a benchmark: longer ones are for the command line."""
QUICK = 400
"""Most pairs of a benchmark that is measured at every step of the slider."""
WITHOUT_INTERVALS = replace(USUAL, interval="none")

Pairs = list[tuple[UtilityAnswer, UtilityAnswer]]


@dataclass(frozen=True, eq=False)
class SimilarityBaseline:
    """The benchmarks of similarity, their words in a model, and its figures."""

    sets: tuple[SimilaritySet, ...]
    words: Embedding
    figures: tuple[UtilityAnswer, ...]


def similarity_before(model: Embedding) -> SimilarityBaseline:
    """Return the benchmarks of similarity that are not too long, and a model's figures."""
    benchmarks = select_benchmarks(model, None)
    sets = tuple(
        one for one in benchmarks if isinstance(one, SimilaritySet) and len(one) <= LONGEST
    )
    keys = {
        key
        for one in sets
        for match in find_words(one.texts, model, one.language).values()
        for key in match.keys
    }
    rows = sorted(model.positions[key] for key in keys)
    words = replace(
        model, keys=[model.keys[row] for row in rows], vectors=model.vectors[rows], counts=None
    )
    return SimilarityBaseline(sets, words, tuple(answers(words, sets, WITHOUT_INTERVALS)))


def similarity_pairs(before: SimilarityBaseline, transform: Transform, *, most: int) -> Pairs:
    """Return figures before and after of benchmarks of at most so many pairs."""
    words = before.words
    moved = transform.transform(words).with_name(f"{words.name}, {transform.name}")
    short = [one for one in before.sets if len(one) <= most]
    after = answers(moved, short, WITHOUT_INTERVALS, original=words)
    known = {answer.what: answer for answer in before.figures}
    return [(known[one.what], one) for one in after if one.what in known]


def similarity_changes(pairs: Pairs) -> list[Change]:
    """Return the change of each benchmark, by the paired test over its pairs."""
    return changes_of_use(pairs, USUAL.alpha)
