"""What a condition says of results: the gate of `fairvec check`, as an object."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from fairvec.ground.errors import ExpressionError, FairvecError
from fairvec.ground.text.one_line import on_one_line
from fairvec.results import Condition
from fairvec.results.conditions.gate_of_results import gate_of_results

if TYPE_CHECKING:
    from fairvec.api.results_list import Results

MOST_SHOWN = 20


@dataclass(frozen=True, repr=False)
class Checked:
    """The answer of a gate: true if it lets pass, false if not, and false if it cannot decide.

    `offending` are the records that meet a condition on single rows, `figures` the figures over all
    rows that decided another one, in words. `problem` is the one sentence why a condition could not
    be read or decided: a gate that decides nothing lets nothing pass.
    """

    condition: str
    offending: "Results"
    headline: str = ""
    figures: tuple[str, ...] = ()
    remarks: tuple[str, ...] = ()
    problem: str = ""
    met: bool = False

    def __bool__(self) -> bool:
        """Return whether the gate lets pass."""
        return not (self.met or self.problem)

    @property
    def exit_code(self) -> int:
        """The code with which `fairvec check` ends: 0 passed, 1 met, 2 not decided."""
        return 2 if self.problem else int(self.met)

    def __repr__(self) -> str:
        """Return the answer in a few readable lines."""
        lead = "Not decided" if self.problem else "Not passed" if self.met else "Passed"
        rest = len(self.offending) - MOST_SHOWN
        lines = [
            f"{lead}. {self.problem or on_one_line(self.headline)}",
            *(f"  {on_one_line(figure)}" for figure in self.figures),
            *(f"  {one}" for one in self.offending[:MOST_SHOWN]),
            f"  ... and {rest} more" if rest > 0 else "",
            *self.remarks,
        ]
        return "\n".join(line for line in lines if line)


def condition_of(text: str) -> Condition:
    """Return a condition on rows of results; refuse what is no text."""
    if not isinstance(text, str):
        raise ExpressionError(
            f"A condition is text, and this is a {type(text).__name__}; write for example "
            '"p_holm < 0.05 and abs(effect) > 0.5".'
        )
    return Condition(text)


def checked(results: "Results", fail_if: str) -> Checked:
    """Ask the gate, and raise nothing that a condition or a run may be to blame for."""
    none = results[:0]
    try:
        gate = gate_of_results(results, condition_of(fail_if))
        ruling = gate.ruling
    except FairvecError as error:
        return Checked(str(fail_if), none, problem=on_one_line(str(error)))
    return Checked(
        fail_if,
        none if ruling.over_rows else none + [results[at] for at in ruling.met],
        gate.headline,
        tuple(gate.told(figure) for figure in ruling.figures),
        gate.remarks,
        gate.undecided,
        gate.is_met,
    )
