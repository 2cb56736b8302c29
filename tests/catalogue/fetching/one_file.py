"""What becomes of one file that a bad server should send, fetched as a user would."""

import hashlib
import random
from pathlib import Path
from typing import Any

from fairvec.catalogue import is_local, local_path
from fairvec.core.errors import DownloadError
from tests.catalogue.conftest import Add
from tests.catalogue.fetching.raw_server import Answer, head, serving

BODY = random.Random(11).randbytes(6007)
PROVEN = {"sha256": hashlib.sha256(BODY).hexdigest()}


def outcome(answer: Answer, add: Add, home: Path, **fields: Any) -> bytes | str:
    """Fetch one file and return it, or the one sentence of why it did not come."""
    (home / "models.toml").unlink(missing_ok=True)
    with serving(answer) as server:
        name = add(source={"kind": "url", "url": f"{server.url}/model.bin"}, **fields)
        try:
            return local_path(name).read_bytes()
        except DownloadError as error:
            assert not is_local(name)
            said = str(error)
            assert said.startswith("mine: ")
            assert said.endswith(".")
            assert "\n" not in said
            return said


def sends(*pieces: bytes) -> Answer:
    return lambda asked: asked.send(*pieces)


def to(place: str, status: str = "302 Found") -> Answer:
    return sends(head(status, Location=place, Content_Length="0"))
