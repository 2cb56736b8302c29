"""Fixtures shared by every test."""

import gc
import os
import sys
from collections.abc import Generator
from pathlib import Path

import pytest
from hypothesis import settings

# Machines that run tests are busy: a law may be slow, it may not be wrong. Where a change is judged
# (CI) the cases are the same each time, so that the answer is about the change; elsewhere new ones
# are sought.
settings.register_profile("fairvec", deadline=None, derandomize="CI" in os.environ)
settings.load_profile("fairvec")

# Tests start hundreds of processes, each of which would compile all of fairvec from its source:
# where nobody keeps bytecode (as in many containers) that is a third of what they do.
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
    beside_checkout = Path(__file__).parents[2] / "shared" / "data"
    folder = Path(os.environ.get("FAIRVEC_DATA", beside_checkout))
    if not folder.is_dir():
        pytest.skip(f"the data folder is absent: set FAIRVEC_DATA ({folder} does not exist)")
    return folder
