"""What must not happen is noticed, whatever it does to the process in which it happens."""

import json
from typing import Any

from fuzz.cases import Target, case_of
from fuzz.hunt import FLOOR, Hunt
from tests.fuzz import planted
from tests.fuzz.hunt_process import apart

FAULTS = {
    "raises": "KeyError",
    "eats_memory": "memory",
    "hides_memory": "memory",
    "hides_memory_behind_another": "memory",
    "hides_memory_of_a_map": "memory",
    "hangs": "hang",
    "waits": "waits for ever",
    "waits_and_looks": "waits for ever",
    "kills_itself": "dies by 11",
    "ends_in_peace": "ends the process with 0",
    "says_nothing": "says nothing",
    "leaves_a_file": "left behind",
    "leaves_one_above": "left behind",
    "leaves_one_beside": "left behind",
    "leaves_a_draft": "left behind",
    "leaves_a_draft_at_home": "left behind",
    "changes_its_input": "changed its input",
    "runs_something": "ran something",
    "leaves_a_thread": "left open",
    "leaves_a_descriptor": "left open",
    "leaves_a_descriptor_when_it_fails": "left open",
    "leaves_a_child": "left open",
}
FINE = ("is_fine", "refuses", "keeps_at_home", "lets_all_end")


def hunted(*names: str) -> tuple[list[tuple[Any, ...]], dict[str, list[int]], list[str]]:
    done = apart("planted", *names, seconds=300)
    assert done.returncode == 0, done.stderr
    found, tallies, faults = json.loads(done.stdout)
    return [tuple(each) for each in found], tallies, faults


def test_every_fault_is_found_in_every_case_and_nothing_else_is() -> None:
    """One hunt for all of them, as one process can be the ruin of the next."""
    odd = ["fails_at_times", "hangs_once", "hangs_after_others", "keeps_more_and_more"]
    odd += ["raises_once"]
    found, tallies, faults = hunted(*FAULTS, *FINE, *odd)
    assert faults == []
    assert {name: tally[0] for name, tally in tallies.items()} == dict.fromkeys(tallies, 4)
    # The first case that fails is the one that is named.
    target = Target("fails_at_times", planted.fails_at_times, [planted.FILES])
    fails = [
        number for number in range(4) if planted.is_odd(case_of(target, 1, number).files["a.txt"])
    ]
    assert 0 < len(fails) < 4
    assert sorted(found) == sorted(
        [
            *((name, kind, 4, 0) for name, kind in FAULTS.items()),
            ("fails_at_times", "ZeroDivisionError", len(fails), fails[0]),
            # An error counts also where it needs earlier cases.
            ("raises_once", "KeyError", 1, 2),
            # So does a hang or a lack of memory that happens again after them.
            ("hangs_after_others", "hang after 2 others", 1, 2),
            ("keeps_more_and_more", "memory after 2 others", 1, 2),
        ]
    )
    # A hang that does not happen again is only told.
    assert tallies["hangs_once"] == [4, 3, 0, 1]
    # What reads is accepted, what complains is refused.
    assert [tallies[name] for name in FINE] == [
        *([4, 4, 0, 0], [4, 0, 4, 0]),
        *([4, 4, 0, 0], [4, 0, 4, 0]),
    ]


def test_what_the_hunt_itself_does_wrong_is_no_finding() -> None:
    found, tallies, faults = hunted("cannot_be_changed")
    assert found == []
    assert tallies["cannot_be_changed"][:3] == [4, 0, 0]
    assert len(faults) == 4
    assert all("ArithmeticError" in fault for fault in faults)


def test_crafted_cases_come_first_then_a_floor_for_every_target_then_a_fair_share() -> None:
    crafted = {str(n): planted.FILES for n in range(5)}
    slow = Target("slow", planted.is_fine, [planted.FILES], crafted)
    quick = Target("quick", planted.is_fine, [planted.FILES])
    hunt = Hunt({"slow": slow, "quick": quick}, seed=1, seconds=1)
    assert hunt.order({"slow": (0, 99.0), "quick": (0, 0.0)}) == ["slow", "quick"]
    assert hunt.order({"slow": (5 + FLOOR - 1, 99.0), "quick": (FLOOR, 0.0)}) == ["slow", "quick"]
    assert hunt.order({"slow": (5 + FLOOR, 99.0), "quick": (FLOOR, 0.0)}) == ["quick", "slow"]
    # A case of one takes 100 times as long, so that it gets ten times the time.
    assert hunt.order({"slow": (100, 9.0), "quick": (1000, 1.0)}) == ["slow", "quick"]
    assert hunt.order({"slow": (100, 11.0), "quick": (1000, 1.0)}) == ["quick", "slow"]
