"""Every choice that moves a figure, as one value that can be compared and named."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import product
from typing import get_args

from fairvec.geometry import SIMILARITIES
from fairvec.metrics import EFFECT_SIZES
from fairvec.papers.measuring.debiasing import FitKind, Moved
from fairvec.papers.printed.schema import PaperConvention, Repeats, Settings
from fairvec.stats import Sides, Ties

_FIT = {
    "default": "debiased by the default settings",
    "as-published": "debiased by the published settings",
}
_MOVED = {
    "all": "the whole embedding debiased",
    "targets": "only X and Y debiased",
    "slots": "only the words put into sentences debiased",
}


@dataclass(frozen=True)
class FigureChoices:
    """The choices behind a figure; without a similarity the geometry's own one is used."""

    similarity: str | None = None
    effect_size: str = "caliskan"
    repeats: Repeats = "once"
    sides: Sides = "two"
    ties: Ties = ">="
    permute: str = "words"
    target_templates: str = "shared"
    attribute_templates: str = "shared"
    fit: FitKind = "default"
    moved: Moved = "all"

    def beside(self, other: "FigureChoices") -> str:
        """Name what differs from other choices, as in `cosine, population`."""
        said = {
            "similarity": self.similarity,
            "effect_size": self.effect_size,
            "repeats": f"repeated words {'kept' if self.repeats == 'kept' else 'counted once'}",
            "sides": f"sides {self.sides}",
            "ties": f"ties {self.ties}",
            "permute": f"{self.permute} permuted",
            "target_templates": f"target templates: {self.target_templates}",
            "attribute_templates": f"attribute templates: {self.attribute_templates}",
            "fit": _FIT[self.fit],
            "moved": _MOVED[self.moved],
        }
        changed = [name for name in said if getattr(self, name) != getattr(other, name)]
        return ", ".join(said[name] or "" for name in changed)


DEFAULT = FigureChoices()
"""fairvec's own."""


def choices_of(paper: PaperConvention, settings: Settings) -> FigureChoices:
    """Return the choices behind a cell: the nearest that is said, else the paper's."""
    how = settings.debias
    return FigureChoices(
        similarity=settings.similarity,
        effect_size=paper.effect_size,
        repeats=paper.repeats,
        sides=paper.sides,
        ties=paper.ties,
        permute=settings.permute or paper.permute,
        target_templates="own",
        attribute_templates=settings.attribute_templates or paper.attribute_templates,
        fit="as-published" if how and how.as_published else "default",
        moved=(settings.moved or "all") if how else "all",
    )


def other_choices(
    papers: FigureChoices, quantity: str, settings: Settings, *, has_repeats: bool
) -> Iterator[FigureChoices]:
    """Yield the named choices that could give another d, or another p, than the paper's.

    Other ways of debiasing come first, then those with the paper's own similarity: the nearest
    explanation is the best.
    """
    if settings.debias:
        fits, which = ((papers.fit, *get_args(FitKind)), (papers.moved, *get_args(Moved)))
        for fit, moved in product(dict.fromkeys(fits), dict.fromkeys(which)):
            if moved != "slots" or settings.metric == "seat":
                yield from _sized(replace(papers, fit=fit, moved=moved), quantity)
    in_sentences = settings.metric == "seat"
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
            yield from _sized(alike, quantity)
        if quantity == "p":
            for permute, ties, sides in product(permuted, get_args(Ties), get_args(Sides)):
                yield replace(alike, permute=permute, sides=sides, ties=ties)


def _sized(choices: FigureChoices, quantity: str) -> Iterator[FigureChoices]:
    """Yield the choices; for d, which alone it moves, with every effect size."""
    others = [size.name for size in EFFECT_SIZES] if quantity == "d" else []
    for size in dict.fromkeys((choices.effect_size, *others)):
        yield replace(choices, effect_size=size)
