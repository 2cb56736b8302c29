"""What is no plain file where a file is expected, and what fairvec keeps, damaged with care."""

import json
from collections.abc import Callable
from typing import Any

from fuzz.cases import Files
from fuzz.crafted.making import content, with_metadata
from fuzz.places import FOLDER, LINK, PIPE


def _headers(**changes: Any) -> Callable[[Files, str], Files]:
    """Say something else in a JSON file."""
    return lambda honest, main: {
        **honest,
        main: json.dumps({**json.loads(honest[main]), **changes}).encode(),
    }


def _losses(*losses: object) -> Callable[[Files, str], Files]:
    return lambda honest, main: {**honest, main: with_metadata(honest[main], losses=list(losses))}


def _narrow(honest: Files, main: str) -> Files:
    """Let every array of a training be smaller than its words are many, all sums right."""
    data = honest[main]
    start = 8 + int.from_bytes(data[:8], "little")
    header: dict[str, Any] = json.loads(data[8:start])
    offset, parts = 0, []
    for name, one in header.items():
        if name != "__metadata__":
            begin, end = one["data_offsets"]
            length = (end - begin) // one["shape"][0]
            parts.append(data[start + begin : start + begin + length])
            one["shape"], one["data_offsets"] = [1, *one["shape"][1:]], [offset, offset + length]
            offset += length
    text = json.dumps(header).encode()
    return {**honest, main: len(text).to_bytes(8, "little") + text + b"".join(parts)}


NO_FILE = {
    "a pipe": content(PIPE),
    "a folder": content(FOLDER),
    "a link to nothing": content(LINK + b"nothing"),
    "a device": content(LINK + b"/dev/zero"),
    "nothing at all": content(b""),
}
ON_SPECIAL = {
    "any": NO_FILE,
    "transform": NO_FILE,
    **{f"archive-{name}": NO_FILE for name in ("gz", "xz", "bz2", "zip")},
    **{f"records-{name}": NO_FILE for name in ("results", "frontier", "study", "document")},
    **{f"list-{name}": NO_FILE for name in ("suite", "concept", "study", "words", "corpus")},
    "data": NO_FILE,
    "kept-checkpoint": {
        "arrays that are too small": _narrow,
        "more epochs than asked": _losses(*[0.5] * 9),
        "endless loss": _losses(float("inf")),
        "losses of text": _losses("a", None),
        **NO_FILE,
    },
    "kept-vectors": NO_FILE,
    "kept-contexts": NO_FILE,
    "encoder-debiased": {
        "made of itself": _headers(encoder="model"),
        "made of what is not there": _headers(encoder="nothing"),
        "version of tomorrow": _headers(version=10**30),
        "layers of text": _headers(layer="x"),
        "languages of numbers": _headers(languages=[5]),
        "a long name": _headers(name="a" * 100_000),
        "an escape as name": _headers(name="\x1b[2J"),
    },
}
