"""Records of a frontier: one per method and strength, with bias left and information kept."""

from collections.abc import Collection, Mapping
from pathlib import Path
from statistics import fmean
from typing import Annotated, Any, Literal

from pydantic import Field, TypeAdapter

from fairvec.core.validation import FileRecord, Record, Share
from fairvec.results.identities import ModelIdentity
from fairvec.results.store import RecordFile
from fairvec.results.verdicts import HARMFUL, ChangeKind

FRONTIER_FILE = "frontier.jsonl"
REFERENCE = "none"
"""The method of the point without a change."""

Family = str
"""Kinds of information: meaning (grammar and the like), neighbours, and those of benchmarks."""

FoldSeparation = Literal["all-words", "targets-anywhere", "targets"]
"""What two folds of tests do not share: any word; a target word; a word that both have as target.
"""

NOTHING = 1e-9
"""A smaller loss of information is the rounding of a mean: nothing was lost."""


class PointEffect(Record):
    """One bias test before and after."""

    test: str = Field(description="Full id of the test")
    category: str = Field(description="Social category of the test")
    before: float = Field(description="The effect before")
    after: float | None = Field(description="The effect after; null where no word leans any more")
    significant: bool = Field(description="Whether it was significant before, after correction")
    kind: ChangeKind = Field(description="What became of it")

    @property
    def left(self) -> float:
        """The |d| that is left; what was turned round or made is not less than it was."""
        if self.after is None:
            # Where no word leans any more nothing is left; without an answer nothing is shown.
            return abs(self.before) if self.kind == "no-answer" else 0.0
        if self.kind in HARMFUL:
            return max(abs(self.before), abs(self.after))
        return abs(self.after)


class InformationFigure(Record):
    """One figure of what a model knows, before and after: more is better."""

    family: Family = Field(description="The kind of information")
    test: str = Field(description="Id of the test or benchmark")
    before: float = Field(description="The figure before")
    after: float = Field(description="The figure after; negative if an effect turned round")
    chance: float = Field(
        default=0.0,
        description="The figure that knowing nothing has: of a task the share of the commoner "
        "class; what is above it counts",
    )


class FrontierPoint(FileRecord):
    """One method at one strength: how much bias it leaves and how much information it keeps.

    Or another model, trained otherwise, which stands beside the methods and is none.
    """

    status: Literal["tried"] = Field(default="tried", description="Always tried")
    model: ModelIdentity = Field(description="The embedding before the change")
    concept: str = Field(description="What was taken out, with its variant")
    method: str = Field(description="Name of the debiasing method, or of the model beside")
    other: ModelIdentity | None = Field(
        default=None, description="The other model that stands here; null for a change of this one"
    )
    settings: dict[str, Any] = Field(description="Its settings")
    strength: Share = Field(description="From 0 (nothing) to 1 (all)")
    calibrated: bool = Field(
        default=False, description="Whether the strength was found by calibration"
    )
    note: str = Field(default="", description="What calibration found; empty without it")
    held_out: bool = Field(description="Whether the method was fitted without any tested word")
    bias_left: float = Field(
        description="Mean |d| over the bias tests of the concept; a reversed or introduced effect "
        "counts at least as much as it was"
    )
    bias_before: float = Field(description="The same before the change")
    information_kept: float = Field(
        description="Mean over the families of the share kept, each at most 1"
    )
    kept: dict[Family, float] = Field(description="The share kept, family by family")
    effects: tuple[PointEffect, ...] = Field(description="Every bias test")
    figures: tuple[InformationFigure, ...] = Field(description="Every figure behind the share kept")
    displacement: float | None = Field(description="How far a word moved on average")
    on_front: bool = Field(default=False, description="Whether no other point is better in both")
    recommended: bool = Field(default=False, description="Whether this is the one to take")
    reason: str = Field(default="", description="Why it is recommended")

    @property
    def harms(self) -> tuple[PointEffect, ...]:
        """The effects that the change turned around or made."""
        return tuple(one for one in self.effects if one.kind in HARMFUL)

    def left_in(self, tests: Collection[str]) -> float | None:
        """Return the mean |d| left over some of the tests; none if it was asked none of them."""
        left = [effect.left for effect in self.effects if effect.test in tests]
        return fmean(left) if left else None

    @property
    def label(self) -> str:
        """The method and its strength."""
        if self.method == REFERENCE:
            return "the model as it is"
        if self.other:
            return f"{self.method} (another model)"
        return f"{self.method} at {self.strength:.3g}"

    @property
    def evidence(self) -> bool:
        """Whether the tests can judge it: neither fitted on their words nor tuned to them."""
        return self.held_out and not self.calibrated


