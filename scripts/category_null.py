"""How often a category is called biased where it is not, and where it is: docs/categories.md.

Every distinct word of a category's shipped lists, targets and attributes alike, is replaced by a
random word of a shipped model, so that lists overlap as they do and nothing leans. For the power
each test's X is then moved so far that its true d is the one asked for, in all tests or in one.

With `apart` a target that is also an attribute is replaced by two words, one for either use.

python -m scripts.category_null [studies] [studies for the power] [seed] [apart]
"""

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from math import sqrt

import numpy as np

import fairvec
from fairvec.core.format import is_significant
from fairvec.geometry import FloatArray
from fairvec.lexicon import shipped_suites
from fairvec.stats import ScoredLists, holm, joint_test, permutation_test

MODELS = {"en": "glove-en-small", "hi": "glove-hi-small", "ru": "navec-ru-small"}
CATEGORIES = (
    ("en", "gender"),
    ("en", "race"),
    ("hi", "gender"),
    ("hi", "caste"),
    ("hi", "religion"),
    ("ru", "gender"),
)
DRAWS = 999
"""Regroupings a p-value: with these, 5 % is a level that it can have."""

EFFECTS = (0.0, 0.2, 0.4, 0.6)
IN_ONE = 1.2
"""The effect of one test, where the others of its category have none."""

ROLES = ("x", "y", "a", "b")


@dataclass(frozen=True)
class Category:
    """The word lists of a category's bias tests, each word once a list, and where to draw from."""

    tests: tuple[dict[str, tuple[str, ...]], ...]
    words: tuple[str, ...]
    vectors: FloatArray

    @cached_property
    def rows(self) -> tuple[dict[str, list[int]], ...]:
        """Where the words of each list are among all of them."""
        at = {word: row for row, word in enumerate(self.words)}
        return tuple(
            {role: [at[word] for word in test[role]] for role in ROLES} for test in self.tests
        )


def category(language: str, name: str, *, as_disjoint: bool = False) -> Category:
    """Read the shipped lists and the model's directions."""
    prefixes = {role: "attribute " if as_disjoint and role in "ab" else "" for role in ROLES}
    tests = tuple(
        {
            role: tuple(dict.fromkeys(prefixes[role] + word.word for word in test.sets[role].words))
            for role in ROLES
        }
        for suite in shipped_suites()
        for test in suite.tests
        if (suite.language, test.category, test.kind) == (language, name, "bias")
        and all(role in test.sets for role in ROLES)
    )
    words = tuple(sorted({word for test in tests for role in ROLES for word in test[role]}))
    vectors = np.asarray(fairvec.load(MODELS[language]).vectors, np.float64)
    return Category(tests, words, vectors / np.linalg.norm(vectors, axis=1, keepdims=True))


def study(of: Category, generator: np.random.Generator) -> list[ScoredLists]:
    """Draw a word for each listed one, and return how the targets lean in each test."""
    drawn = generator.choice(len(of.vectors), len(of.words), replace=False)
    vectors = of.vectors[drawn]
    found = []
    for test, rows in zip(of.tests, of.rows, strict=True):
        towards_a = vectors[rows["a"]].mean(axis=0) - vectors[rows["b"]].mean(axis=0)
        x, y = (vectors[rows[role]] @ towards_a for role in "xy")
        found.append(ScoredLists(test["x"], test["y"], x, y))
    return found


def leaning(test: ScoredLists, effect: float) -> ScoredLists:
    """Move X so far that random words would have this d on average."""
    share = len(test.x) * len(test.y) / (len(test.x) + len(test.y)) ** 2
    spread = float(np.concatenate([test.x_scores, test.y_scores]).std(ddof=1))
    shift = effect / sqrt(1 - effect**2 * share)
    return ScoredLists(test.x, test.y, test.x_scores + shift * spread, test.y_scores)


def null_rate(of: Category, studies: int, seed: int) -> float:
    """Return the share of studies without bias that the joint p calls biased."""
    generator = np.random.default_rng(seed)
    return float(np.mean([_joint(study(of, generator), at) for at in range(studies)]))


def power(of: Category, effect: float, studies: int, *, in_all: bool) -> FloatArray:
    """Return how often bias is found jointly, by a test after Holm, and by any test as it is."""
    generator = np.random.default_rng(1)
    found = np.zeros(3)
    for seed in range(studies):
        tests = study(of, generator)
        one = int(generator.integers(len(tests)))
        tests = [
            leaning(test, effect) if in_all or at == one else test for at, test in enumerate(tests)
        ]
        single_tests = [
            permutation_test(
                test.x_scores, test.y_scores, method="sampled", samples=DRAWS, seed=seed
            ).value
            for test in tests
        ]
        found += (
            _joint(tests, seed),
            is_significant(min(holm(np.array(single_tests))), 0.05),
            _any(single_tests),
        )
    return found / studies


def _joint(tests: Sequence[ScoredLists], seed: int) -> bool:
    return is_significant(joint_test(tests, samples=DRAWS, seed=seed, interval=False).p.value, 0.05)


def _any(p_values: Sequence[float]) -> bool:
    return any(is_significant(p, 0.05) for p in p_values)


def main(studies: int, for_power: int, seed: int, *, as_disjoint: bool) -> None:
    """Print one line a category, and one for each effect."""
    error = sqrt(0.05 * 0.95 / studies)
    print(f"{studies} studies without bias each, share with p <= 0.05 (standard error {error:.4f})")
    of = {key: category(*key, as_disjoint=as_disjoint) for key in CATEGORIES}
    for key, lists in of.items():
        rate = null_rate(lists, studies, seed)
        print(*key, f"{len(lists.tests)} tests, joint p {rate:.4f}", flush=True)
    if not for_power:
        return
    print(
        f"{for_power} studies each; found: jointly, by a test after Holm, by any test uncorrected"
    )
    for key, lists in of.items():
        for in_all in (True, False):
            for effect in EFFECTS if in_all else (IN_ONE,):
                shares = "  ".join(
                    f"{s:.3f}" for s in power(lists, effect, for_power, in_all=in_all)
                )
                where = "all tests" if in_all else "one test"
                print(*key, f"d {effect} in {where}: {shares}", flush=True)


if __name__ == "__main__":
    numbers = [int(argument) for argument in sys.argv[1:4]]
    main(*(numbers + [5_000, 100, 0][len(numbers) :]), as_disjoint=sys.argv[4:] == ["apart"])
