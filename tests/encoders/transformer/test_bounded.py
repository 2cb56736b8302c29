"""A network that somebody else builds meanwhile counts for nobody's file."""

from pathlib import Path
from threading import Thread

import pytest
from torch import nn

from fairvec.core.errors import FileFormatError
from fairvec.encoders.transformer.loading import ALWAYS_NUMBERS, ALWAYS_PARTS, check_network_size


def build(parts: int) -> nn.Module:
    return nn.Sequential(*(nn.Identity() for _ in range(parts)))


def test_what_another_thread_builds_is_not_counted() -> None:
    made: list[nn.Module] = []
    with check_network_size(Path("folder"), 0):
        other = Thread(target=lambda: made.append(build(ALWAYS_PARTS + 1)))
        other.start()
        other.join()
        large = Thread(target=lambda: made.append(nn.Linear(1, ALWAYS_NUMBERS + 1, device="meta")))
        large.start()
        large.join()
        build(10)
    assert len(made) == 2


def test_what_this_thread_builds_is() -> None:
    with (
        pytest.raises(FileFormatError, match="more than 5,000 parts"),
        check_network_size(Path("folder"), 0),
    ):
        build(ALWAYS_PARTS + 1)
