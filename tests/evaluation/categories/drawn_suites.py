"""Suites of several categories whose lists are drawn from the same words, so that they overlap."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from fairvec.embedding import Embedding
from fairvec.experiments.audit.categories import category_answers
from fairvec.experiments.audit.plan import Audit, Plan, Statistics
from fairvec.experiments.audit.run import run
from fairvec.lexicon import SelectedTest, Suite, parse_suite
from fairvec.metrics import Metric, Weat
from fairvec.results import CategoryAnswer, Outcome, Result

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
    tests = tuple(SelectedTest(suite, test) for suite in suites for test in suite.tests)
    audit = Audit(of or embedding(), tests, metric or Weat())
    return run(Plan((audit,), Statistics(**{"smallest_coverage": 0.0, **settings})))


def one_answer(outcomes: list[Outcome]) -> CategoryAnswer:
    (answer,) = category_answers(outcomes)
    assert isinstance(answer, CategoryAnswer)
    return answer


def results_of(*tests: Drawn, **settings: Any) -> list[Result]:
    return [one for one in outcomes_of(suite_of(*tests), **settings) if isinstance(one, Result)]


def biased(lean: float, *, tests: int = 3, words: int = 8) -> list[Outcome]:
    """Tests of one category whose first list leans to the first attribute by so much."""
    lists = {
        f"{role}{at}": [f"{role}{at}w{n}" for n in range(words)]
        for at in range(tests)
        for role in "xy"
    }
    lists |= {role: [f"{role}w{n}" for n in range(words)] for role in "ab"}
    keys = [word for some in lists.values() for word in some]
    vectors = np.random.default_rng(0).normal(size=(len(keys), 6)) * 0.3
    side = {"x": lean, "y": -lean, "a": 1.0, "b": -1.0}
    vectors[:, 0] += [side[name[0]] for name, some in lists.items() for _ in some]
    text = ['id = "s"\nversion = "1"\nlanguage = "en"\ntitle = "S"\nsource = "S"\nlicence = "S"']
    text += [f'[sets.{name}]\ntitle = "{name}"\nwords = {some!r}' for name, some in lists.items()]
    text += [
        f'[[tests]]\nid = "t{at}"\ntitle = "T"\ncategory = "gender"\nkind = "bias"\n'
        f'x = "x{at}"\ny = "y{at}"\na = "a"\nb = "b"'
        for at in range(tests)
    ]
    return outcomes_of(parse_suite("\n".join(text)), of=Embedding(keys, vectors))
