"""Suites of several categories whose lists are drawn from the same words, so that they overlap."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from fairvec.embedding import Embedding
from fairvec.evaluation import Audit, Plan, Statistics, run
from fairvec.lexicon import Selected, Suite, parse_suite
from fairvec.metrics import Metric, Weat
from fairvec.results import Outcome

WORDS = [f"w{number}" for number in range(40)]
ROLES = ("x", "y", "a", "b")


@dataclass(frozen=True)
class Drawn:
    """One test: its category and kind, the sizes of its lists and the seed that draws them."""

    category: str = "gender"
    sizes: tuple[int, int, int, int] = (6, 6, 5, 5)
    seed: int = 0
    kind: str = "bias"


def suite_of(*tests: Drawn, id: str = "s", language: str = "en") -> Suite:
    """A suite of these tests; X and Y may share words, and may be the same."""
    head = f'id = "{id}"\nversion = "1"\nlanguage = "{language}"'
    text = [f'{head}\ntitle = "S"\nsource = "S"\nlicence = "S"']
    for number, test in enumerate(tests):
        generator = np.random.default_rng(test.seed)
        for role, count in zip(ROLES, test.sizes, strict=True):
            words = [WORDS[place] for place in generator.permutation(len(WORDS))[:count]]
            text.append(f'[sets.{role}{number}]\ntitle = "{role}"\nwords = {words!r}')
        roles = "\n".join(f'{role} = "{role}{number}"' for role in ROLES)
        text.append(
            f'[[tests]]\nid = "t{number}"\ntitle = "T"\ncategory = "{test.category}"\n'
            f'kind = "{test.kind}"\n{roles}'
        )
    return parse_suite("\n".join(text))


def embedding(seed: int = 0, kind: str = "normal", name: str = "drawn") -> Embedding:
    """Random vectors of the words: apart, nearly alike, alike in fives, or of signs with ties."""
    drawn: np.ndarray[Any, Any] = np.random.default_rng(seed).normal(size=(len(WORDS), 5))
    if kind == "small":
        drawn = (1 + drawn * 1e-9).astype(np.float32)
    if kind == "alike":
        drawn = np.repeat(drawn[:8], 5, axis=0)
    return Embedding(WORDS, np.sign(drawn) if kind == "signs" else drawn, name=name)


def outcomes_of(
    *suites: Suite, of: Embedding | None = None, metric: Metric | None = None, **settings: Any
) -> list[Outcome]:
    """What a run of these suites finds, before anything is pooled."""
    tests = tuple(Selected(suite, test) for suite in suites for test in suite.tests)
    audit = Audit(of or embedding(), tests, metric or Weat())
    return run(Plan((audit,), Statistics(**{"smallest_coverage": 0.0, **settings})))
