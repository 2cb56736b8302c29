"""Laws of every registered debiasing method, in every geometry."""

import pytest

from fairvec.geometry import Geometry, Poincare
from fairvec.mitigation import (
    DEBIASERS,
    GUARANTEES,
    INLP,
    LEACE,
    LPSG,
    PGD,
    RAN,
    Debiaser,
    DoubleHard,
    HalfSibling,
    HardDebiasing,
    LinearProjection,
    OSCaR,
)
from fairvec.mitigation.transform_file import MOVES
from fairvec.testing.method_laws import (
    CHECKS,
    METHOD_LAWS,
    METHOD_SPACES,
    MethodLaw,
    held_out_words_look_as_they_like,
)
from tests.mitigation.every_method import every_method
from tests.mitigation.toys import concept, embedding

BY_ADAM = PGD(solver="riemannian-adam")
METHODS: list[Debiaser] = [
    *every_method(),
    LinearProjection(direction="two-means", lengths="kept"),
    LinearProjection(direction="svm", moves="neutral"),
    LinearProjection(raw=True),
    HardDebiasing(k=3, lengths="free"),
    HardDebiasing(k=2, lengths="kept"),
    LPSG(keep=("verbs",), moves="neutral"),
    LPSG(convention="as-computed", lengths="kept"),
    INLP(words="defining", iterations=1),
    LEACE(words="defining"),
    DoubleHard(k=2, lengths="kept", components=1),
    PGD(weights=(0.9, 0.1)),
    BY_ADAM,
]
CASES = [
    (method, space)
    for method in METHODS
    for space in METHOD_SPACES
    if isinstance(space, Poincare) or method is not BY_ADAM
]
everywhere = pytest.mark.parametrize(("method", "space"), CASES, ids=repr)


def test_every_move_and_guarantee_is_under_law() -> None:
    fitted = [method.fit(embedding(space), concept()) for method, space in CASES]
    assert {type(transform.move) for transform in fitted} == set(MOVES)
    declared = {name for transform in fitted for name in transform.guarantees}
    assert declared == set(GUARANTEES) == set(CHECKS)
    assert len({method.name for method in DEBIASERS}) == len(DEBIASERS)


@pytest.mark.parametrize("law", METHOD_LAWS, ids=lambda law: law.__name__)
@everywhere
def test_a_method_obeys(law: MethodLaw, method: Debiaser, space: Geometry) -> None:
    # These look at the whole space around a word.
    if law is not held_out_words_look_as_they_like or not isinstance(method, RAN | DoubleHard):
        law(method, space)


@pytest.mark.parametrize(
    ("method", "name"),
    [
        (LinearProjection(), "norm-kept"),
        (LinearProjection(), "kept-directions-untouched"),
        (LPSG(convention="as-computed", keep=("verbs", "things")), "kept-directions-untouched"),
        (LinearProjection(strength=0.5), "idempotent"),
        (LinearProjection(strength=0.5), "direction-removed"),
        (HardDebiasing(strength=0.5), "pairs-equidistant"),
        (LEACE(each=50, strength=0.5), "not-linearly-readable"),
        (INLP(each=50, strength=0.5), "not-linearly-readable"),
        (OSCaR(against="things"), "idempotent"),
        (HalfSibling(alpha=1.0), "idempotent"),
    ],
)
def test_what_is_not_declared_need_not_hold(method: Debiaser, name: str) -> None:
    before = embedding()
    transform = method.fit(before, concept())
    assert name not in transform.guarantees
    assert not CHECKS[name](before, transform.transform(before), transform)
