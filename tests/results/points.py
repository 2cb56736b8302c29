"""Points of a frontier, for tests that do not measure anything."""

from typing import Any

from fairvec.results import ModelIdentity, Point, TestedEffect

MODEL = ModelIdentity(
    name="toy",
    sha256="0" * 64,
    geometry="euclidean",
    curvature=0,
    dimensions=6,
    words=18,
    history=(),
)


def effect(before: float, after: float | None, kind: Any, test: str = "toy/one") -> TestedEffect:
    return TestedEffect(test=test, category="gender", before=before, after=after, kind=kind)


def point(method: str, left: float, kept: float, **others: Any) -> Point:
    """A point that leaves so much of a bias of 1 and keeps so much."""
    fields: dict[str, Any] = {
        "model": MODEL,
        "concept": "en/gender:pairs",
        "method": method,
        "settings": {},
        "strength": 1.0,
        "held_out": True,
        "bias_left": left,
        "bias_before": 1.0,
        "information_kept": kept,
        "kept": {"similarity": kept},
        "effects": (effect(1.0, left, "reduced"),),
        "figures": (),
        "displacement": 0.1,
    }
    return Point(**fields | others)
