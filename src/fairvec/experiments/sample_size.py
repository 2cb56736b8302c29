"""How many words a test needs: its power and spread with shorter and longer lists.

Shorter lists are drawn from the words of the test; longer ones are simulated by drawing with
replacement, which takes these words for the population.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from math import comb, sqrt
from typing import Annotated

import numpy as np
import numpy.typing as npt
from pydantic import Field

from fairvec.core.errors import SettingError, UnanswerableError, UndefinedError, UnknownNameError
from fairvec.core.format import is_significant
from fairvec.core.settings import Positive, Share, check_arguments
from fairvec.encoders import Representation
from fairvec.encoders.encoder import versions
from fairvec.experiments.audit.inference import ROUNDING, infer
from fairvec.experiments.audit.plan import InnerShare, Statistics
from fairvec.experiments.audit.run import Progress
from fairvec.experiments.audit.suites import tests_in_language
from fairvec.experiments.audit.test_words import require_coverage
from fairvec.experiments.provenance import describe_metric, describe_model, describe_test
from fairvec.geometry import FloatArray, Geometry, default_similarity
from fairvec.geometry import similarity as similarity_named
from fairvec.lexicon import Groups, SelectedTest, Selector, resolve, select_tests
from fairvec.messages.studies import sample_size_sentence
from fairvec.metrics import effect_size
from fairvec.metrics.bias.weat import EffectSize, Weat, attribute_similarities, leanings
from fairvec.results import Interval
from fairvec.results.sample_size import (
    LengthResult,
    ListSizeCurve,
    ResampledLists,
    SampleSizeReport,
)
from fairvec.stats import permutation_test, required_words
from fairvec.stats.power import MOST_TO_DETECT

MOST_EXACT, SAMPLES, MORE_SAMPLES = 3 * 10**6, 999, 19_999
"""p is exact up to so many regroupings (12 + 12 words); beyond, so many are drawn, or more."""

Rows = dict[str, npt.NDArray[np.int64]]


@dataclass(frozen=True, eq=False)
class ListSimilarities:
    """The similarity of every target to every attribute: all that lists can be drawn from.

    `near` has a row for each word of X and then Y, a column for each of A and then B.
    """

    near: FloatArray
    sizes: Mapping[str, int]
    effect: EffectSize

    def effect_and_leanings(self, rows: Rows) -> tuple[float, FloatArray, FloatArray]:
        """Return d and the leanings of X and Y for lists given by their words' places."""
        offsets = [self.sizes["x"], self.sizes["a"]]
        means = [
            np.column_stack(
                [
                    self.near[np.ix_(targets, rows["a"])].mean(axis=1),
                    self.near[np.ix_(targets, offsets[1] + rows["b"])].mean(axis=1),
                ]
            )
            for targets in (rows["x"], offsets[0] + rows["y"])
        ]
        return float(self.effect(*means)), leanings(means[0]), leanings(means[1])

    def stretched(self, roles: Collection[str]) -> "ListSimilarities":
        """Return it with the words of some lists farther from their list's mean.

        By sqrt(n / (n - 1)): draws with replacement then have the variance that is estimated of
        the population, and not the smaller one of the n words at hand.
        """
        near = self.near.copy()
        for role in roles:
            first = self.sizes[{"y": "x", "b": "a"}[role]] if role in "yb" else 0
            rows = slice(first, first + self.sizes[role])
            part = near[rows] if role in "xy" else near[:, rows].T
            words = self.sizes[role]
            mean = part.mean(axis=0)
            stretched_part = mean + (part - mean) * sqrt(words / (words - 1))
            if role in "xy":
                near[rows] = stretched_part
            else:
                near[:, rows] = stretched_part.T
        return replace(self, near=near)


def similarity_table(groups: Groups, metric: Weat, geometry: Geometry) -> ListSimilarities:
    """Compare all words of a test once."""
    a, b = groups["a"].vectors, groups["b"].vectors
    parts = [
        attribute_similarities(groups[role].vectors, a, b, metric.similarity, geometry)
        for role in ("x", "y")
    ]
    near = np.block([[part.to_a, part.to_b] for part in parts])
    sizes = {role: len(groups[role].found) for role in "xyab"}
    return ListSimilarities(near, sizes, metric.effect_size)


