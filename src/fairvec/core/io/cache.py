"""Results kept in a folder, one JSON file each, named by a hash of all that decides them.

    name of the file   SHA-256 of the key
    content            {"sha256": SHA-256 of name and record, "record": ...}

The checksum shows a file that was changed, renamed or copied after it was written.
"""

import json
import re
from collections.abc import Mapping
from hashlib import sha256
from pathlib import Path
from typing import Any

from fairvec.core.io.atomic_files import write_text
from fairvec.core.text import escape_surrogates

_ENTRY = re.compile(rb'\{"sha256":"([0-9a-f]{64})","record":(.*)\}', re.DOTALL)


def key_text(inputs: Mapping[str, Any]) -> str:
    """Return what decides a result as one text, the same in whatever order it is given."""
    return json.dumps(escape_surrogates(inputs), sort_keys=True, ensure_ascii=False)


def digest_of(value: Any) -> str:
    """Return the SHA-256 of plain values: text, numbers, lists, and tables by their names."""
    return sha256(json.dumps(value, sort_keys=True).encode()).hexdigest()


def entry_path(folder: Path, key: str) -> Path:
    """Return the file of the result that this key decides."""
    return folder / f"{sha256(key.encode()).hexdigest()}.json"


def write_entry(path: Path, record: str) -> None:
    """Keep a record (JSON) atomically, tied to the name of its file by a checksum."""
    write_text(path, f'{{"sha256":"{_checksum(path, record.encode())}","record":{record}}}')


def read_entry(path: Path) -> bytes:
    """Return the record that was kept; raise ValueError if the file is not as it was written."""
    found = _ENTRY.fullmatch(path.read_bytes())
    if found is None or found[1].decode() != _checksum(path, found[2]):
        raise ValueError("it was changed, renamed or copied after it was written")
    return found[2]


def _checksum(path: Path, record: bytes) -> str:
    return sha256(path.name.encode("utf-8", "surrogateescape") + b"\n" + record).hexdigest()
