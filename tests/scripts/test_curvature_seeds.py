"""Seeds beside curvature: what the script prints of runs that are known."""

import re
from pathlib import Path

import pytest

from fairvec.results import write_results
from scripts.curvature_seeds import GENDER, main, shares_of
from tests.evaluation.changes.test_across_geometries import ball, flat


def test_copies_do_not_differ_and_models_do(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for place in range(2):
        write_results(flat(), tmp_path / f"flat-{place}")
        write_results(ball(1), tmp_path / f"ball-{place}")
    names = [str(tmp_path / name) for name in ("flat-0", "flat-1", "ball-0", "ball-1")]
    main([*names[:2], "--", *names[2:]])
    said = capsys.readouterr().out
    for same in ("two flat seeds", "two ball seeds"):
        line = rf"{same}, single tests: 3 comparisons, .* square 0\.000, p <= \.05 in 0\.0%"
        assert re.search(line, said)
    assert re.search(
        r"flat and ball, gender, all tests: 4 comparisons, .* square 0\.[0-9]*[1-9]", said
    )


def test_all_gender_tests_are_the_mean_of_each(tmp_path: Path) -> None:
    write_results(flat(), tmp_path / "flat")
    shares = shares_of(tmp_path / "flat")
    single = [sum(shares[test].values()) for test in ("s/t0", "s/t1")]
    assert sum(shares[GENDER].values()) == pytest.approx(sum(single) / 2)
