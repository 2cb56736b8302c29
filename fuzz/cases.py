"""A case: files, changed from honest or crafted ones, that one target is shown."""

import base64
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

from fuzz.mutations import mutated
from fuzz.places import PIPE, Files, is_special

Change = Callable[[str, bytes, Random, Sequence[bytes]], tuple[bytes, str]]
MOST_CHANGES = 4
__all__ = ["Batch", "Case", "Files", "Target", "case_of", "read_case"]


@dataclass(frozen=True)
class Target:
    """Something that reads what strangers write.

    `run` is called in the folder that holds the files of a case, and raises what it raises. The
    `honest` cases must be read without complaint; the `crafted` ones come first, unchanged. Files
    in `fixed` stay as they are, `writes` says that new files are what it is for. `covers` names
    the entries of registries that it stands for. Where honest cases `may_be_refused` they need
    what is not on every machine. It `refuses` where nearly no changed case should be accepted.
    Where little can be changed, `most` changed cases are enough.
    """

    name: str
    run: Callable[[Path], None]
    honest: Sequence[Files]
    crafted: Mapping[str, Files] = field(default_factory=dict)
    covers: Sequence[str] = ()
    fixed: frozenset[str] = frozenset()
    writes: bool = False
    seconds: float = 10
    change: Change = mutated
    may_be_refused: bool = False
    refuses: bool = False
    most: int | None = None


@dataclass(frozen=True)
class Case:
    """The files of one case, and how they came to be."""

    target: str
    seed: int
    number: int
    files: Files
    chain: tuple[str, ...]

    def as_json(self, description: str) -> str:
        """Return the case as text, with what was found."""
        files = {name: base64.b64encode(data).decode() for name, data in self.files.items()}
        record = {"target": self.target, "seed": self.seed, "number": self.number}
        return json.dumps(
            {**record, "chain": self.chain, "found": description, "files": files}, indent=1
        )


def read_case(path: Path) -> Case:
    """Return a case that was kept."""
    record = json.loads(path.read_text(encoding="utf-8"))
    files = {name: base64.b64decode(text) for name, text in record["files"].items()}
    return Case(record["target"], record["seed"], record["number"], files, tuple(record["chain"]))


def case_of(target: Target, seed: int, number: int) -> Case:
    """Return case `number` of a target, which depends on these three and on nothing else."""
    if number < len(target.crafted):
        name = sorted(target.crafted)[number]
        return Case(target.name, seed, number, target.crafted[name], (f"crafted: {name}",))
    random = Random(f"{seed}/{target.name}/{number}")
    seeds = [*target.honest, *target.crafted.values()]
    which = random.randrange(len(target.honest)) if random.random() < 0.85 else -1
    files = dict(seeds[which] if which >= 0 else random.choice(seeds))
    chain = [f"honest {which}" if which >= 0 else "any"]
    for _ in range(random.choice((1, 1, 1, 1, 1, 2, 2, 3, MOST_CHANGES))):
        names = sorted(name for name in files.keys() - target.fixed if not is_special(files[name]))
        if not names:
            break
        name = random.choice(names)
        others = [one[name] for one in seeds if not is_special(one.get(name, PIPE))]
        files[name], description = target.change(name, files[name], random, others)
        chain.append(f"{name}: {description}")
    return Case(target.name, seed, number, files, tuple(chain))


@dataclass(frozen=True)
class Batch:
    """So many cases of a target, from a first one on; the last may be one that is tried again."""

    target: str
    seed: int
    first: int
    count: int
    again: Case | None = None

    def case(self, target: Target, number: int) -> Case:
        """Return one of the cases."""
        last = number == self.first + self.count - 1
        return self.again if self.again and last else case_of(target, self.seed, number)
