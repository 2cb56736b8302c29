"""Suites whose lists overlap, models with a known bias, and points of made-up methods."""

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from statistics import fmean
from typing import Any
from unittest.mock import patch

import numpy as np

from fairvec.embedding import Embedding
from fairvec.encoders import Encoder, encoder_from_function
from fairvec.experiments.audit import categories
from fairvec.experiments.audit.categories import category_answers
from fairvec.experiments.audit.plan import Statistics
from fairvec.experiments.audit.run import run_tests
from fairvec.experiments.comparison import compare
from fairvec.experiments.frontier.choice import Folds, TestFold
from fairvec.experiments.frontier.points import bias_left
from fairvec.geometry import NEGATIVE_DISTANCE, Euclidean, FloatArray, Geometry, Poincare
from fairvec.languages.equity import EquityTable
from fairvec.languages.text import token_pattern
from fairvec.lexicon import SelectedTest, Suite, concept, parse_suite, select_tests
from fairvec.metrics import Metric
from fairvec.metrics.bias.weat import Weat
from fairvec.results import Outcome, Result
from fairvec.results.frontier import FrontierPoint
from fairvec.results.records import CategoryAnswer, WordScore
from fairvec.results.verdicts import ChangeKind
from tests.encoders.toys import LetterModel
from tests.results.toys import effect, measured, point

# --- How often two runs are compared, and tests pooled, whoever asks for it


@contextmanager
def count_work() -> Iterator[Counter[str]]:
    """Count the comparisons that are made, and the categories that are pooled."""
    counts: Counter[str] = Counter()

    def counting(name: str, function: Callable[..., Any]) -> Callable[..., Any]:
        def counted(*arguments: Any, **settings: Any) -> Any:
            counts[name] += 1
            return function(*arguments, **settings)

        return counted

    with (
        patch.object(compare, "RunComparison", counting("compared", compare.RunComparison)),
        patch.object(categories, "pool_effects", counting("pooled", categories.pool_effects)),
    ):
        yield counts


# --- Suites of several categories whose lists are drawn from the same words, so that they overlap


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
    *suites: Suite,
    of: Embedding | Encoder | None = None,
    metric: Metric | None = None,
    **settings: Any,
) -> list[Outcome]:
    """What a run of these suites finds, before anything is pooled."""
    tests = tuple(SelectedTest(suite, test) for suite in suites for test in suite.tests)
    statistics = Statistics(**{"min_coverage": 0.0, **settings})
    return run_tests(of or embedding(), tests, metric or Weat(), statistics)


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


# --- An encoder for tests with a bias that is known because it was put there ---


_GENDER = {
    word.word.lower(): side
    for pair in concept("en/gender").definition.pairs
    for word, side in zip(pair, (1.0, -1.0), strict=True)
}
_LISTS = {
    word.word.lower(): side
    for test in select_tests(["caliskan2017/weat-6"])
    for role, side in (("x", 1.0), ("y", -1.0), ("a", 1.0), ("b", -1.0))
    for word in test.test.sets[role].words
}


def encode_biased(texts: list[str], bias: float = 1.0) -> FloatArray:
    """Texts are noise by their hash; words of a gender and of WEAT-6 lean along the first axis."""
    noise = LetterModel(dimensions=12)
    rows = np.array([0.3 * noise._numbers(text) for text in texts])
    for row, text in zip(rows, texts, strict=True):
        for word in re.findall(r"\w+", text.lower()):
            row[0] += 2 * _GENDER.get(word, bias * _LISTS.get(word, 0.0))
    return rows


def biased_encoder() -> Encoder:
    """The encoder of that function."""
    return encoder_from_function(encode_biased, "biased", "en")


# --- Embeddings that know the sentences, and classifiers whose lean is known because it was put in


SIZE = 6
MOODS = {"positive": 1.0, "negative": -1.0, "neutral": 0.0}


def knowing(
    table: EquityTable,
    *,
    group: float = 1.0,
    without: Sequence[str] = (),
    zero: Sequence[str] = (),
    seed: int = 0,
    name: str = "toy",
) -> Embedding:
    """Return random vectors of every word; the first axis is the mood, the second the group."""
    sentences = [each for one in table.sets for each in table.sentences(one)]
    texts = (text for each in sentences for text in (each.a, each.b))
    words = sorted({word.lower() for text in texts for word in token_pattern().findall(text)})
    keys = [word for word in words if word not in without]
    generator = np.random.default_rng(seed)
    vectors = dict(zip(words, generator.normal(size=(len(words), SIZE)) * 0.1, strict=True))
    for slot in table.words.values():
        for feeling, text in slot.items():
            for word in text.lower().split():
                vectors[word][0] += MOODS[feeling]
    for one in table.sets:
        for pair in one.pairs:
            for side, lean in ((0, group), (1, -group)):
                for word in pair.words(side):
                    vectors[word.lower()][1] += lean
    for word in zero:
        vectors[word][:] = 0
    return Embedding(keys, np.array([vectors[key] for key in keys]), Euclidean(), name)


