"""Cases that were written to do harm, each by a named function of an honest case."""

from collections.abc import Callable, Mapping

from fuzz.cases import Files
from fuzz.crafted.archives import ON_ARCHIVES
from fuzz.crafted.arrays import ON_ARRAYS
from fuzz.crafted.pickles import ON_PICKLES
from fuzz.crafted.shown import ON_SHOWN
from fuzz.crafted.special import ON_SPECIAL
from fuzz.crafted.texts import ON_TEXTS

Attack = Callable[[Files, str], Files]
"""Makes a bad case of an honest one, in which the file of this name is the one that is read."""
ATTACKS: tuple[Mapping[str, Mapping[str, Attack]], ...] = (
    *(ON_ARCHIVES, ON_ARRAYS, ON_PICKLES, ON_SHOWN, ON_SPECIAL, ON_TEXTS),
)
"""By the target that they are made for."""


def crafted_for(target: str, honest: Files, main: str) -> dict[str, Files]:
    """Return the attacks on a target by name."""
    return {
        name: attack(honest, main)
        for some in ATTACKS
        for name, attack in some.get(target, {}).items()
    }
