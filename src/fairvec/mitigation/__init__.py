"""The change: methods that take a concept out of an embedding, one file each."""

from typing import Any

from fairvec.ground.errors import UnknownNameError
from fairvec.ground.settings import as_settings
from fairvec.mitigation.base import GUARANTEES, Debiaser
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
from fairvec.mitigation.transform.fitted import Transform
from fairvec.mitigation.transform.transform_file import load_transform, save_transform

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


def debiaser(name: str, /, **settings: Any) -> Debiaser:
    """Return the method registered under `name` with some of its settings."""
    for method in DEBIASERS:
        if method.name == name:
            return method(**as_settings(method, name, settings))
    raise UnknownNameError("debiasing method", name, (method.name for method in DEBIASERS))


__all__ = [
    "DEBIASERS",
    "GUARANTEES",
    "INLP",
    "LEACE",
    "LPSG",
    "PGD",
    "RAN",
    "ConceptorNegation",
    "Debiaser",
    "DoubleHard",
    "HalfSibling",
    "HardDebiasing",
    "LinearProjection",
    "MultiClassHard",
    "OSCaR",
    "Transform",
    "debiaser",
    "load_transform",
    "save_transform",
]
