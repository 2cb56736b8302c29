"""An embedding whose pairs were counted on a cluster is the one that is learnt here."""

from pathlib import Path

import numpy as np
import pytest

from fairvec.core.errors import ClusterError, SettingError
from fairvec.training import cluster
from fairvec.training import cluster as scheduler
from fairvec.training.encode import Cut
from fairvec.training.gensim_training import GensimModel
from fairvec.training.models import Glove
from fairvec.training.train import ProgressCallbacks, TrainingText, open_text, train_embedding
from tests.training.counting.local_cluster import running_scheduler, running_workers


@pytest.fixture
def text(tmp_path: Path) -> TrainingText:
    words = np.random.default_rng(4).choice(["tea", "milk", "cup", "sun", "rain", "sky"], (80, 9))
    file = tmp_path / "corpus.txt"
    file.write_text("\n".join(map(" ".join, words.tolist())), encoding="utf-8")
    return open_text([file], "en", cut=Cut(1), window=3)


def test_vectors_are_the_same_with_a_cluster(
    text: TrainingText, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cluster, "SMALLEST_BLOCK", 100)
    kind = Glove(dimensions=4, epochs=2)
    told: list[int] = []
    listening = ProgressCallbacks(counting=lambda done, _: told.append(done))
    here = train_embedding(text, kind, threads=1)
    with (
        running_scheduler(tmp_path) as (address, _),
        running_workers(address, tmp_path, "one", "other"),
    ):
        there = train_embedding(text, kind, threads=1, listening=listening, scheduler=address)
    assert len(told) > 1
    assert here.keys == there.keys
    assert np.array_equal(here.vectors, there.vectors)
    assert here.history == there.history


def test_a_dead_scheduler_is_noticed_before_the_text_is_read(
    text: TrainingText, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(scheduler, "CONNECT_SECONDS", 1)
    text.files[0].unlink()
    with pytest.raises(ClusterError, match="No scheduler answers"):
        train_embedding(text, Glove(dimensions=4), scheduler="tcp://127.0.0.1:9")


def test_what_learns_without_counting_takes_no_cluster(text: TrainingText) -> None:
    with pytest.raises(SettingError, match="learns without counting"):
        train_embedding(text, GensimModel("skipgram"), scheduler="tcp://127.0.0.1:9")
