"""How certainty grows with the length of a test's lists: the workflow."""

from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from math import inf

import numpy as np

from fairvec.encoders import Representation
from fairvec.evaluation.choosing.own_lists import tests_in_language
from fairvec.evaluation.lengths.drawing import (
    NearTable,
    drawn_lists,
    near_table,
    new_lists,
    sublists,
)
from fairvec.evaluation.lengths.telling import told
from fairvec.evaluation.runs.describe import (
    identity_of_metric,
    identity_of_model,
    identity_of_test,
    versions,
)
from fairvec.evaluation.runs.finding import ROUNDING, Evidence, find
from fairvec.evaluation.runs.plan import Statistics
from fairvec.evaluation.runs.run import Progress
from fairvec.evaluation.runs.shortfall import shortfall
from fairvec.geometry import natural_similarity
from fairvec.geometry import similarity as similarity_named
from fairvec.ground.errors import SettingError, UndefinedError, UnknownNameError
from fairvec.lexicon import Groups, Selected, Selector, resolve, select
from fairvec.metrics import Weat, effect_size
from fairvec.results import AtLength, DrawnLists, Interval, ListsNeeded, WordsNeeded
from fairvec.stats import words_to_detect

LISTS = {
    "targets": ("x", "y"),
    "attributes": ("a", "b"),
    **{role: (role,) for role in ("x", "y", "a", "b")},
}
"""What may vary: both lists of a side at once, or one list."""

FEWEST_DRAWS = 40
"""Of fewer lists no 2.5 % lie at an end, and the few that there are would seem to agree."""

MOST_DRAWS = 100_000
"""More of them change no digit that is said."""

LONGEST = 5_000
"""Longer lists nobody writes, and to regroup them takes hours."""

EVERY = 12
"""Every length is tried up to this one; beyond it each is a seventh longer than the last."""


def words_needed(
    model: Representation,
    test: Selector,
    *,
    lists: Iterable[str] = ("targets", "attributes"),
    longest: int = 200,
    draws: int = 200,
    power: float = 0.8,
    within: float = 0.2,
    alpha: float = 0.05,
    similarity: str | None = None,
    convention: str = "caliskan",
    smallest_coverage: float = 0.5,
    seed: int = 0,
    progress: Progress | None = None,
) -> WordsNeeded:
    """Say how many words a test of association needs on a model, and how far that can be known.

    For each length k up to `longest`, `draws` random lists of k words: sub-lists of those at hand,
    which share words, and new ones drawn with replacement, which is a model and beyond the lists'
    own length the only answer. `lists` says which vary while the others stay whole: targets,
    attributes, x, y, a or b. A length is enough for certainty when from it on a share of `power`
    of the lists has p <= `alpha` and the sign of the effect, and for agreement when 95 % of their d
    lie within +- `within`. p regroups targets and takes the attributes as given, so that other
    attributes may be as sure of the contrary: that share is given beside it.
    """
    varied = _varied(lists)
    statistics = Statistics(alpha=float(alpha), seed=seed, smallest_coverage=smallest_coverage)
    _check(longest, draws, power, within, alpha)
    chosen = _one_test(test, model)
    metric = Weat(
        natural_similarity(model.geometry) if similarity is None else similarity_named(similarity),
        effect_size(convention),
    )
    groups = resolve(chosen.test, model)
    if missing := shortfall(groups, metric, smallest_coverage):
        raise UndefinedError(f"{chosen.test.id}: {missing}")
    _refuse_single_words(groups, varied)
    finding = find(metric.measure(groups, model.geometry), statistics)
    evidence = finding.evidence
    if evidence is None:
        raise UndefinedError(f"{chosen.test.id} has no p-value, so no length makes it certain.")
    value = finding.score.value
    if abs(value) <= ROUNDING:
        raise UndefinedError(
            f"{chosen.test.id} has an effect of 0 on {model.name}, which has no sign that longer "
            "lists could show; ask for another test."
        )
    table = near_table(groups, metric, model.geometry)
    draw = partial(drawn_lists, sign=value, draws=draws, alpha=alpha, seed=seed)
    points = _at_lengths(table, varied, longest, draw, seed, progress)
    interval = finding.steadiness.interval
    found = WordsNeeded(
        test=identity_of_test(chosen),
        model=identity_of_model(model),
        metric=identity_of_metric(metric),
        effect=value,
        p=evidence.p_two_sided.value,
        interval=interval,
        alpha=alpha,
        power=power,
        within=within,
        draws=draws,
        seed=seed,
        lists=tuple(
            _lists_needed(groups, roles, points[name], power, within)
            for name, roles in varied.items()
        ),
        by_formula=_by_formula(value, evidence, alpha, power),
        by_formula_at_end=_by_formula(_nearer_end(interval), evidence, alpha, power),
        sentence="",
        versions=versions(model),
    )
    return found.model_copy(update={"sentence": told(found)})