def sublists(
    table: ListSimilarities, roles: Collection[str], words: int, generator: np.random.Generator
) -> Rows:
    """Draw so many words of some lists without replacement, or all of a list that has no more."""

    def drawn(role: str) -> npt.NDArray[np.int64]:
        return np.sort(generator.permutation(table.sizes[role])[:words])

    return _rows(table, roles, drawn)


def new_lists(
    table: ListSimilarities, roles: Collection[str], words: int, generator: np.random.Generator
) -> Rows:
    """Draw so many words of some lists with replacement."""
    return _rows(table, roles, lambda role: generator.integers(table.sizes[role], size=words))


def _rows(
    table: ListSimilarities, roles: Collection[str], drawn: Callable[[str], npt.NDArray[np.int64]]
) -> Rows:
    return {
        role: drawn(role) if role in roles else np.arange(size)
        for role, size in table.sizes.items()
    }


def draw_lists(
    table: ListSimilarities,
    draw: Callable[[], Rows],
    *,
    sign: float,
    draws: int,
    alpha: float,
    seed: int,
) -> ResampledLists:
    """Say how often lists are significant with this sign and the other, and where 95 % of d lie.

    Lists whose words all lean alike have no effect and are not significant.
    """
    effects, significant_by_sign = [], {True: 0, False: 0}
    for _ in range(draws):
        effect, x, y = table.effect_and_leanings(draw())
        if np.isfinite(effect):
            effects.append(effect)
            significant_by_sign[effect * sign > 0] += lists_differ(x, y, alpha=alpha, seed=seed)
    low, high = np.quantile(effects, [0.025, 0.975]).tolist() if effects else (None, None)
    return ResampledLists(
        significant=significant_by_sign[True] / draws,
        opposite=significant_by_sign[False] / draws,
        low=low,
        high=high,
    )


def lists_differ(x: FloatArray, y: FloatArray, *, alpha: float, seed: int) -> bool:
    """Say whether two lists differ by two-sided permutation.

    Exactly where that is quick; else 999 regroupings decide if their 99 % bounds leave out alpha,
    and 19,999 where they do not.
    """
    if comb(len(x) + len(y), len(x)) <= MOST_EXACT:
        return is_significant(permutation_test(x, y, method="exact").value, alpha)
    sampled_test = partial(permutation_test, x, y, method="sampled", seed=seed)
    p = sampled_test(samples=SAMPLES)
    if p.low <= alpha <= p.high:
        p = sampled_test(samples=MORE_SAMPLES)
    return is_significant(p.value, alpha)


LISTS = {
    "targets": ("x", "y"),
    "attributes": ("a", "b"),
    **{role: (role,) for role in ("x", "y", "a", "b")},
}
"""What may vary: both lists of a side at once, or one list."""

FEWEST_DRAWS = 40
"""Of fewer lists no 2.5 % lie at an end, and the few that there are would seem to agree."""

# Longer lists are not written by hand, and more of them change no digit that is shown.
Longest = Annotated[int, Field(ge=2, le=5_000, description="The longest lists to try.")]
Draws = Annotated[
    int, Field(ge=FEWEST_DRAWS, le=100_000, description="Random lists of each length.")
]
Power = Annotated[InnerShare, Field(description="Share of lists that shall be significant.")]
Margin = Annotated[Positive, Field(description="Margin within which 95 % of effects shall lie.")]
SizeCoverage = Annotated[
    Share, Field(description="Refuse when less than this share of a list is found.")
]

ALL_UP_TO = 12
"""Every length is tried up to this one; beyond it each is a seventh longer than the last."""


