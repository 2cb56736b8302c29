"""Two runs that find out by themselves what there is: every page of help, every question."""

import json
import re
import signal
import subprocess
import tempfile
from hashlib import sha256
from pathlib import Path
from typing import Any
from urllib.error import HTTPError
from urllib.parse import urlencode
from urllib.request import Request, urlopen

from scripts.golden_runs.running import FAIRVEC, Place, outputs
from scripts.golden_runs.table import Run

MODELS = ("glove-en-small", "glove-hi-small")
PAGES = ("/", "/api", "/results")
NO_COMMANDS = ("Arguments", "Options")
LINKED = re.compile(r'"\.?/?([\w./-]+\.(?:js|css|svg|html))"')


def everything(run: Run) -> dict[str, str]:
    """Return what is kept of a run of any kind."""
    if not run.walk:
        return outputs(run)
    with tempfile.TemporaryDirectory(prefix="golden-") as temporary:
        folder, home = Path(temporary) / "folder", Path(temporary) / "home"
        folder.mkdir()
        home.mkdir()
        place = Place(folder, home, None)
        return help_pages(place) if run.walk == "help" else explorer(place)


def help_pages(place: Place) -> dict[str, str]:
    """Return the help of every command that a page of help names."""
    pages = {}
    queue: list[list[str]] = [[]]
    while queue:
        words = queue.pop(0)
        page = place.ask([*words, "--help"]).stdout
        pages["-".join(words or ["fairvec"]) + ".txt"] = place.normal(page)
        queue = [[*words, *name] for name in commands_of(page)] + queue
    return pages


def commands_of(page: str) -> list[list[str]]:
    """Return the words of each command that a page of help lists, in whichever section."""
    sections = re.split(r"^([A-Z][a-z ]+):$", page, flags=re.MULTILINE)
    listed = dict(zip(sections[1::2], sections[2::2], strict=True))
    lines = "".join(text for title, text in listed.items() if title not in NO_COMMANDS)
    return [name.split() for name in re.findall(r"^  ((?:[a-z][\w-]* )+) ", lines, re.MULTILINE)]


def explorer(place: Place) -> dict[str, str]:
    """Return the OpenAPI document, the answer to each example in it, and the pages."""
    words = [*FAIRVEC, "explore", *MODELS, "--no-browser"]
    with subprocess.Popen(  # noqa: S603 - the words above
        words,
        cwd=place.folder,
        env=place.environment(),
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    ) as server:
        try:
            address = server.stdout.readline().strip() if server.stdout else ""
            base, _, token = address.partition("/welcome?token=")
            found = _form_request(base, token)
        finally:
            server.send_signal(signal.SIGINT)
    return {name: place.normal(text) for name, text in found.items()}


def _form_request(base: str, token: str) -> dict[str, str]:
    document = json.loads(_answer(base, token, "/openapi.json")[1])
    found = {"openapi.json": json.dumps(document, ensure_ascii=False, indent=1) + "\n"}
    found["pages.jsonl"] = _lines(_pages(base, token))
    answers = []
    for path, methods in document["paths"].items():
        for method, about in methods.items():
            code, text = _answer(base, token, *example(path, about))
            answers.append({"name": f"{method} {path}", "code": code, "answer": json.loads(text)})
    return found | {"answers.jsonl": _lines(answers)}


def _lines(records: list[dict[str, Any]]) -> str:
    return "".join(json.dumps(record, ensure_ascii=False) + "\n" for record in records)


def _pages(base: str, token: str) -> list[dict[str, Any]]:
    """Return size and digest of every page, and of every script and style that one names."""
    found, queue = {}, list(PAGES)
    while queue:
        page = queue.pop(0)
        code, text = _answer(base, token, page)
        digest = sha256(text.encode()).hexdigest()[:16]
        found[page] = {"name": page, "code": code, "size": len(text), "digest": digest}
        named = {f"/{name}" for name in LINKED.findall(text) if code == 200}
        queue += sorted(named - found.keys() - set(queue))
    return list(found.values())


def example(path: str, about: dict[str, Any]) -> tuple[str, Any]:
    """Return the address and the body by which the document's own example is asked."""
    examples = {
        one["name"]: one["example"] for one in about.get("parameters", []) if "example" in one
    }
    content = about.get("requestBody", {}).get("content", {}).get("application/json", {})
    return path + (f"?{urlencode(examples)}" if examples else ""), content.get("example")


def _answer(base: str, token: str, path: str, body: Any = None) -> tuple[int, str]:
    headers = {"Authorization": f"Bearer {token}"}
    content = None if body is None else json.dumps(body).encode()
    if content:
        headers["Content-Type"] = "application/json"
    request = Request(base + path, data=content, headers=headers)  # noqa: S310 - loopback
    try:
        with urlopen(request, timeout=120) as answer:  # noqa: S310 - loopback
            return answer.status, answer.read().decode()
    except HTTPError as refused:
        return refused.code, refused.read().decode()