def lengths_tried(own: Sequence[int], longest: int) -> Iterator[int]:
    """Yield the lengths: every one up to 12, then a seventh longer each, and those of the lists."""
    tried = {*range(2, min(EVERY, longest) + 1), *(size for size in own if size <= longest)}
    length = EVERY
    while length < longest:
        length = min(longest, max(length + 1, round(length * 8 / 7)))
        tried.add(length)
    yield from sorted(tried)


def enough(
    lengths: Sequence[tuple[int, DrawnLists | None]], power: float, within: float
) -> tuple[int | None, int | None]:
    """Return the lengths from which on every one tried is certain enough, and agrees enough."""
    found: list[int | None] = [None, None]
    going = [True, True]
    for words, lists in reversed(lengths):
        if lists is None:
            continue
        reach = lists.reach
        holds = (lists.significant >= power, reach is not None and reach <= within)
        for which in (0, 1):
            going[which] = going[which] and holds[which]
            if going[which]:
                found[which] = words
    return found[0], found[1]


def _check(longest: int, draws: int, power: float, within: float, alpha: float) -> None:
    possible = FEWEST_DRAWS <= draws <= MOST_DRAWS and 2 <= longest <= LONGEST and 0 < within < inf
    if not possible or not alpha < power < 1:
        raise SettingError(
            f"Lists are drawn {FEWEST_DRAWS} to {MOST_DRAWS:,} times, have 2 to {LONGEST:,} words, "
            f"and alpha < power < 1 and within is a number > 0, not draws {draws}, longest "
            f"{longest}, alpha {alpha}, power {power} and within {within}."
        )


def _varied(lists: Iterable[str]) -> dict[str, tuple[str, ...]]:
    named = [lists] if isinstance(lists, str) else [*lists]
    for name in named:
        if name not in LISTS:
            raise UnknownNameError("choice of lists", str(name), LISTS)
    if not named:
        raise SettingError(f"lists= names none; choose some of {', '.join(LISTS)}.")
    return {name: LISTS[name] for name in named}


def _one_test(test: Selector, model: Representation) -> Selected:
    chosen = select(tests_in_language([test], [model]))
    if len(chosen) != 1:
        some = ", ".join(each.test.id for each in chosen[:3])
        raise SettingError(
            f"{test} has {len(chosen)} tests ({some} ...), and words are counted for one; name one."
        )
    return chosen[0]


def _refuse_single_words(groups: Groups, varied: dict[str, tuple[str, ...]]) -> None:
    for role in dict.fromkeys(role for roles in varied.values() for role in roles):
        if len(groups[role].found) < 2:
            raise UndefinedError(
                f"The list {role} of {groups.test.id} has one word, which does not say how far "
                "others would differ; vary other lists."
            )


def _at_lengths(
    table: NearTable,
    varied: dict[str, tuple[str, ...]],
    longest: int,
    draw: "partial[DrawnLists]",
    seed: int,
    progress: Progress | None,
) -> dict[str, list[AtLength]]:
    """Return what lists of every length tried say, under the name of what varies."""
    points: dict[str, list[AtLength]] = {name: [] for name in varied}
    steps = [
        (name, words)
        for name, roles in varied.items()
        for words in lengths_tried([table.sizes[role] for role in roles], longest)
    ]
    for done, (name, words) in enumerate(steps):
        if progress:
            progress(done, len(steps), name)
        # By name, so that what else is asked does not change what is drawn.
        seeds = [seed, [*LISTS].index(name), words]
        points[name].append(_at_length(table, varied[name], words, draw, seeds))
    return points


def _at_length(
    table: NearTable,
    roles: tuple[str, ...],
    words: int,
    draw: "partial[DrawnLists]",
    seeds: Sequence[int],
) -> AtLength:
    apart, together = (np.random.default_rng([*seeds, kind]) for kind in (0, 1))
    shorter = words < max(table.sizes[role] for role in roles)
    return AtLength(
        words=words,
        sublists=draw(table, lambda: sublists(table, roles, words, apart)) if shorter else None,
        new=draw(table.stretched(roles), lambda: new_lists(table, roles, words, together)),
    )


def _lists_needed(
    groups: Groups,
    roles: tuple[str, ...],
    points: Sequence[AtLength],
    power: float,
    within: float,
) -> ListsNeeded:
    new = enough([(point.words, point.new) for point in points], power, within)
    shorter = enough([(point.words, point.sublists) for point in points], power, within)
    return ListsNeeded(
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
    if interval is None or interval.low <= 0 <= interval.high:
        return 0.0
    return min(interval.low, interval.high, key=abs)


def _by_formula(effect: float, evidence: Evidence, alpha: float, power: float) -> int | None:
    """Return the words a list that show an effect, carried to Caliskan's scale first."""
    if evidence.scale is None:
        return None
    return words_to_detect(effect / evidence.scale, alpha=alpha, power=power)