def words_needed(
    model: Representation,
    test: Selector,
    *,
    lists: Iterable[str] = ("targets", "attributes"),
    longest: Longest = 200,
    draws: Draws = 200,
    power: Power = 0.8,
    within: Margin = 0.2,
    alpha: float = 0.05,
    similarity: str | None = None,
    convention: str = "caliskan",
    min_coverage: SizeCoverage = 0.5,
    seed: int = 0,
    progress: Progress | None = None,
) -> SampleSizeReport:
    """Say how many words a test of association needs on a model, and how far that can be known.

    For each length k up to `longest`, `draws` random lists of k words: sub-lists of those at hand,
    which share words, and new ones drawn with replacement, which is a model and beyond the lists'
    own length the only answer. `lists` says which vary while the others stay whole: targets,
    attributes, x, y, a or b. A length is enough for certainty when from it on a share of `power`
    of the lists has p <= `alpha` and the sign of the effect, and for agreement when 95 % of their d
    lie within +- `within`. p regroups targets and takes the attributes as given, so that other
    attributes may be as sure of the contrary: that share is given beside it.
    """
    roles_by_name = _roles_of_lists(lists)
    statistics = Statistics(alpha=float(alpha), seed=seed, min_coverage=min_coverage)
    check_arguments(words_needed, longest=longest, draws=draws, power=power, within=within)
    if power <= alpha:
        raise SettingError(
            f"words_needed: power is {power}; it must be above alpha ({alpha}), the share of lists "
            "that is significant by chance."
        )
    selected = _single_test(test, model)
    metric = Weat(
        default_similarity(model.geometry) if similarity is None else similarity_named(similarity),
        effect_size(convention),
    )
    groups = resolve(selected.test, model)
    try:
        require_coverage(groups, metric, min_coverage)
    except UnanswerableError as error:
        raise UndefinedError(f"{selected.test.id}: {error}") from None
    _refuse_single_words(groups, roles_by_name)
    inference = infer(metric.measure(groups, model.geometry), statistics)
    p, interval, scale = inference.p_two_sided, inference.interval, inference.scale
    if p is None:
        raise UndefinedError(f"{selected.test.id} has no p-value, so no length makes it certain.")
    value = inference.score.value
    if abs(value) <= ROUNDING:
        raise UndefinedError(
            f"{selected.test.id} has an effect of 0 on {model.name}, which has no sign that longer "
            "lists could show; ask for another test."
        )
    table = similarity_table(groups, metric, model.geometry)
    draw = partial(draw_lists, sign=value, draws=draws, alpha=alpha, seed=seed)
    points = _at_lengths(table, roles_by_name, longest, draw, seed, progress)
    answer = SampleSizeReport(
        test=describe_test(selected),
        model=describe_model(model),
        metric=describe_metric(metric),
        effect=value,
        p=p.value,
        interval=interval,
        alpha=alpha,
        power=power,
        within=within,
        draws=draws,
        seed=seed,
        lists=tuple(
            _lists_needed(groups, roles, points[name], power, within)
            for name, roles in roles_by_name.items()
        ),
        by_formula=_by_formula(value, scale, alpha, power),
        by_formula_at_end=_by_formula(_nearer_end(interval), scale, alpha, power),
        sentence="",
        versions=versions(model),
    )
    return answer.model_copy(update={"sentence": sample_size_sentence(answer, MOST_TO_DETECT)})


def list_lengths(own: Sequence[int], longest: int) -> Iterator[int]:
    """Yield the lengths: every one up to 12, then a seventh longer each, and those of the lists."""
    tried = {*range(2, min(ALL_UP_TO, longest) + 1), *(size for size in own if size <= longest)}
    length = ALL_UP_TO
    while length < longest:
        length = min(longest, max(length + 1, round(length * 8 / 7)))
        tried.add(length)
    yield from sorted(tried)


def sufficient_lengths(
    lengths: Sequence[tuple[int, ResampledLists | None]], power: float, within: float
) -> tuple[int | None, int | None]:
    """Return the lengths from which on every one tried is certain enough, and agrees enough."""
    shortest: list[int | None] = [None, None]
    unbroken = [True, True]
    for words, lists in reversed(lengths):
        if lists is None:
            continue
        reach = lists.reach
        met = (lists.significant >= power, reach is not None and reach <= within)
        for criterion in (0, 1):
            unbroken[criterion] = unbroken[criterion] and met[criterion]
            if unbroken[criterion]:
                shortest[criterion] = words
    return shortest[0], shortest[1]


