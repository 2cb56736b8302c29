"""The experiment as data: which models, which tests, which metric, which statistics."""

from dataclasses import dataclass, field, fields
from numbers import Real
from typing import Literal, get_args

from fairvec.encoders import Representation
from fairvec.ground.errors import SettingError, UnknownNameError
from fairvec.ground.settings import LARGEST_SEED, as_setting, plain
from fairvec.ground.text.shown_values import shown
from fairvec.lexicon import Selected
from fairvec.metrics import Metric, Weat
from fairvec.stats import PMethod, Sides, Ties

IntervalKind = Literal["permutation", "bootstrap", "none"]
"""Whether an effect's interval inverts its permutation test, or resamples words, or is left out."""


_CHOICES = {
    "sides": get_args(Sides),
    "ties": get_args(Ties),
    "method": get_args(PMethod),
    "interval": get_args(IntervalKind),
}

_WHOLE_NUMBERS = (("samples", 100, 10**8), ("resamples", 100, 10**7), ("seed", 0, LARGEST_SEED))
"""The fewest show a p of .05; the most take hours, and a resample is kept until the end."""


@dataclass(frozen=True)
class Statistics:
    """How sure we want to be, and by which rules; every choice is written into the Result."""

    sides: Sides = "two"
    ties: Ties = ">="
    method: PMethod = "auto"
    samples: int = 100_000
    interval: IntervalKind = "permutation"
    resamples: int = 50_000
    level: float = 0.95
    alpha: float = 0.05
    smallest_coverage: float = 0.5
    robust: bool = False
    seed: int = 0

    def __post_init__(self) -> None:
        for each in fields(self):
            object.__setattr__(self, each.name, plain(getattr(self, each.name)))
        as_setting("The statistics", "robust", bool, self.robust)
        for name in ("level", "alpha"):
            value = getattr(self, name)
            if not isinstance(value, float) or not 0 < value < 1:
                raise SettingError(
                    f"The setting {name} must lie between 0 and 1, not {shown(value)}."
                )
        share = self.smallest_coverage
        if not isinstance(share, Real) or not 0 <= share <= 1:
            raise SettingError(f"The smallest coverage is a share from 0 to 1, not {shown(share)}.")
        for name, known in _CHOICES.items():
            chosen = getattr(self, name)
            if not isinstance(chosen, str) or chosen not in known:
                raise UnknownNameError(f"choice of {name}", chosen, known)
        for name, least, most in _WHOLE_NUMBERS:
            value = getattr(self, name)
            if type(value) is not int or not least <= value <= most:
                raise SettingError(
                    f"The setting {name} must be a whole number from {least} to {most:,}, not "
                    f"{shown(value)}."
                )


@dataclass(frozen=True)
class Audit:
    """One embedding or encoder, the tests to run on it and the metric to run them with."""

    source: Representation
    tests: tuple[Selected, ...]
    metric: Metric = field(default_factory=Weat)


@dataclass(frozen=True)
class Plan:
    """Everything that decides the outcome: the same plan gives the same results."""

    audits: tuple[Audit, ...]
    statistics: Statistics = field(default_factory=Statistics)
