"""How far models that differ by their seed alone lean apart, beside curvature: docs/curvature.md.

Runs of `fairvec audit` of flat models and of balls, all trained on the same counts. Every two of
them are compared by ranks, test by test and over all gender tests at once; then the two kinds are
compared over their models, by every way to regroup these.

python -m scripts.curvature_seeds FLAT_RUN ... -- BALL_RUN ...
"""

import sys
from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import combinations, product
from pathlib import Path

import numpy as np

from fairvec.core.errors import UnanswerableError
from fairvec.experiments.audit.categories import as_poolable
from fairvec.geometry import FloatArray
from fairvec.results import read_results
from fairvec.stats import paired_test, permutation_test
from fairvec.stats.correlation import normal_scores

Shares = dict[str, dict[str, float]]
"""For each test the share of each word in d of its ranks; all gender tests together are one."""

GENDER = "gender, all tests"


def shares_of(run: Path) -> Shares:
    """Return the shares of the words of a run, in the order in which it has them."""
    found: Shares = {}
    gender: list[dict[str, float]] = []
    for outcome in read_results(run):
        try:
            lists = as_poolable(outcome).lists
        except UnanswerableError:
            continue
        ranks = normal_scores(np.concatenate([lists.x_scores, lists.y_scores]))
        x, y = np.split(ranks, [len(lists.x)])
        shares = np.concatenate([x / len(x), -y / len(y)])
        own: dict[str, float] = defaultdict(float)
        for key, share in zip((*lists.x, *lists.y), shares, strict=True):
            own[key] += float(share)
        found[outcome.test.id] = own
        if outcome.test.category == "gender" and outcome.test.kind == "bias":
            gender.append(own)
    together: dict[str, float] = defaultdict(float)
    for own in gender:
        for key, share in own.items():
            together[key] += share / len(gender)
    return {**found, GENDER: together}


def paired(one: Shares, other: Shares) -> Iterator[tuple[str, float, float]]:
    """Yield each test that both models have with the difference of d and its paired p."""
    for test in one:
        if test in other and {*one[test]} == {*other[test]}:
            was, is_now = (
                np.array([each[test][key] for key in one[test]]) for each in (one, other)
            )
            p = paired_test(was, is_now, method="sampled", samples=9_999).value
            yield test, float((is_now - was).sum()), p


def print_summary(name: str, pairs: Sequence[tuple[Shares, Shares]]) -> None:
    """Print how far the two of a pair lie apart, and how often that is called significant."""
    found = [each for pair in pairs for each in paired(*pair)]
    single, all_gender = (
        np.array([each[1:] for each in found if (each[0] == GENDER) == pooled])
        for pooled in (False, True)
    )
    for what, table in (("single tests", single), (GENDER, all_gender)):
        steps, rejected = table[:, 0], np.mean(table[:, 1] <= 0.05)
        print(
            f"{name}, {what}: {len(table)} comparisons, mean difference {steps.mean():+.3f}, "
            f"root mean square {np.sqrt((steps**2).mean()):.3f}, p <= .05 in {rejected:.1%}"
        )


def over_models(flat: Sequence[Shares], ball: Sequence[Shares]) -> None:
    """Print the mean d of each test in both kinds, and p of regrouping the models."""
    for test in flat[0]:
        if all(test in one for one in (*flat, *ball)):
            was, is_now = (effects(some, test) for some in (flat, ball))
            p = permutation_test(is_now, was, sides="two").value
            print(
                f"{test}: flat {was.mean():+.2f} (seeds {was.std(ddof=1):.2f}), ball "
                f"{is_now.mean():+.2f} (seeds {is_now.std(ddof=1):.2f}), difference "
                f"{is_now.mean() - was.mean():+.2f}, p over models {p:.3f}"
            )


def effects(models: Sequence[Shares], test: str) -> FloatArray:
    """Return d of a test in each of the models."""
    return np.array([sum(one[test].values()) for one in models])


def main(arguments: Sequence[str]) -> None:
    """Compare the runs that the command line names."""
    between = arguments.index("--")
    flat, ball = (
        [shares_of(Path(run)) for run in some]
        for some in (arguments[:between], arguments[between + 1 :])
    )
    print_summary("two flat seeds", [*combinations(flat, 2)])
    print_summary("two ball seeds", [*combinations(ball, 2)])
    print_summary("flat and ball", [*product(flat, ball)])
    over_models(flat, ball)


if __name__ == "__main__":
    main(sys.argv[1:])
