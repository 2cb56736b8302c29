"""How the laws of all rooms are tried."""

import numpy as np
from hypothesis import settings
from hypothesis import strategies as st

from fairvec.core.numeric import FloatArray
from fairvec.mitigation import Debiaser
from fairvec.mitigation.methods.double_hard import DoubleHard
from fairvec.mitigation.methods.erasure import INLP, LEACE
from fairvec.mitigation.methods.hard import HardDebiasing
from fairvec.mitigation.methods.pgd import PGD
from fairvec.mitigation.methods.projection import LPSG, LinearProjection
from tests.mitigation.toys import every_method

# How long an example takes says nothing on a shared machine.
law = settings(deadline=None)


def examples(most: int, least: int = 25) -> settings:
    """As many cases as this in `make test-all`; in `make test` a quarter, or `least`."""
    share = settings().max_examples / 100
    return settings(max_examples=max(min(least, most), round(most * share)))


# Sixteenths have exact sums and many ties, so shifts and scales cannot blur them.
sixteenths = st.integers(-64, 64).map(lambda v: v / 16)
anything = st.floats(-1e3, 1e3, allow_subnormal=False)


def lists(numbers: st.SearchStrategy[float], most: int = 6) -> st.SearchStrategy[FloatArray]:
    """Lists of one to six of these numbers."""
    return st.lists(numbers, min_size=1, max_size=most).map(lambda v: np.array(v, np.float64))


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
