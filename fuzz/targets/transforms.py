"""Fitted transforms: every kind of move in its file, read and applied."""

from collections.abc import Iterator
from pathlib import Path

from fairvec.core.errors import FairvecError
from fairvec.lexicon.concepts import parse_concepts
from fairvec.mitigation import Debiaser, load_transform, save_transform
from fairvec.mitigation.methods.conceptor import ConceptorNegation, HalfSibling
from fairvec.mitigation.methods.double_hard import DoubleHard
from fairvec.mitigation.methods.erasure import INLP
from fairvec.mitigation.methods.hard import HardDebiasing
from fairvec.mitigation.methods.pgd import PGD
from fairvec.mitigation.methods.projection import LPSG, LinearProjection, OSCaR
from fairvec.mitigation.transform_file import MOVES
from fuzz.cases import Files, Target
from fuzz.crafted import crafted_for
from fuzz.honest import CONCEPT, SPACES, model

FILE = "fitted.transform"
METHODS: tuple[Debiaser, ...] = (
    *(LinearProjection(), HardDebiasing(), LPSG(keep=("things",)), INLP(words="defining")),
    *(OSCaR(against="things"), ConceptorNegation(), HalfSibling(alpha=1.0)),
    *(DoubleHard(components=1), PGD(), PGD(solver="riemannian-adam")),
)


def transforms(folder: Path) -> Iterator[Target]:
    """Give one target, whose honest files hold every kind of move."""
    (concept,) = parse_concepts(CONCEPT.decode())
    honest: list[Files] = []
    moves = set()
    for method in METHODS:
        for space in SPACES:
            try:
                fitted = method.fit(model(space), concept)
            except FairvecError:
                continue  # some methods work in the ball alone
            save_transform(fitted, folder / FILE)
            moves.add(fitted.move.name)
            honest.append({FILE: (folder / FILE).read_bytes()})
    yield Target(
        name="transform",
        run=applied,
        honest=honest,
        crafted=crafted_for("transform", honest[0], FILE),
        covers=[f"move {move.name}" for move in MOVES if move.name in moves],
    )


def applied(folder: Path) -> None:
    """Read a transform and apply it to the models whose space it fits."""
    transform = load_transform(folder / FILE)
    for space in SPACES:
        if space == transform.geometry:
            transform.transform(model(space))
            str(transform.step)
            return
    transform.transform(model())
