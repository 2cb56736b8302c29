"""Scripts of simulations and tables."""

import random
import re
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from fairvec.results import write_results
from fairvec.results.reproduction import (
    ClaimGrade,
    ClaimLine,
    PaperDecision,
    PaperHead,
    ReproductionRecords,
    write_reproduction,
)
from scripts import claims_table
from scripts.across_null import SHAPES, rejected
from scripts.curvature_seeds import GENDER, main, shares_of
from scripts.draw_sentences import has_term, sample
from scripts.dump_proposals import TESTS, proposals, texts_of_tests
from tests.experiments.toys import ball_run, flat_run

# --- The simulated null of comparisons across geometries, in small ---


def rates(*, words: int, d: float, more: float, shape: str, studies: int = 150) -> list[float]:
    rng = np.random.default_rng(7)
    found = [rejected(rng, words, d, more, SHAPES[shape]) for _ in range(studies)]
    share: list[float] = np.mean(found, axis=0).tolist()
    return share


def test_ranks_keep_the_level_where_standardised_leanings_do_not() -> None:
    ranks, standardised = rates(words=25, d=2, more=0, shape="exp")
    assert ranks <= 0.05
    assert standardised > 0.25


def test_ranks_find_what_is_there_whatever_the_shape() -> None:
    for shape in ("as it is", "exp"):
        ranks, _ = rates(words=25, d=0, more=1, shape=shape, studies=60)
        assert ranks > 0.8
    no_more, _ = rates(words=8, d=0, more=0, shape="cube")
    assert no_more < 0.12


# --- The table of claims tells every answer once, in the column of its grade ---


def answered(says: str, grade: ClaimGrade, *models: str, paper: str = "toy") -> ClaimLine:
    return ClaimLine(
        paper=paper, claim="a", says=says, where="", quote="", roles=(), models=models,
        papers_own_model=False, grade=grade, sentence="", test="each", shown="", figures={},
        p=None, at_most=False, interval=None, how="", n=None, unit="", among=None, reading="",
        by_paper=PaperDecision(grade=grade, sentence="", shown="", figures={}, p=None),
        differs_by="", papers_way=(), printed=None,
    )  # fmt: skip


def head(paper: str) -> PaperHead:
    return PaperHead(
        paper=paper,
        title="",
        source="",
        convention="",
        alpha=0.05,
        tables=(),
        models=(),
        roles=(),
        missing_data={},
        sensitive="",
    )


def test_a_claim_has_one_line_with_its_grade_on_each_model() -> None:
    records = [
        answered("It is so.", "holds", "one"),
        answered("It is so.", "fails", "two", "three"),
        answered("Or so?", "holds", "three", "two"),
        answered("Nobody could say.", "not tried", "one"),
        answered("Who knows?", "undecided", "two"),
    ]
    assert claims_table.table_of(records) == [
        "1: one; 2: three + two; 3: two.",
        "",
        "| claim | 1 | 2 | 3 |",
        "| --- | --- | --- | --- |",
        "| It is so. | holds | fails |  |",
        "| Or so? |  | holds |  |",
        "| Who knows? |  |  | open |",
    ]


def test_files_of_several_papers_are_distinguished(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    grades: tuple[tuple[str, ClaimGrade], ...] = (("toy", "holds"), ("other", "fails"))
    for paper, grade in grades:
        claim = answered("It is so.", grade, "one", paper=paper)
        write_reproduction(ReproductionRecords(head(paper), (claim,), (), (), ()), tmp_path / paper)
    folders = [str(tmp_path / paper) for paper, _ in grades]
    monkeypatch.setattr("sys.argv", ["claims_table", *folders])
    claims_table.main()
    assert capsys.readouterr().out.count("| It is so. |") == 2


# --- Seeds beside curvature: what the script prints of runs that are known ---


def test_copies_do_not_differ_and_models_do(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for place in range(2):
        write_results(flat_run(), tmp_path / f"flat-{place}")
        write_results(ball_run(1), tmp_path / f"ball-{place}")
    names = [str(tmp_path / name) for name in ("flat-0", "flat-1", "ball-0", "ball-1")]
    main([*names[:2], "--", *names[2:]])
    message = capsys.readouterr().out
    for same in ("two flat seeds", "two ball seeds"):
        line = rf"{same}, single tests: 3 comparisons, .* square 0\.000, p <= \.05 in 0\.0%"
        assert re.search(line, message)
    assert re.search(
        r"flat and ball, gender, all tests: 4 comparisons, .* square 0\.[0-9]*[1-9]", message
    )


def test_all_gender_tests_are_the_mean_of_each(tmp_path: Path) -> None:
    write_results(flat_run(), tmp_path / "flat")
    shares = shares_of(tmp_path / "flat")
    single = [sum(shares[test].values()) for test in ("s/t0", "s/t1")]
    assert sum(shares[GENDER].values()) == pytest.approx(sum(single) / 2)


# --- Sentences are drawn with equal chances, and again by the same seed ---


def test_each_sentence_has_the_same_chance() -> None:
    chance = random.Random(0)
    seen = Counter(one for _ in range(4000) for one in sample(iter("abcdefgh"), 2, chance))
    # 1,000 expected of each, with a deviation near 27
    assert all(abs(times - 1000) < 150 for times in seen.values())
    assert len(seen) == 8


def test_the_same_seed_draws_the_same() -> None:
    one, other = (sample(iter("abcdefgh"), 3, random.Random(5)) for _ in range(2))
    assert one == other
    assert len(set(one)) == 3
    assert sorted(sample(iter("ab"), 3, random.Random(5))) == ["a", "b"]


def test_a_term_is_a_whole_word_or_a_whole_phrase() -> None:
    terms = frozenset({"man", "air hostess"})
    assert has_term("This Man is not here.", terms)
    assert has_term("She is an air hostess.", terms)
    assert not has_term("The manual is not here.", terms)
    assert not has_term("They are fair hostesses here.", terms)
    assert not has_term("A man left.", terms), "too short"


def test_changes_of_the_tests_sentences_are_one_line_each() -> None:
    lines = [*proposals(texts_of_tests("en", TESTS), "en")]
    assert {line.count("\t") for line in lines} == {8}
    assert not any("\n" in line for line in lines)
    edits = {line.split("\t")[5] for line in lines}
    assert "4-12 'chairman' -> 'chairperson'" in edits
    assert "" in edits, "flags have none"
