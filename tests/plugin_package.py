"""Packages of strangers, written into a folder as an installer would leave them."""

from importlib import invalidate_caches
from pathlib import Path

METRIC = '''
"""A metric of another package."""

from dataclasses import dataclass

import numpy as np

from fairvec.core.errors import UndefinedError
from fairvec.metrics import Score, Traits, WordShare


def cosines(one, other):
    if not (one.any(axis=1).all() and other.any(axis=1).all()):
        raise UndefinedError("A vector of length zero has no cosine; leave that word out.")
    one, other = (each / np.linalg.norm(each, axis=1, keepdims=True) for each in (one, other))
    return one @ other.T


@dataclass(frozen=True)
class Gap:
    """The mean cosine of X with A less that with B, less the same of Y."""

    weight: float = 1.0

    name = "cosine-gap"
    needs = ("x", "y", "a", "b")
    neutral = 0.0
    meaning = "Positive: X is nearer to A than Y is; 0: no difference."
    similarity = None
    convention = None
    traits = Traits(
        sees="X to A, Y to B",
        shown="above",
        positive="X is nearer to A",
        positive_words="a",
        swapped_attributes="turned",
        swapped_targets="turned",
    )

    def measure(self, groups, geometry):
        shares = []
        for role in "xy":
            to_a, to_b = (
                cosines(groups[role].vectors, groups[other].vectors).mean(axis=1) for other in "ab"
            )
            leanings = self.weight * (to_a - to_b)
            shares += [
                WordShare(found, role, float(leaning), None)
                for found, leaning in zip(groups[role].found, leanings)
            ]
        x, y = (np.mean([one.leaning for one in shares if one.role == role]) for role in "xy")
        return Score(float(x - y), tuple(shares))
'''

METHOD = '''
"""A method of another package."""

from dataclasses import asdict, dataclass
from typing import ClassVar

import numpy as np

from fairvec.lexicon import ConceptWords
from fairvec.mitigation import Transform
from fairvec.mitigation.moves import Affine


@dataclass(frozen=True)
class FirstPair:
    """Halve what words have along the difference of the first pair."""

    name: ClassVar[str] = "first-pair"

    strength: float = 1.0

    def fit(self, embedding, concept):
        words = ConceptWords(concept, embedding)
        (one, other), *_ = words.pairs(concept.definition.pairs).pairs
        along = np.subtract(*embedding.rows([one, other]))
        along = along / np.linalg.norm(along)
        return Transform(
            method=self.name,
            settings=asdict(self),
            concept=concept.name,
            fitted_on=(one, other),
            guarantees=frozenset(),
            geometry=embedding.geometry,
            move=Affine(-0.5 * np.outer(along, along), np.zeros(len(along)), self.strength),
        )
'''


def write_package(
    folder: Path,
    name: str,
    modules: dict[str, str],
    *,
    metrics: dict[str, str] | None = None,
    methods: dict[str, str] | None = None,
    version: str = "1.2",
    recorded: bool = True,
) -> None:
    """Write modules, and beside them what says which of their objects are metrics and methods.

    An editable installation has no record of its modules.
    """
    folder.mkdir(exist_ok=True)
    for module, text in modules.items():
        (folder / f"{module}.py").write_text(text, encoding="utf-8")
    info = folder / f"{name.replace('-', '_')}-{version}.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n")
    (info / "RECORD").write_text("".join(f"{module}.py,,\n" for module in modules if recorded))
    groups = {"fairvec.metrics": metrics or {}, "fairvec.methods": methods or {}}
    (info / "entry_points.txt").write_text(
        "".join(
            f"[{group}]\n" + "".join(f"{key} = {value}\n" for key, value in points.items())
            for group, points in groups.items()
            if points
        )
    )
    # Whoever looked into the folder a moment ago would go on seeing it empty.
    invalidate_caches()


def write_example(folder: Path) -> None:
    """Write a package with a metric and a method that work."""
    write_package(
        folder,
        "fairvec-gap",
        {"gap_metric": METRIC, "gap_method": METHOD},
        metrics={"cosine-gap": "gap_metric:Gap"},
        methods={"first-pair": "gap_method:FirstPair"},
    )