def _roles_of_lists(lists: Iterable[str]) -> dict[str, tuple[str, ...]]:
    names = [lists] if isinstance(lists, str) else [*lists]
    for name in names:
        if name not in LISTS:
            raise UnknownNameError("choice of lists", str(name), LISTS)
    if not names:
        raise SettingError(f"lists= names none; choose some of {', '.join(LISTS)}.")
    return {name: LISTS[name] for name in names}


def _single_test(test: Selector, model: Representation) -> SelectedTest:
    selected = select_tests(tests_in_language([test], [model]))
    if len(selected) != 1:
        examples = ", ".join(test_choice.test.id for test_choice in selected[:3])
        raise SettingError(
            f"{test} has {len(selected)} tests ({examples} ...), and words are counted for one; "
            "name one."
        )
    return selected[0]


def _refuse_single_words(groups: Groups, roles_by_name: dict[str, tuple[str, ...]]) -> None:
    for role in dict.fromkeys(role for roles in roles_by_name.values() for role in roles):
        if len(groups[role].found) < 2:
            raise UndefinedError(
                f"The list {role} of {groups.test.id} has one word, which does not say how far "
                "others would differ; vary other lists."
            )


def _at_lengths(
    table: ListSimilarities,
    roles_by_name: dict[str, tuple[str, ...]],
    longest: int,
    draw: "partial[ResampledLists]",
    seed: int,
    progress: Progress | None,
) -> dict[str, list[LengthResult]]:
    """Return what lists of every length tried say, under the name of what varies."""
    points: dict[str, list[LengthResult]] = {name: [] for name in roles_by_name}
    steps = [
        (name, words)
        for name, roles in roles_by_name.items()
        for words in list_lengths([table.sizes[role] for role in roles], longest)
    ]
    for done, (name, words) in enumerate(steps):
        if progress:
            progress(done, len(steps), name)
        # By name, so that what else is asked does not change what is drawn.
        seeds = [seed, [*LISTS].index(name), words]
        points[name].append(_at_length(table, roles_by_name[name], words, draw, seeds))
    return points


def _at_length(
    table: ListSimilarities,
    roles: tuple[str, ...],
    words: int,
    draw: "partial[ResampledLists]",
    seeds: Sequence[int],
) -> LengthResult:
    sublist_generator, new_list_generator = (
        np.random.default_rng([*seeds, kind]) for kind in (0, 1)
    )
    shorter = words < max(table.sizes[role] for role in roles)
    return LengthResult(
        words=words,
        sublists=draw(table, lambda: sublists(table, roles, words, sublist_generator))
        if shorter
        else None,
        new=draw(
            table.stretched(roles), lambda: new_lists(table, roles, words, new_list_generator)
        ),
    )


def _lists_needed(
    groups: Groups,
    roles: tuple[str, ...],
    points: Sequence[LengthResult],
    power: float,
    within: float,
) -> ListSizeCurve:
    new = sufficient_lengths([(point.words, point.new) for point in points], power, within)
    shorter = sufficient_lengths([(point.words, point.sublists) for point in points], power, within)
    return ListSizeCurve(
        roles=roles,
        titles=tuple(groups[role].wordset.title for role in roles),
        own=tuple(len(groups[role].found) for role in roles),
        lengths=tuple(points),
        for_power=new[0],
        for_spread=new[1],
        sublists_for_power=shorter[0],
        sublists_for_spread=shorter[1],
    )


def _nearer_end(interval: Interval | None) -> float:
    """Return the end of an interval that is nearer to 0; 0 where it is in it, or there is none."""
    if interval is None or interval.contains(0.0):
        return 0.0
    return min(interval.low, interval.high, key=abs)


def _by_formula(effect: float, scale: float | None, alpha: float, power: float) -> int | None:
    """Return the words a list that show an effect, carried to Caliskan's scale first."""
    if scale is None:
        return None
    return required_words(effect / scale, alpha=alpha, power=power)
