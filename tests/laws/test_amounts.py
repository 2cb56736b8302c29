"""What asks for so much work refuses amounts for which nobody could wait, in one sentence."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from fairvec.core.errors import SettingError
from fairvec.core.memory import parse_size
from fairvec.experiments.audit.plan import Statistics
from fairvec.experiments.sample_size import words_needed
from fairvec.tasks.sentiment.classifiers import LstmNetwork
from fairvec.tasks.sentiment.task import SentimentTask
from fairvec.training.gensim_training import GensimModel
from fairvec.training.models import Glove, PoincareGlove
from fairvec.training.train import TrainingText, train_embedding
from tests import toys

AMOUNTS: dict[Callable[..., Any], dict[str, int]] = {
    Statistics: {"samples": 10**8, "resamples": 10**7, "seed": 2**32 - 1},
    Glove: {"dimensions": 10**5, "epochs": 10**5, "unseen": 1000},
    PoincareGlove: {"dimensions": 10**5, "epochs": 10**5, "unseen": 1000},
    GensimModel: {"dimensions": 10**5, "epochs": 10**5, "negative": 1000},
    LstmNetwork: {"epochs": 10**5, "units": 10**5, "dense": 10**5},
    SentimentTask: {"passes": 10**4, "seed": 2**32 - 1},
}
"""The most of each that is taken."""


@pytest.mark.parametrize(
    ("made", "setting"),
    [
        pytest.param(made, setting, id=f"{made.__name__} {setting}")
        for made, settings in AMOUNTS.items()
        for setting in settings
    ],
)
def test_the_most_is_taken_and_more_is_refused(made: Callable[..., Any], setting: str) -> None:
    most = AMOUNTS[made][setting]
    assert getattr(made(**{setting: most}), setting) == most
    for more in (most + 1, 10**12, 10**300, 10**5000):
        with pytest.raises(SettingError, match=setting) as refused:
            made(**{setting: more})
        assert len(str(refused.value)) < 200
        assert re.search(f"{most}|{most:,}|finite", str(refused.value))


@pytest.mark.parametrize("threads", [0, -1, 1025, 10**12])
def test_so_many_threads_no_machine_has(threads: int) -> None:
    text = TrainingText((Path("no-file.txt"),), "en")
    with pytest.raises(SettingError, match=r"threads is -?[0-9]+; it must lie between 1 and 1024"):
        train_embedding(text, Glove(), threads=threads)
    with pytest.raises(SettingError, match="window is 10001"):
        TrainingText((), "en", window=10_001)


def test_so_many_lists_are_not_drawn() -> None:
    with pytest.raises(SettingError, match="drawn 40 to 100,000 times"):
        words_needed(toys.embedding(1.0), toys.suite(), draws=10**12)


@pytest.mark.parametrize("size", ["9" * 400, "9" * 400 + "GB", "9" * 18 + "TB", "2000000TB"])
def test_so_much_memory_no_machine_has(size: str) -> None:
    with pytest.raises(SettingError, match="is no size of memory") as refused:
        parse_size(size)
    assert len(str(refused.value)) < 200
    assert parse_size("64TiB") == 2**46
