"""The methods that come with fairvec."""

from fairvec.mitigation.base import Debiaser
from fairvec.mitigation.conceptor import ConceptorNegation
from fairvec.mitigation.double_hard import DoubleHard
from fairvec.mitigation.half_sibling import HalfSibling
from fairvec.mitigation.hard import HardDebiasing
from fairvec.mitigation.inlp import INLP
from fairvec.mitigation.leace import LEACE
from fairvec.mitigation.linear_projection import LinearProjection
from fairvec.mitigation.lpsg import LPSG
from fairvec.mitigation.multiclass import MultiClassHard
from fairvec.mitigation.oscar import OSCaR
from fairvec.mitigation.pgd import PGD
from fairvec.mitigation.ran import RAN

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
