"""Every choice that moves a figure, as one value that can be compared and named."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import product
from typing import get_args

from fairvec.geometry import SIMILARITIES
from fairvec.metrics import EFFECT_SIZES
from fairvec.papers.schema import PaperConvention, Repeats, Settings
from fairvec.stats import Sides, Ties


@dataclass(frozen=True)
class Choices:
    """The choices behind a figure; without a similarity the geometry's own one is used."""

    similarity: str | None = None
    effect_size: str = "caliskan"
    repeats: Repeats = "once"
    sides: Sides = "two"
    ties: Ties = ">="
    permute: str = "words"
    attribute_templates: str = "own"

    def beside(self, other: "Choices") -> str:
        """Name what differs from other choices, as in `cosine, population`."""
        said = {
            "similarity": self.similarity,
            "effect_size": self.effect_size,
            "repeats": f"repeated words {'kept' if self.repeats == 'kept' else 'counted once'}",
            "sides": f"sides {self.sides}",
            "ties": f"ties {self.ties}",
            "permute": f"{self.permute} permuted",
            "attribute_templates": f"attribute templates: {self.attribute_templates}",
        }
        changed = [name for name in said if getattr(self, name) != getattr(other, name)]
        return ", ".join(said[name] or "" for name in changed)


DEFAULT = Choices()
"""fairvec's own."""


def choices_of(paper: PaperConvention, settings: Settings) -> Choices:
    """Return the choices behind a cell: the nearest that is said, else the paper's."""
    return Choices(
        similarity=settings.similarity,
        effect_size=paper.effect_size,
        repeats=paper.repeats,
        sides=paper.sides,
        ties=paper.ties,
        permute=settings.permute or paper.permute,
        attribute_templates=settings.attribute_templates or paper.attribute_templates,
    )


def other_choices(
    papers: Choices, quantity: str, metric: str, *, has_repeats: bool
) -> Iterator[Choices]:
    """Yield the named choices that could give another d, or another p, than the paper's.

    Those with the paper's own similarity come first: the nearest explanation is the best.
    """
    in_sentences = metric == "seat"
    similarities = [papers.similarity, *(similarity.name for similarity in SIMILARITIES)]
    templates = ("own", "targets") if in_sentences else (papers.attribute_templates,)
    permuted = ("sentences", "words") if in_sentences else (papers.permute,)
    repeated = get_args(Repeats) if has_repeats else (papers.repeats,)
    for similarity, attributes, repeats in product(
        dict.fromkeys(similarities), templates, repeated
    ):
        alike = replace(
            papers, similarity=similarity, attribute_templates=attributes, repeats=repeats
        )
        if quantity == "d":
            for size in EFFECT_SIZES:
                yield replace(alike, effect_size=size.name)
        if quantity == "p":
            for permute, ties, sides in product(permuted, get_args(Ties), get_args(Sides)):
                yield replace(alike, permute=permute, sides=sides, ties=ties)
