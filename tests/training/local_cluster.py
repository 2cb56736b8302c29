"""A real cluster on this machine: a scheduler and workers, each a process of its own."""

import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from time import monotonic, sleep

Process = subprocess.Popen[bytes]

STARTING_SECONDS = 120
"""A loaded machine takes its time."""


@contextmanager
def running(module: str, *options: str) -> Iterator[Process]:
    process = subprocess.Popen(
        [sys.executable, "-m", f"distributed.cli.{module}", *options, "--no-dashboard"],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        yield process
    finally:
        process.kill()
        process.wait()


@contextmanager
def running_scheduler(folder: Path) -> Iterator[tuple[str, Process]]:
    """Start a scheduler on any port, and give its address when it has told it."""
    file = folder / "scheduler.json"
    with running("dask_scheduler", "--port", "0", "--scheduler-file", str(file)) as process:
        deadline = monotonic() + STARTING_SECONDS
        while not (file.exists() and file.read_bytes().endswith(b"}")):
            assert process.poll() is None
            assert monotonic() < deadline
            sleep(0.05)
        yield json.loads(file.read_bytes())["address"], process


@contextmanager
def running_workers(address: str, folder: Path, *names: str) -> Iterator[dict[str, Process]]:
    """Start workers of one core each, and give them when all are known to the scheduler."""
    from distributed import Client

    with ExitStack() as stack:
        options = ("--nthreads", "1", "--no-nanny", "--local-directory", str(folder))
        workers = {
            name: stack.enter_context(running("dask_worker", address, *options, "--name", name))
            for name in names
        }
        with Client(address, set_as_default=False) as client:
            client.wait_for_workers(len(names), timeout=STARTING_SECONDS)
        yield workers
