"""The objective word by word, beside the formula of the paper."""

import numpy as np
import pytest

from fairvec.core.errors import SettingError
from fairvec.geometry import Geometry, Poincare, ProductOfBalls
from fairvec.mitigation import LinearProjection
from fairvec.mitigation.methods.pgd import PGD, Solver, objectives
from tests.mitigation.toys import NEUTRAL, concept, embedding


@pytest.mark.parametrize("solver", ["exact", "riemannian-adam"])
def test_it_is_the_papers_sum_of_two_angles(solver: Solver) -> None:
    model = embedding(Poincare(2.0))
    transform = PGD((0.7, 0.3), solver).fit(model, concept())
    found = objectives(transform, model)
    assert {*found.keys} == {*model.keys} - transform.unmoved >= {*NEUTRAL}
    after = transform.transform(model)
    h = transform.move.tensors()["numbers"][0, 0] * transform.move.tensors()["basis"][0]
    for row in (0, 7, len(found.keys) - 1):
        w, moved = (each.rows([found.keys[row]])[0] for each in (model, after))
        a, u = w / np.linalg.norm(w), moved / np.linalg.norm(moved)
        assert found.before[row] == pytest.approx(0.3 * abs(a @ h) / 2)
        assert found.after[row] == pytest.approx(0.7 * (1 - u @ a) / 2 + 0.3 * abs(u @ h) / 2)


@pytest.mark.parametrize("space", [Poincare(), Poincare(0.4), ProductOfBalls(5)], ids=repr)
def test_it_falls_for_every_word(space: Geometry) -> None:
    model = embedding(space)
    found = objectives(PGD().fit(model, concept()), model)
    assert (found.after <= found.before + 1e-15).all()
    assert found.after.mean() < found.before.mean() / 2


def test_a_transform_says_its_objective() -> None:
    model = embedding(Poincare())
    transform = PGD().fit(model, concept())
    found = objectives(transform, model)
    (said,) = transform.remarks["objective"]
    assert said == found.summary
    most = found.keys[int(found.after.argmax())]
    assert f"over {len(found.keys)} words" in said
    assert f"at most ({most})" in said
    assert said.startswith(f"{found.before.mean():.4g} before and {found.after.mean():.4g} after")


def test_other_methods_have_no_such_objective() -> None:
    model = embedding()
    transform = LinearProjection().fit(model, concept())
    with pytest.raises(SettingError, match="fit the method pgd"):
        objectives(transform, model)
