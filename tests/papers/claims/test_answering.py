"""Planted models: what was planted is found, and what cannot be asked is said."""

from itertools import combinations
from pathlib import Path

import numpy as np
import pytest

from fairvec.geometry import FloatArray
from fairvec.lexicon import select_tests
from fairvec.papers import ClaimAnswer, parse_claims, parse_paper, reproduce
from fairvec.papers.answer import join_reasons
from tests.papers.claims.toy import CLAIM, TOY
from tests.papers.conftest import write_vectors

TESTS = ("kumar2020/b1", "kumar2020/b2")
PLAIN = 'cells = { table = "table-1", column = "plain" }'


def planted(path: Path, lean: float, *, seed: int = 1) -> Path:
    """A model whose X leans to A and Y to B by `lean`; at 0 every second word of a list does."""
    draw = np.random.default_rng(seed)
    words: dict[str, FloatArray] = {}
    for name in TESTS:
        sets = select_tests([name])[0].test.sets
        for role, along in (("a", 3.0), ("b", -3.0), ("x", lean), ("y", -lean)):
            for place, word in enumerate(sets[role].words):
                step = along or 3.0 * (-1) ** place
                words.setdefault(word.word, draw.normal(size=20) + step * np.eye(20)[0])
    return write_vectors(path, words, np.array([*words.values()]))


def answers(
    test: str, models: dict[str, list[Path]], *, roles: str = 'role = "one"'
) -> list[ClaimAnswer]:
    text = CLAIM.replace('role = "one"', roles).splitlines()
    chosen = parse_paper(TOY)
    claims = parse_claims("\n".join([*text[:-1], f"test = {{ {test} }}"]), chosen)
    given = {role: [str(path) for path in paths] for role, paths in models.items()}
    return list(reproduce(chosen, stand_ins=given, claims=claims).claims)


@pytest.mark.parametrize("kind", ["leans", "each"])
@pytest.mark.parametrize(("lean", "sign", "grade"), [(2.0, "+", "holds"), (2.0, "-", "fails")])
def test_what_was_planted_is_found(
    tmp_path: Path, kind: str, lean: float, sign: str, grade: str
) -> None:
    model = planted(tmp_path / "planted.txt", lean)
    (answer,) = answers(f'kind = "{kind}", sign = "{sign}", {PLAIN}', {"one": [model]})
    assert answer.grade == grade
    assert answer.models == ("planted",)
    assert not answer.is_the_papers
    assert (answer.p or 1) <= 0.05
    assert answer.method
    assert answer.method.n > 1


def test_one_test_has_its_own_exact_p(tmp_path: Path) -> None:
    """Against all 12,870 ways to regroup the words, taken from the file itself."""
    model = planted(tmp_path / "model.txt", 0.2)
    one = 'cells = { table = "table-1", column = "plain", rows = ["first"] }'
    (answer,) = answers(f'kind = "leans", sign = "+", {one}', {"one": [model]})
    lines = (line.split() for line in model.read_text(encoding="utf-8").splitlines()[1:])
    rows = {word: np.array(row, np.float32).astype(float) for word, *row in lines}
    sets = select_tests([TESTS[0]])[0].test.sets
    x, y, a, b = (np.array([rows[w.word] for w in sets[role].words]) for role in "xyab")
    words, a, b = (
        each / np.linalg.norm(each, axis=1, keepdims=True)
        for each in (np.concatenate([x, y]), a, b)
    )
    s = (words @ a.T).mean(axis=1) - (words @ b.T).mean(axis=1)
    observed = s[: len(x)].sum() - s.sum() / 2
    sums = [s[list(some)].sum() - s.sum() / 2 for some in combinations(range(len(s)), len(x))]
    assert answer.p == pytest.approx(np.mean(np.abs(sums) >= abs(observed) - 1e-12), rel=1e-6)
    d = (s[: len(x)].mean() - s[len(x) :].mean()) / s.std(ddof=1)
    assert answer.figures["d"] == pytest.approx(d, abs=1e-6)


def test_every_stand_in_answers_for_itself(tmp_path: Path) -> None:
    models = [planted(tmp_path / "to-a.txt", 2.0), planted(tmp_path / "to-b.txt", -2.0)]
    found = answers(f'kind = "leans", sign = "+", {PLAIN}', {"one": models})
    assert [(one.models, one.grade) for one in found] == [
        (("to-a",), "holds"),
        (("to-b",), "fails"),
    ]


BOTH = 'before = { table = "table-1", column = "plain", rows = ["first"] }, '
BOTH += 'after = { table = "table-1", column = "other", rows = ["first"] }'


@pytest.mark.parametrize(
    ("kind", "after", "grade"),
    [
        pytest.param('"lowered"', 0.0, "holds", id="lowered"),
        pytest.param('"raised"', 0.0, "fails", id="not-raised"),
        pytest.param('"kept", margin = 0.2', 0.0, "fails", id="not-kept"),
        pytest.param('"lowered"', None, "fails", id="not-lowered"),
        pytest.param('"kept", margin = 0.2', None, "holds", id="kept"),
    ],
)
def test_a_change_is_found_between_two_roles(
    tmp_path: Path, kind: str, after: float | None, grade: str
) -> None:
    """Before: planted; after: nothing there any more, or the very same vectors."""
    before = planted(tmp_path / "before.txt", 3.0)
    changed = before if after is None else planted(tmp_path / "after.txt", after, seed=5)
    (answer,) = answers(
        f"kind = {kind}, {BOTH}",
        {"one": [before], "two": [changed]},
        roles='roles = ["one", "two"]',
    )
    assert answer.grade == grade, answer.sentence


