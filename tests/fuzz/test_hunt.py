"""What must not happen is noticed, whatever it does to the process in which it happens."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from fuzz.cases import Target, case_of
from tests.fuzz import planted

ROOT = Path(__file__).parents[2]
FAULTS = {
    "raises": "KeyError",
    "eats_memory": "memory",
    "hides_memory": "memory",
    "hangs": "hang",
    "waits": "waits for ever",
    "kills_itself": "dies by 11",
    "leaves_a_file": "left behind",
    "leaves_one_beside": "left behind",
    "leaves_a_draft": "left behind",
    "changes_its_input": "changed its input",
    "runs_something": "ran something",
}


def hunted(*names: str) -> list[tuple[str, str, int, int]]:
    done = subprocess.run(
        [sys.executable, "-m", "tests.fuzz.planted", *names],
        cwd=ROOT,
        env=os.environ | {"PYTHONPATH": f"{ROOT / 'src'}{os.pathsep}{ROOT}"},
        capture_output=True,
        text=True,
        timeout=200,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    found, cases = json.loads(done.stdout)
    assert cases == dict.fromkeys(names, 4)
    return [tuple(each) for each in found]


@pytest.mark.parametrize("name", FAULTS)
def test_a_fault_is_found_in_every_case_and_ends_nothing(name: str) -> None:
    assert hunted(name, "is_fine", "refuses") == [(name, FAULTS[name], 4, 0)]


def test_what_refuses_or_reads_is_no_finding_and_the_first_that_fails_is_named() -> None:
    (found,) = hunted("is_fine", "refuses", "fails_at_times")
    target = Target("fails_at_times", planted.fails_at_times, [planted.FILES])
    fails = [number for number in range(4) if b"1" in case_of(target, 1, number).files["a.txt"]]
    assert fails
    assert found == ("fails_at_times", "ZeroDivisionError", len(fails), fails[0])
