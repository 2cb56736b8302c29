"""Fixtures shared by every test."""

import gc
import os
import sys
import warnings
from collections.abc import Generator, Iterator
from pathlib import Path

import pytest
from hypothesis import settings

# Machines that run tests are busy: a law may be slow, it may not be wrong. The cases are the same
# each time, so that a failure is about the change; `--hypothesis-profile=all` seeks new ones, but
# not in CI, where a change must not wait for what was there before it.
settings.register_profile("fixed", deadline=None, derandomize=True, max_examples=25)
settings.register_profile(
    "all",
    deadline=None,
    max_examples=100,
    print_blob=True,
    derandomize=os.environ.get("CI") == "true",
)
settings.load_profile("fixed")

SLOW = (
    "cli/commands/test_plugins.py",  # a process for each command
    "cli/test_signals.py",
    "core/io/test_locks.py",
    "elsewhere/",  # installs, and runs scripts as other machines do
    "encoders/test_sentence_transformers.py",
    "experiments/debiasing/test_kills.py",
    "experiments/study/test_cluster.py",
    "fuzz/",
    "scripts/test_change_null.py",  # simulations
    "scripts/test_research.py",
    "scripts/test_site.py",  # runs every tutorial
    "training/test_cluster.py",
    "web/browser/",
)
"""What `make test` leaves to `make test-all`, by the beginning of its path."""
SLOW_MARKS = ("browser", "packages")
"""Marks of what is slow wherever it stands."""


@pytest.hookimpl(tryfirst=True)  # before pytest selects by marks
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark what is slow."""
    for item in items:
        place = item.path.relative_to(Path(__file__).parent).as_posix()
        if place.startswith(SLOW) or any(map(item.get_closest_marker, SLOW_MARKS)):
            item.add_marker("slow")


# Each process that a test starts would compile fairvec from its source where nobody keeps bytecode
# (as in many containers), which is about a third of importing it.
sys.dont_write_bytecode = False
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Take what is collected for what stays: a million objects that need not be looked through."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.enable()


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """The folder with benchmark sets and models that are not shipped."""
    next_to_checkout = Path(__file__).parents[2] / "shared" / "data"
    folder = Path(os.environ.get("FAIRVEC_DATA", next_to_checkout))
    if not folder.is_dir():
        pytest.skip(f"the data folder is absent: set FAIRVEC_DATA ({folder} does not exist)")
    return folder


def process_state() -> dict[str, object]:
    """What all tests of a process share: variables, working folder and warning filters."""
    variables = {f"${name}": value for name, value in os.environ.items()}
    variables.pop("$PYTEST_CURRENT_TEST", None)
    return variables | {"cwd": Path.cwd(), "warning filters": [*warnings.filters]}


@pytest.fixture(autouse=True)
def fail_tests_that_leave_state_changed() -> Iterator[None]:
    """Fail a test that leaves variables, working folder or warning filters changed."""
    modules, before = len(sys.modules), process_state()
    yield
    after = process_state()
    changed = {name for name in {*before, *after} if before.get(name) != after.get(name)}
    if len(sys.modules) > modules:
        # Libraries bring variables and filters of their own when they are first imported.
        changed -= {name for name in {*after} - {*before} if not name.startswith("$FAIRVEC")}
        changed -= {"warning filters"}
    assert not changed


@pytest.fixture(scope="session", autouse=True)
def no_waiting_for_the_disk() -> Iterator[None]:
    """What tests write need not outlive a loss of power; that it is waited for has its own test."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "fsync", lambda _: None)
        yield
