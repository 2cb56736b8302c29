"""The change: methods that take a concept out of an embedding, one file each."""

from typing import Any

from fairvec.debias.base import GUARANTEES, Debiaser
from fairvec.debias.conceptor import ConceptorNegation
from fairvec.debias.double_hard import DoubleHard
from fairvec.debias.half_sibling import HalfSibling
from fairvec.debias.hard import HardDebiasing
from fairvec.debias.inlp import INLP
from fairvec.debias.leace import LEACE
from fairvec.debias.linear_projection import LinearProjection
from fairvec.debias.lpsg import LPSG
from fairvec.debias.multiclass import MultiClassHard
from fairvec.debias.oscar import OSCaR
from fairvec.debias.pgd import PGD
from fairvec.debias.ran import RAN
from fairvec.debias.transform.fitted import Transform
from fairvec.debias.transform.transform_file import load_transform, save_transform
from fairvec.ground.errors import UnknownNameError
from fairvec.ground.settings import as_settings

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
