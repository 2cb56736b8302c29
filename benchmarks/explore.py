"""How quickly the explorer answers for a large model, beside the 100 ms that feel like at once.

    python -m benchmarks.explore [--words 400000] [--dimensions 300]

A made model is written to a file, opened by `fairvec explore` in a process of its own and asked
over HTTP as the page asks. The first answer of each kind is printed by itself: it may import, sort
or hash, and is asked as soon as the page stands. The others are the median and the slowest of many,
when the program has come to rest. Beside the time that passed stands the processor's for one
answer, which others who use the machine change less.
"""

import argparse
import json
import os
import re
import statistics
import subprocess
import sys
import tempfile
import time
from http.client import HTTPConnection
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import numpy as np

from fairvec.embedding import Embedding, save
from fairvec.lexicon import concept, select_tests
from fairvec.web.routes import ROUTES

TARGET = 100.0
"""Milliseconds."""

TIMES = 15
COMMAND = "import sys; from fairvec.cli import main; sys.argv[0] = 'fairvec'; main()"
SUITE = "caliskan2017/weat-6"
CONCEPT = "en/gender"


def main() -> None:
    """Make a model, serve it, ask, and print what was seen."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--words", type=int, default=400_000)
    parser.add_argument("--dimensions", type=int, default=300)
    arguments = parser.parse_args()
    (chosen,) = select_tests([SUITE])
    sets = chosen.test.sets
    lists = {role: [one.word for one in words.words] for role, words in sets.items()}
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "made.fairvec"
        write_model(
            file,
            sorted({*(word for words in lists.values() for word in words), *defining()}),
            arguments.words,
            arguments.dimensions,
        )
        print(f"{arguments.words:,} words x {arguments.dimensions}, {SUITE}; wanted: {TARGET:g} ms")
        begun = time.perf_counter()
        with subprocess.Popen(
            [sys.executable, "-c", COMMAND, "explore", "--no-browser", str(file)],
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        ) as process:
            try:
                measure_over_http(process, lists, begun)
            finally:
                process.terminate()


def measure_over_http(
    process: "subprocess.Popen[str]", lists: dict[str, list[str]], begun: float
) -> None:
    """Ask everything and print the times, and at last the memory."""
    address = process.stdout.readline().strip() if process.stdout else ""
    print(f"opened, from the start of the program     {since(begun):8.0f} ms")
    found = re.fullmatch(r"http://127\.0\.0\.1:(\d+)/welcome\?token=(.+)", address)
    if found is None:
        sys.exit("fairvec explore printed no address")
    line = HTTPConnection("127.0.0.1", int(found[1]))
    client = Client(line, found[2], process.pid)
    painted = time.perf_counter()
    for path in ("/", "/app.js", "/explore.css", "/style.css"):
        client(path)
    client("/api/models")
    print(f"pages and models, the first time          {since(painted):8.0f} ms (wanted: 1000)")
    model = {"model": "made"}
    beginnings = ("s", "sc", "sci", "w1", "w123", "w39999", "John", "zz")
    print_times(
        "completion", client, "/api/words", [{**model, "beginning": one} for one in beginnings]
    )
    shorter = [{**lists, "x": lists["x"][:size]} for size in range(3, len(lists["x"]) + 1)]
    print_times("live WEAT", client, "/api/ask", [{**model, **one} for one in shorter], "POST")
    change = {"concept": CONCEPT, "method": "linear-projection", "tests": [SUITE]}
    steps = [{**model, **change, "strength": step / 20} for step in range(21)]
    quick = [{**one, "stage": "quick"} for one in steps]
    print_times("slider step", client, "/api/change", quick, "POST")
    print_times("its verdicts", client, "/api/change", steps, "POST")
    print_times("its map", client, "/api/change/map", steps, "POST")
    for route in ROUTES:
        if route.path == "neighbours":
            words = [{**model, "word": f"w{number}"} for number in range(1, 90_000, 7_777)]
            print_times("neighbours", client, route.address, words, route.method)
        if route.path == "map":
            axes = [{"a": lists[one], "b": lists[other]} for one, other in ("xy", "ab")]
            for layout, first in (("axes", 3_000), ("components", 3_000), ("axes", 20_000)):
                model_page = {**model, "layout": layout, "axes": axes, "first": first}
                print_times(f"{layout} {first}", client, route.address, [model_page], route.method)
    memory(process.pid)


def defining() -> list[str]:
    """Return the words that a concept is defined by."""
    return [word.word for word in concept(CONCEPT).definition.entries]


class Client:
    """Asks as a program does, on one connection."""

    def __init__(self, line: HTTPConnection, token: str, process: int) -> None:
        self.line = line
        self.process = process
        self.headers = {"authorization": f"Bearer {token}", "content-type": "application/json"}

    def __call__(self, path: str, question: dict[str, Any] | None = None, how: str = "GET") -> None:
        """Ask, and end the benchmark if that is refused."""
        address = f"{path}?{urlencode(question)}" if question and how == "GET" else path
        body = json.dumps(question) if how == "POST" else None
        self.line.request(how, address, body, self.headers)
        answer = self.line.getresponse()
        text = answer.read()
        if answer.status != 200:
            sys.exit(f"{address} was answered with {answer.status}: {text.decode()}")


def print_times(
    name: str, client: Client, path: str, questions: list[dict[str, Any]], how: str = "GET"
) -> None:
    """Ask every question, again and again, and print the first, the median and the slowest."""
    begun = time.perf_counter()
    client(path, questions[0], how)
    first = since(begun)
    at_rest(client.process)
    seconds, used = [], processor(client.process)
    for step in range(max(TIMES, len(questions))):
        begun = time.perf_counter()
        client(path, questions[step % len(questions)], how)
        seconds.append(since(begun))
    each = (processor(client.process) - used) / len(seconds)
    late = "" if max(seconds) <= TARGET else f"  over {TARGET:g}"
    print(
        f"{name:12} first {first:8.1f} ms, then median {statistics.median(seconds):7.1f} ms, "
        f"slowest {max(seconds):7.1f} ms, processor {each:6.1f} ms{late}"
    )


def processor(process: int) -> float:
    """Return the milliseconds of processor time that a program has used; 0 where that is hidden."""
    status = Path(f"/proc/{process}/stat")
    if not status.exists():
        return 0.0
    fields = status.read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK") * 1e3


def at_rest(process: int) -> None:
    """Wait until a program does nothing for a while."""
    before = -1.0
    while (now := processor(process)) != before:
        before = now
        time.sleep(0.5)


def memory(process: int) -> None:
    """Print what the program holds of its own, and what it has of the file."""
    status = Path(f"/proc/{process}/status")
    if not status.exists():
        print("memory: not known on this system")
        return
    fields = dict(re.findall(r"^(\w+):\s+(\d+) kB$", status.read_text(), re.MULTILINE))
    own, mapped = (int(fields[name]) / 1e3 for name in ("RssAnon", "RssFile"))
    print(f"memory: {own:,.0f} MB of its own, {mapped:,.0f} MB of files")


def since(begun: float) -> float:
    """Return the milliseconds since then."""
    return (time.perf_counter() - begun) * 1e3


def write_model(file: Path, words: list[str], count: int, dimensions: int) -> None:
    """Write a model of random vectors that knows these words."""
    keys = [*words, *(f"w{number}" for number in range(count - len(words)))]
    vectors = np.random.default_rng(0).standard_normal((count, dimensions), dtype=np.float32)
    save(Embedding(keys, vectors, name="made"), file)


if __name__ == "__main__":
    main()