@pytest.mark.parametrize("lean", [2.0, -2.0])
def test_a_tie_that_the_paper_did_not_find_is_told(tmp_path: Path, lean: float) -> None:
    """The paper prints d = 0.1."""
    models = [planted(tmp_path / "one.txt", lean), planted(tmp_path / "two.txt", lean / 2)]
    (answer,) = answers(
        f'kind = "lowered", {BOTH}',
        {"one": models[:1], "two": models[1:]},
        roles='roles = ["one", "two"]',
    )
    assert ("the other sign to begin with" in answer.sentence) == (lean < 0)


def test_effects_of_two_models_are_over_the_words_of_both(tmp_path: Path) -> None:
    """Two words that one model lacks are no difference, and the sentence names the models."""
    whole = planted(tmp_path / "whole.txt", 1.0)
    lines = whole.read_text(encoding="utf-8").splitlines()[1:]
    lacking = {word.word for word in select_tests([TESTS[0]])[0].test.sets["x"].words[:2]}
    kept = [line.split() for line in lines if line.split()[0] not in lacking]
    vectors = np.array([row[1:] for row in kept], float)
    part = write_vectors(tmp_path / "part.txt", [row[0] for row in kept], vectors)
    roles = 'roles = ["one", "two"]'
    (answer,) = answers(f'kind = "lowered", {BOTH}', {"one": [whole], "two": [part]}, roles=roles)
    assert answer.method is not None
    assert answer.method.n == 14
    assert "in whole" in answer.sentence
    assert "in part" in answer.sentence
    assert answer.method.how.startswith("the two figures swapped")
    scores = {}
    for path in (whole, part):
        rows = {
            row.split()[0]: np.array(row.split()[1:], np.float32).astype(float)
            for row in path.read_text(encoding="utf-8").splitlines()[1:]
        }
        units = {word: row / np.linalg.norm(row) for word, row in rows.items()}
        sets = select_tests([TESTS[0]])[0].test.sets
        a, b = (np.mean([units[w.word] for w in sets[role].words], axis=0) for role in "ab")
        x, y = (
            {w.word: units[w.word] @ (a - b) for w in sets[role].words if w.word in units}
            for role in "xy"
        )
        spread = np.std([*x.values(), *y.values()], ddof=1)
        shared = [x[word] for word in x if word not in lacking]
        scores[path.stem] = (np.mean(shared) - np.mean([*y.values()])) / spread
    figures = answer.figures["before"], answer.figures["after"]
    assert figures == pytest.approx((scores["whole"], scores["part"]), abs=1e-6)


def test_a_claim_about_two_roles_needs_a_model_in_each(tmp_path: Path) -> None:
    models = [planted(tmp_path / f"m{n}.txt", 1.0 + n) for n in range(3)]
    ask = f'kind = "lowered", {BOTH}'
    roles = 'roles = ["one", "two"]'
    (alone,) = answers(ask, {"one": models[:1]}, roles=roles)
    assert (alone.grade, alone.models) == ("not tried", ())
    assert "--model two=" in alone.sentence
    (unequal,) = answers(ask, {"one": models, "two": models[:2]}, roles=roles)
    assert unequal.grade == "not tried"
    assert "one has 3, two has 2" in unequal.sentence
    several = answers(ask, {"one": models[:1], "two": models[1:]}, roles=roles)
    assert [one.models for one in several] == [("m0", "m1"), ("m0", "m2")]


def test_words_that_are_missing_are_the_reason(tmp_path: Path) -> None:
    words = ["he", "she"]
    model = write_vectors(tmp_path / "tiny.txt", words, np.eye(2))
    (answer,) = answers(f'kind = "each", sign = "+", {PLAIN}', {"one": [model]})
    assert (answer.grade, answer.models) == ("not tried", ("tiny",))
    assert "could be found" in answer.sentence or "words" in answer.sentence


def test_data_that_is_not_at_hand_is_the_reason(tmp_path: Path) -> None:
    model = planted(tmp_path / "model.txt", 1.0)
    (answer,) = answers(
        'kind = "threshold", at_least = 0.5, cells = { table = "table-2" }', {"one": [model]}
    )
    assert answer.grade == "not tried"
    assert "fairvec benchmarks get mc30" in answer.sentence


def test_a_limit_is_held_against_the_interval(tmp_path: Path) -> None:
    model = planted(tmp_path / "model.txt", 2.0)
    low, high, within = (
        answers(f'kind = "threshold", at_least = {limit}, {PLAIN}', {"one": [model]})[0]
        for limit in (-1.5, 1.99, 1.4)
    )
    assert [low.grade, high.grade, within.grade] == ["holds", "fails", "undecided"]


def test_pairs_that_ask_one_test_count_once(tmp_path: Path) -> None:
    """Six cells of one test are no six witnesses."""
    model, other = planted(tmp_path / "model.txt", 2.0), planted(tmp_path / "other.txt", 0.1)
    (answer,) = answers(
        'kind = "greater", left = { table = "table-3", column = "one" }, '
        'right = { table = "table-3", column = "two" }',
        {"one": [model], "two": [other]},
        roles='roles = ["one", "two"]',
    )
    assert (answer.grade, answer.p) == ("undecided", 1.0)
    assert answer.figures["pairs"] == 1
    assert answer.figures["difference"] > 0
    assert "so few pairs cannot decide" in answer.sentence


def test_several_reasons_are_sentences_in_a_row() -> None:
    """Behind a command there is no full stop, which would be read as part of it."""
    first, second = "One is not at hand; get it.", "Two is not at hand; run: fairvec get two"
    assert join_reasons([first, second, first]) == f"{first} {second}; {first}"
    assert join_reasons([second]) == second
    assert join_reasons([]) == ""
