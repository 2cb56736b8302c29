"""What cannot stand together is what fairvec would refuse to write together."""

from itertools import combinations

from hypothesis import given, settings
from hypothesis import strategies as st

from fairvec.core.errors import SettingError
from fairvec.languages.rewriting import Edit, Proposal, apply_edits
from fairvec.results.documents import ProposedChange, ProposedEdit, conflicts, select_compatible
from tests.report.sample_documents import change, flag

TEXT = "0123456789"
EDITS = st.tuples(st.integers(0, 9), st.integers(0, 3), st.sampled_from(["x", ""]))
CHANGES = st.lists(st.lists(EDITS, min_size=1, max_size=2), max_size=6)


def changes_of(drawn: list[list[tuple[int, int, str]]]) -> list[ProposedChange]:
    return [
        change(
            f"n{number}",
            [
                ProposedEdit(start=at, end=at + long, old=TEXT[at : at + long], new=new)
                for at, long, new in edits
                if at + long <= len(TEXT)
            ]
            or [ProposedEdit(start=0, end=1, old="0", new="y")],
        )
        for number, edits in enumerate(drawn)
    ]


def refused(*changes: ProposedChange) -> bool:
    accepted = [
        Proposal(
            one.start,
            one.end,
            one.rule,
            one.why,
            tuple(Edit(each.start, each.end, each.old, each.new) for each in one.edits),
        )
        for one in changes
    ]
    try:
        apply_edits(TEXT, accepted)
    except SettingError:
        return True
    return False


def begin_alike(*changes: ProposedChange) -> bool:
    """Return whether two edits begin at one place; there the order of writing would decide."""
    edits = {edit for one in changes for edit in one.edits}
    return len({edit.start for edit in edits}) < len(edits)


@given(drawn=CHANGES)
@settings(deadline=None)
def test_a_pair_is_in_conflict_if_it_would_be_refused_or_depend_on_order(
    drawn: list[list[tuple[int, int, str]]],
) -> None:
    changes = changes_of(drawn)
    against = conflicts(changes)
    for number, one in enumerate(changes):
        assert (number in against[number]) == (refused(one) or begin_alike(one))
    for first, second in combinations(range(len(changes)), 2):
        assert (second in against[first]) == (first in against[second])
        if first not in against[first] and second not in against[second]:
            pair = changes[first], changes[second]
            assert (second in against[first]) == (refused(*pair) or begin_alike(*pair))


@given(drawn=CHANGES)
@settings(deadline=None)
def test_what_is_accepted_at_first_can_be_written_and_leaves_no_room(
    drawn: list[list[tuple[int, int, str]]],
) -> None:
    changes = [*changes_of(drawn), flag("f", 0, 2)]
    against = conflicts(changes)
    accepted = select_compatible(against, changes)
    chosen = [one for one, taken in zip(changes, accepted, strict=True) if taken]
    assert not refused(*chosen)
    assert not accepted[-1]
    for number, taken in enumerate(accepted[:-1]):
        if not taken:
            assert number in against[number] or any(accepted[rival] for rival in against[number])
