"""Notes beside a figure: stand-in models, coverage, missing benchmarks."""

from collections.abc import Iterable, Iterator

from fairvec.catalogue import dataset
from fairvec.papers.models import RoleModel
from fairvec.results import Outcome, Result, Skipped


def stand_in_note(role_model: RoleModel, remedy: str) -> Iterator[str]:
    """Yield whose place a model takes and how to get the paper's own, or how it was identified."""
    name, reason = role_model.model.name, role_model.mismatch_reason
    if role_model.is_unverified:
        yield f"{name} {reason}"
    elif role_model.identified_by:
        yield f"{name} is taken for the paper's own by {role_model.identified_by}."
    elif not role_model.is_the_papers:
        yield f"{name} {reason}; for the paper's own model, {remedy}"


def coverage_note(outcome: Outcome) -> Iterator[str]:
    """Say why there is no answer, or how many words it rests on and whether its p is exact.

    Missing words are counted, not named: some of the lists are sensitive.
    """
    if isinstance(outcome, Skipped):
        yield f"{outcome.model.name}: {outcome.reason}"
        return
    if outcome.coverage[0].role == "items":
        yield from _items_note(outcome)
        return
    found = sum(group.found + len(group.merged) for group in outcome.coverage)
    wanted = sum(group.wanted for group in outcome.coverage)
    if found < wanted:
        yield f"{outcome.model.name} has {found} of the {wanted} words of {outcome.test.id}."
    if isinstance(outcome, Result) and outcome.p.method != "exact":
        how = "a proven upper bound" if outcome.p.method == "certified" else "sampled"
        yield f"p on {outcome.model.name} is {how}, not exact."


def _items_note(outcome: Outcome) -> Iterator[str]:
    (group,) = outcome.coverage
    if group.found < group.wanted:
        yield (
            f"{outcome.model.name} was asked {group.found:,} of the {group.wanted:,} {group.title}."
        )


def absent_note(names: Iterable[str]) -> str:
    """Say which benchmarks are not at hand, and how to get them."""
    return " ".join(
        f"The benchmark {name} is not at hand; run: fairvec benchmarks get {name}, or point "
        "FAIRVEC_DATA to a folder that has it."
        if dataset(name).source
        else f"The benchmark {name} is not at hand, and nobody publishes its file; point "
        "FAIRVEC_DATA to a folder that has it."
        for name in names
    )
