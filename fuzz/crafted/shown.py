"""Names that act on a terminal, and models whose numbers are hard to compute with."""

import json
from collections.abc import Callable
from functools import partial

from fuzz.cases import Files

ESCAPES = ("\x1b[2J", "\x9b31m", "\x07", "\x1b]0;owned\x07", "\x85", "\u202e", "\u3164")
METRICS = ("weat", "rnsb", "mac", "ect", "rnd", "ripa", "same")


def _model(scale: Callable[[int], float]) -> Callable[[Files, str], Files]:
    """Multiply every number of the model by what its row says, and audit it."""

    def attack(honest: Files, main: str) -> Files:
        head, *rows = honest["small.vec"].decode().rstrip("\n").split("\n")
        changed = [head]
        for at, row in enumerate(rows):
            key, *numbers = row.split(" ")
            changed.append(" ".join([key, *(f"{float(n) * scale(at):.9g}" for n in numbers)]))
        metrics = [part for name in METRICS for part in ("-m", name)]
        command = ["audit", "small.vec", "-s", "toy.toml", "-o", "out", *metrics, "--robust"]
        return {
            **honest,
            "small.vec": ("\n".join(changed) + "\n").encode(),
            main: json.dumps(command).encode(),
        }

    return attack


def _shown(file: str, old: bytes, *command: str) -> dict[str, Callable[[Files, str], Files]]:
    """Put each escape behind a text of a file, and have a command show it."""

    def attack(honest: Files, main: str, escape: str) -> Files:
        changed = honest[file].replace(old, old + escape.encode(), 1)
        return {**honest, file: changed, main: json.dumps(command).encode()}

    return {f"escape {escape!r} in {file}": partial(attack, escape=escape) for escape in ESCAPES}


ON_SHOWN = {
    "command-audit": {
        "tiny numbers": _model(lambda at: 1e-200),
        "huge numbers": _model(lambda at: 1e38),
        "mixed numbers": _model(lambda at: 10.0 ** (at * 2 - 20)),
        "mostly zeros": _model(lambda at: float(at == 3)),
        "all alike": _model(lambda at: 0.0),
    },
    "command-neighbours": _shown("small.vec", b"queen", "neighbours", "small.vec", "king"),
    "command-report": _shown("run/results.jsonl", b'"title":"One', "report", "run"),
    "command-check": _shown(
        "run/results.jsonl", b'"id":"toy/one', "check", "run", "--fail-if", "effect > -9"
    ),
    "command-compare": _shown("run/results.jsonl", b'"id":"toy/one', "compare", "run", "run"),
    "command-document": _shown("text.txt", b"chairman", "document", "text.txt"),
}
