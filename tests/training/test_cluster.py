"""Counting on a cluster gives the counts of one process."""

import operator
import os
import signal
import socket
import sys
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from fairvec.core.errors import ClusterError, MissingExtraError, SettingError
from fairvec.training import cluster
from fairvec.training import cluster as scheduler
from fairvec.training.counting.count import count_cooccurrences
from fairvec.training.counting.counts import Cooccurrences, Weighting
from fairvec.training.encode import VocabularyLimits
from fairvec.training.engines import CpuEngine, OnCluster
from fairvec.training.gensim_training import GensimModel
from fairvec.training.models import Glove
from fairvec.training.progress import StageProgress
from fairvec.training.train import TrainingText, open_text, train_embedding
from tests.training.local_cluster import running_scheduler, running_workers

# --- A cluster counts what this machine counts, to the last digit, whoever dies meanwhile ---


WORDS = 50
WINDOW = Weighting(5)
BLOCK = 500
CPU = CpuEngine(2)


def text() -> NDArray[np.int32]:
    """A text of 24 blocks and a rest, whose lines are longer than a block or short."""
    tokens = np.random.default_rng(3).zipf(1.3, 24 * BLOCK + 17) % WORDS
    tokens[6000::7] = -1
    return tokens.astype(np.int32)


def same(one: Cooccurrences, other: Cooccurrences) -> bool:
    return (
        np.array_equal(one.starts, other.starts)
        and np.array_equal(one.columns, other.columns)
        and np.array_equal(one.counts, other.counts)
        and one.unit == other.unit
    )


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with running_scheduler(tmp_path_factory.mktemp("scheduler")) as (address, _):
        yield address


@pytest.fixture
def _small_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster, "SMALLEST_BLOCK", BLOCK)
    monkeypatch.setattr(cluster, "BLOCKS_A_CORE", 1000)


@pytest.mark.usefixtures("_small_blocks")
def test_workers_that_die_in_the_middle_change_no_count(address: str, tmp_path: Path) -> None:
    from distributed import Client

    here = count_cooccurrences(text(), WORDS, WINDOW, tmp_path / "here", engine=CPU)
    arrived: list[int] = []
    with (
        running_workers(address, tmp_path, "frozen", "steady", "doomed") as workers,
        Client(address, set_as_default=False) as observer,
    ):
        # It is given blocks as the others are, and never counts one.
        os.kill(workers["frozen"].pid, signal.SIGSTOP)

        def progress(stage: StageProgress) -> None:
            arrived.append(stage.done)
            if len(arrived) == 1:
                names = {
                    place: worker["name"]
                    for place, worker in observer.scheduler_info(n_workers=-1)["workers"].items()
                }
                given = {names[place]: tasks for place, tasks in observer.processing().items()}
                assert given["frozen"]
                workers["frozen"].kill()
            if len(arrived) == 4:
                workers["doomed"].kill()

        there = count_cooccurrences(
            text(),
            WORDS,
            WINDOW,
            tmp_path / "there",
            progress=progress,
            engine=OnCluster(CPU, address),
        )
        assert [worker["name"] for worker in observer.scheduler_info()["workers"].values()] == [
            "steady"
        ]
    assert same(here, there)
    assert len(arrived) == 25
    assert arrived[-1] == len(text())
    assert [file.name for file in (tmp_path / "there").iterdir()] == ["run"]


