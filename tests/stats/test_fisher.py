"""Fisher's exact test against scipy's, and by hand."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import fisher_exact, hypergeom

from fairvec.core.errors import SettingError
from fairvec.stats.proportions import fisher_table

CELL = st.integers(0, 30)


@given(CELL, CELL, CELL, CELL)
def test_it_is_fishers(a: int, b: int, c: int, d: int) -> None:
    tables = fisher_table(a + b, c + d, a + c)
    assert tables.p(a) == pytest.approx(fisher_exact(np.array([[a, b], [c, d]]))[1], rel=1e-9)
    assert tables.smallest <= tables.p(a) * (1 + 1e-9)
    if not a + b + c + d:
        return
    chances = hypergeom(a + b + c + d, a + b, a + c).pmf(tables.counts)
    np.testing.assert_allclose(tables.chances, chances, rtol=1e-8, atol=1e-300)


def test_a_tea_tasting() -> None:
    assert fisher_table(4, 4, 4).p(4) == pytest.approx(2 / 70)
    assert fisher_table(4, 4, 4).smallest == pytest.approx(2 / 70)
    with pytest.raises(SettingError, match="cannot be drawn"):
        fisher_table(1, 1, 3)
    with pytest.raises(SettingError, match="cannot hold 5"):
        fisher_table(4, 4, 4).p(5)


@given(CELL, CELL, st.data())
def test_the_likeliest_table_is_no_surprise_at_all(
    first: int, second: int, data: st.DataObject
) -> None:
    tables = fisher_table(first, second, data.draw(st.integers(0, first + second)))
    assert tables.p(int(tables.counts[tables.chances.argmax()])) == 1.0