def reader(
    embedding: Embedding, leans: Sequence[float], language: str = "en"
) -> Callable[[Sequence[str]], FloatArray]:
    """Return a classifier that reads the mean vector; training s leans to group a by `leans`[s]."""
    lookup = embedding.lookup(language)
    weights = np.zeros((embedding.dimensions, len(leans)))
    weights[0], weights[1] = 3, leans

    def mean(text: str) -> FloatArray:
        found = [lookup.find([token]) for token in token_pattern().findall(text)]
        rows = embedding.rows([match.key for match in found if match])
        average: FloatArray = rows.mean(axis=0) if len(rows) else np.zeros(embedding.dimensions)
        return average

    def predict(texts: Sequence[str]) -> FloatArray:
        chances: FloatArray = 1 / (
            1 + np.exp(-(np.array([mean(text) for text in texts]) @ weights))
        )
        return chances

    return predict


# --- Points of made-up methods, whose effects on every test are drawn at random ---


def folds(*sizes: int) -> Folds:
    """So many folds, of so many tests each."""
    return Folds(
        "targets",
        tuple(TestFold(tuple(f"toy/{f}-{i}" for i in range(n))) for f, n in enumerate(sizes)),
    )


def points(
    of: Folds, *, removed: float, noise: float, seed: int, methods: int = 12
) -> list[FrontierPoint]:
    """Methods that take a share of every effect, and add noise that tests of a fold have in common.

    With nothing removed they do nothing to a test on average, and one to each by chance.
    """
    rng = np.random.default_rng(seed)
    before = {test: 1 + rng.normal(0, 0.2) for fold in of.each for test in fold.tests}
    found = []
    for method in range(methods):
        common = [rng.normal(0, noise) for _ in of.each]
        drawn = {
            t: common[f] + rng.normal(0, noise / 2)
            for f, one in enumerate(of.each)
            for t in one.tests
        }
        for strength in (0.25, 0.5, 0.75, 1.0):
            effects = []
            for test, was in before.items():
                now = was * (1 - removed * strength) + strength * drawn[test]
                kind = "reversed" if now < -0.8 else "reduced" if now < was else "increased"
                effects.append(effect(was, now, kind, test))
            found.append(
                point(
                    f"m{method}",
                    bias_left(effects),
                    0.99,
                    strength=strength,
                    effects=tuple(effects),
                    bias_before=fmean(abs(was) for was in before.values()),
                )
            )
    return found


def ids_of(of: Folds) -> list[str]:
    """The ids of all tests."""
    return [test for fold in of.each for test in fold.tests]


SUITE = suite_of(
    Drawn(sizes=(5, 5, 4, 4), seed=1), Drawn(sizes=(6, 5, 4, 4), seed=2), Drawn("age", seed=3)
)


def flat_run(seed: int = 0, *, without: Sequence[str] = (), **how: Any) -> list[Outcome]:
    return _measured(
        np.asarray(embedding(seed).vectors, np.float64),
        without,
        geometry=Euclidean(),
        name="flat",
        **how,
    )


def ball_run(seed: int = 0, *, without: Sequence[str] = (), **how: Any) -> list[Outcome]:
    drawn = embedding(seed).vectors
    points = 0.8 * drawn / (1 + np.linalg.norm(drawn, axis=1, keepdims=True))
    how = {"metric": Weat(similarity=NEGATIVE_DISTANCE)} | how
    return _measured(points, without, geometry=Poincare(1.0), name="ball", **how)


def _measured(
    points: FloatArray, without: Sequence[str], *, geometry: Geometry, name: str, **how: Any
) -> list[Outcome]:
    kept = [place for place, word in enumerate(WORDS) if word not in without]
    keys = [WORDS[place] for place in kept]
    return outcomes_of(SUITE, of=Embedding(keys, points[kept], geometry, name=name), **how)


def run_of(effect: float, p: float, noise: float = 0.0) -> list[Outcome]:
    """One result whose eight words give this effect, each a little off by the noise."""
    leanings = {f"x{i}": effect / 2 for i in range(4)} | {f"y{i}": -effect / 2 for i in range(4)}
    words = tuple(
        WordScore(word=word, key=word, role=word[0], score=lean + noise * (-1) ** place)
        for place, (word, lean) in enumerate(leanings.items())
    )
    one = measured(effect=effect, p=p)
    model = one.model.model_copy(update={"sha256": f"{effect} {noise}"})
    return [one.model_copy(update={"words": words, "statistic": effect, "model": model})]


def leaning(**scores: float) -> Result:
    """A result whose words x1, x2, y1 and so on have these scores."""
    words = tuple(WordScore(word=w, key=w, role=w[0], score=score) for w, score in scores.items())
    return measured().model_copy(update={"words": words})


def scored(x: FloatArray, y: FloatArray) -> Result:
    """A result of words with these scores, in Caliskan's convention."""
    scores = {
        f"{role}{place}": score
        for role, side in (("x", x), ("y", y))
        for place, score in enumerate(side)
    }
    difference = float(x.mean() - y.mean())
    spread = float(np.concatenate([x, y]).std(ddof=1))
    update = {"statistic": difference, "effect": difference / spread}
    return leaning(**scores).model_copy(update=update)


MIRRORED: dict[ChangeKind, ChangeKind] = {
    "removed": "introduced",
    "introduced": "removed",
    "reduced": "increased",
    "increased": "reduced",
}
"""The label of a change when before and after are swapped; the other labels stay."""
