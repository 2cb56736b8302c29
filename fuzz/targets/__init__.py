"""Every target; what a registry of fairvec gains and no target covers fails a test."""

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from fuzz.cases import Case, Target, read_case
from fuzz.targets.archives import archives
from fuzz.targets.commands import commands
from fuzz.targets.cuts import cuts
from fuzz.targets.data import data
from fuzz.targets.embeddings import embeddings
from fuzz.targets.encoders import encoders
from fuzz.targets.installed import installed
from fuzz.targets.kept import kept
from fuzz.targets.lists import lists
from fuzz.targets.measured import measured
from fuzz.targets.packages import packages
from fuzz.targets.records import records
from fuzz.targets.requests import requests
from fuzz.targets.served import served
from fuzz.targets.strangers import strangers
from fuzz.targets.texts import texts
from fuzz.targets.transforms import transforms
from fuzz.targets.words import words
from fuzz.worker import tried

GROUPS: dict[Callable[[Path], Iterator[Target]], tuple[str, ...]] = {
    embeddings: ("format",),
    cuts: ("cut", "damaged", "joined", "quoted"),
    archives: ("archive",),
    transforms: ("transform",),
    records: ("records", "stored"),
    kept: ("kept",),
    served: ("served",),
    lists: ("list",),
    texts: ("list-document", "list-corpus"),
    data: ("data",),
    words: ("condition", "settings"),
    commands: ("command",),
    measured: ("measured",),
    packages: ("package",),
    installed: ("installed",),
    requests: ("web",),
    strangers: ("web-strangers",),
    encoders: ("encoder",),
}
"""Each makes honest files in a folder of its own and gives targets, whose names begin so."""
SEEDS = Path(__file__).parents[1] / "seeds"
"""Small cases that were found once, and must not be found again."""


def every_target(
    folder: Path, names: Sequence[str] | None = None, but: Sequence[str] = ()
) -> dict[str, Target]:
    """Return the targets by name, or only those whose names begin like some; none of `but`."""
    found: dict[str, Target] = {}
    for group, begins in GROUPS.items():
        if names and not any(
            name.startswith(begin) or begin.startswith(name) for name in names for begin in begins
        ):
            continue
        place = folder / group.__name__
        place.mkdir()
        for target in group(place):
            if target.name not in but and (not names or target.name.startswith(tuple(names))):
                found[target.name] = _with_kept(target)
    if not found:
        raise SystemExit(f"No target's name begins with {' or '.join(names or ())}.")
    return found


def _with_kept(target: Target) -> Target:
    """Add what earlier hunts found."""
    seeds = {
        path.name: laid_over(target, path).files
        for path in sorted(SEEDS.glob(f"{target.name}--*.json"))
    }
    return replace(target, crafted={**target.crafted, **seeds})


def laid_over(target: Target, path: Path) -> Case:
    """Return a kept case; one of the seeds holds only the files that are not honest."""
    case = read_case(path)
    if path.resolve().parent != SEEDS.resolve():
        return case
    return replace(case, files={**target.honest[0], **case.files})


def warmed(targets: Iterable[Target], folder: Path) -> None:
    """Run the honest cases, so that all is imported and compiled before limits are set.

    An honest case that is refused would make every change of it worthless.
    """
    before = Path.cwd()
    for target in targets:
        for number, files in enumerate(target.honest):
            case = Case(target.name, 0, number, files, ("honest",))
            if found := tried(target, case, folder / "warm", honest=True).finding:
                raise SystemExit(f"{target.name}, honest case {number}: {found}")
    os.chdir(before)


__all__ = ["GROUPS", "every_target", "laid_over", "warmed"]