class FailedTrial(FileRecord):
    """A method that could not be tried, and why."""

    status: Literal["untried"] = Field(default="untried", description="Always untried")
    model: ModelIdentity = Field(description="The embedding")
    concept: str = Field(description="What should have been taken out")
    method: str = Field(description="Name of the debiasing method")
    reason: str = Field(description="One sentence: what was missing")


class HeldOutFold(Record):
    """Tests that share words, and what a choice made without them does to them."""

    tests: tuple[str, ...] = Field(description="Full ids of the tests")
    chosen: str = Field(description="What the other folds' tests choose; empty if nothing")
    before: float = Field(description="Mean |d| over these tests before")
    left: float = Field(description="The same after what was chosen; as before if nothing was")
    harmed: tuple[str, ...] = Field(
        description="Tests in which it turns round or makes an effect, those of other categories "
        "that share words with the fold among them"
    )

    @property
    def share(self) -> float | None:
        """The share of the bias that is left; none where there was no bias at all."""
        return self.left / self.before if self.before else None


class HeldOutCheck(Record):
    """How well a choice by some tests does on others: every fold judged by a choice without it."""

    apart: FoldSeparation = Field(description="What two folds do not share")
    clean: bool = Field(
        description="Whether no fold was seen in fitting or calibrating what it judges"
    )
    folds: tuple[HeldOutFold, ...] = Field(description="The folds")
    share: float | None = Field(
        description="Mean over the folds of the bias left, over their mean before: the share that "
        "is left of unseen tests; null for a single fold"
    )

    @property
    def before(self) -> float:
        """The mean over the folds of the bias before."""
        return fmean(fold.before for fold in self.folds)

    @property
    def left(self) -> float:
        """The mean over the folds of the bias left."""
        return fmean(fold.left for fold in self.folds)


class FrontierSummary(FileRecord):
    """What was asked of every point, and what is recommended."""

    status: Literal["surveyed"] = Field(default="surveyed", description="Always surveyed")
    model: ModelIdentity = Field(description="The embedding")
    concept: str = Field(description="What was taken out, with its variant")
    tests: tuple[str, ...] = Field(description="The bias tests whose mean |d| is the bias left")
    others: tuple[str, ...] = Field(description="The other bias tests: only harm counts there")
    keep: float = Field(description="Information that a recommended point must keep")
    seed: int = Field(description="Seed of everything random")
    recommendation: str = Field(description="What to take and why, or why nothing")
    unseen: HeldOutCheck | None = Field(
        default=None, description="How well such a choice does on tests that it has not seen"
    )
    remarks: tuple[str, ...] = Field(default=(), description="What else a reader must know")
    versions: dict[str, str] = Field(description="Versions of fairvec, Python, numpy and scipy")


Trial = FrontierPoint | FailedTrial
FrontierLine = FrontierPoint | FailedTrial | FrontierSummary

_trial: TypeAdapter[Trial] = TypeAdapter(Annotated[Trial, Field(discriminator="status")])
_file: RecordFile[FrontierLine] = RecordFile(
    FRONTIER_FILE,
    TypeAdapter(Annotated[FrontierLine, Field(discriminator="status")]),
    "a record of a frontier",
    "fairvec frontier",
    "MODEL --concept CONCEPT",
    "write_frontier",
    "read_frontier",
)


def write_frontier(
    lines: list[FrontierLine], folder: Path | str, others: Mapping[str, str] | None = None
) -> Path:
    """Write the records to frontier.jsonl in `folder`, whole or not at all.

    `others` are texts of the same run by file name, as its page: all take their places together.
    """
    return _file.write(lines, folder, others)


def read_frontier(path: Path | str) -> list[FrontierLine]:
    """Read the records of a frontier.jsonl, or of the folder that holds one."""
    return _file.read(path)


def write_trial(path: Path, trial: Trial) -> None:
    """Keep one point, or why there is none, in a file named by all that decides it."""
    _file.write_one(path, trial)


def read_trial(path: Path) -> Trial:
    """Read one cached trial: a point, or why there is none."""
    return _file.read_one(path, _trial)
