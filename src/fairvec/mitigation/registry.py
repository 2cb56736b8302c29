"""The debiasing methods that come with fairvec."""

from fairvec.mitigation.base import Debiaser
from fairvec.mitigation.methods.conceptor import ConceptorNegation, HalfSibling
from fairvec.mitigation.methods.double_hard import DoubleHard
from fairvec.mitigation.methods.erasure import INLP, LEACE
from fairvec.mitigation.methods.hard import HardDebiasing, MultiClassHard
from fairvec.mitigation.methods.pgd import PGD
from fairvec.mitigation.methods.projection import LPSG, LinearProjection, OSCaR
from fairvec.mitigation.methods.ran import RAN

DEBIASERS: tuple[type[Debiaser], ...] = (
    LinearProjection,
    HardDebiasing,
    LPSG,
    INLP,
    LEACE,
    OSCaR,
    ConceptorNegation,
    HalfSibling,
    MultiClassHard,
    DoubleHard,
    RAN,
    PGD,
)
"""Every method; the name of each is unique."""