@pytest.mark.usefixtures("_small_blocks")
def test_equal_blocks_count_twice_and_a_worker_that_fails_is_named(
    address: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tokens = np.tile(np.array([0, 1, 2, 1, -1], np.int32), 4 * BLOCK // 5)
    here = count_cooccurrences(tokens, 3, WINDOW, tmp_path / "here", engine=CPU)
    with running_workers(address, tmp_path, "only"):
        there = count_cooccurrences(
            tokens, 3, WINDOW, tmp_path / "there", engine=OnCluster(CPU, address)
        )
        monkeypatch.setattr(cluster, "block_rows", operator.index)
        with pytest.raises(ClusterError, match=r"the text \(TypeError: .* install the same"):
            count_cooccurrences(
                tokens, 3, WINDOW, tmp_path / "failed", engine=OnCluster(CPU, address)
            )
    assert same(here, there)
    assert [*(tmp_path / "failed").iterdir()] == []


@pytest.mark.usefixtures("_small_blocks")
def test_a_scheduler_that_dies_in_the_middle_is_an_error_and_leaves_nothing(
    tmp_path: Path,
) -> None:
    with (
        running_scheduler(tmp_path) as (address, scheduler),
        running_workers(address, tmp_path, "only"),
        pytest.raises(ClusterError, match=r"connection to the scheduler at .* was lost"),
    ):
        count_cooccurrences(
            text(),
            WORDS,
            WINDOW,
            tmp_path / "counts",
            progress=lambda _: scheduler.kill(),
            engine=OnCluster(CPU, address),
        )
    assert [*(tmp_path / "counts").iterdir()] == []


@pytest.mark.usefixtures("_small_blocks")
def test_a_cluster_without_workers_is_an_error(
    address: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(scheduler, "PATIENCE_SECONDS", 0.5)
    monkeypatch.setattr(scheduler, "LOOK_SECONDS", 0.1)
    with pytest.raises(ClusterError, match=r"has no worker since .*`dask worker tcp://"):
        count_cooccurrences(text(), WORDS, WINDOW, tmp_path, engine=OnCluster(CPU, address))
    assert [*tmp_path.iterdir()] == []


@pytest.mark.usefixtures("_small_blocks")
@pytest.mark.parametrize("listening", [False, True], ids=["nobody", "somebody silent"])
def test_a_scheduler_that_does_not_answer_is_an_error(
    listening: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(scheduler, "CONNECT_SECONDS", 1)
    with socket.create_server(("127.0.0.1", 0)) as server:
        address = f"tcp://127.0.0.1:{server.getsockname()[1]}"
        if not listening:
            server.close()
        with pytest.raises(ClusterError, match=f"No scheduler answers at {address} within 1 sec"):
            count_cooccurrences(text(), WORDS, WINDOW, tmp_path, engine=OnCluster(CPU, address))
    assert [*tmp_path.iterdir()] == []


@pytest.mark.usefixtures("_small_blocks")
@pytest.mark.parametrize(
    "address", ["", "host", "tcp://host", "tcp://host:port", "http://host:80", "tcp://host:80/path"]
)
def test_a_malformed_address_is_refused(address: str) -> None:
    with pytest.raises(SettingError, match="is no address of a scheduler; give a host and a port"):
        scheduler.check_cluster(address)


@pytest.mark.usefixtures("_small_blocks")
@pytest.mark.parametrize(
    "address",
    [
        "ws://127.0]0.1:9",
        "tcp://127.0]0.1:9",
        "tcp://[::1:5",
        "tcp://..:5",
        "tcp://host:0",
        "tcp://host:99999",
        "tcp://x\x1b:80",
        "tcp://ann:secret@host:80",
        f"tcp://{'x' * 70}:80",
        f"ws://{'x' * 70}:80",
    ],
    ids=range(10),
)
def test_no_address_causes_a_crash(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scheduler, "CONNECT_SECONDS", 1)
    with pytest.raises((SettingError, ClusterError)) as caught:
        scheduler.check_cluster(address)
    assert "secret" not in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.usefixtures("_small_blocks")
def test_tls_without_certificates_is_an_error() -> None:
    with pytest.raises(ClusterError, match=r"cannot be asked .*; set Dask's certificates\.$"):
        scheduler.check_cluster("tls://127.0.0.1:9")


@pytest.mark.usefixtures("_small_blocks")
def test_without_dask_its_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(MissingExtraError, match=r'pip install "fairvec\[cluster\]"'):
        scheduler.check_cluster("tcp://127.0.0.1:8786")


@pytest.mark.usefixtures("_small_blocks")
def test_a_block_that_kills_several_workers_is_an_error() -> None:
    from distributed import KilledWorker

    last: Any = None
    error = KilledWorker("block", last, 3)
    future: Any = SimpleNamespace(status="error", exception=lambda: error)
    with pytest.raises(cluster.WorkersDiedError, match="lower the limit"):
        cluster.future_result(
            future, "tcp://127.0.0.1:8786", task="", on_death="lower the limit", on_failure=""
        )


@pytest.mark.usefixtures("_small_blocks")
@given(
    st.integers(0, 10**11),
    st.integers(2, 10**6),
    st.integers(1, 20),
    st.integers(3 * 10**8, 10**12),
    st.integers(0, 2000),
)
def test_a_block_plan_fits_the_memory_limit(
    length: int, words: int, window: int, memory: int, cores: int
) -> None:
    how = cluster.plan_blocks(length, words, window, memory, cores)
    assert how.block >= 1
    rows = 8 * words + 12 * 2 * window * how.block
    assert 4 * rows <= memory / 2
    assert how.ahead == 2 or 4 * how.ahead * (how.block + 2 * window) <= memory / 8
    assert 4 * how.block < 10**7


# --- An embedding whose pairs were counted on a cluster is the one that is learnt here ---


@pytest.fixture
def text_training(tmp_path: Path) -> TrainingText:
    words = np.random.default_rng(4).choice(["tea", "milk", "cup", "sun", "rain", "sky"], (80, 9))
    file = tmp_path / "corpus.txt"
    file.write_text("\n".join(map(" ".join, words.tolist())), encoding="utf-8")
    return open_text([file], "en", cut=VocabularyLimits(1), window=3)


def test_vectors_are_the_same_with_a_cluster(
    text_training: TrainingText, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cluster, "SMALLEST_BLOCK", 100)
    kind = Glove(dimensions=4, epochs=2)
    stages: list[StageProgress] = []
    here = train_embedding(text_training, kind, threads=1)
    with (
        running_scheduler(tmp_path) as (address, _),
        running_workers(address, tmp_path, "one", "other"),
    ):
        there = train_embedding(
            text_training, kind, threads=1, progress=stages.append, scheduler=address
        )
    assert sum(done.stage == "counting" for done in stages) > 1
    assert here.keys == there.keys
    assert np.array_equal(here.vectors, there.vectors)
    assert here.history == there.history


def test_a_dead_scheduler_is_noticed_before_the_text_is_read(
    text_training: TrainingText, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(scheduler, "CONNECT_SECONDS", 1)
    text_training.files[0].unlink()
    with pytest.raises(ClusterError, match="No scheduler answers"):
        train_embedding(text_training, Glove(dimensions=4), scheduler="tcp://127.0.0.1:9")


def test_gensim_models_refuse_a_cluster(text_training: TrainingText) -> None:
    with pytest.raises(SettingError, match="learns without counting"):
        train_embedding(text_training, GensimModel("skipgram"), scheduler="tcp://127.0.0.1:9")
