"""JSON of strangers: what it says, or one kind of error."""

import json
import re
from collections.abc import Sequence
from typing import Any

_HALF = re.compile(r"\\u[dD][89a-fA-F]")
"""An escape that stands for half a character, most often beside its other half."""


def json_of(text: str | bytes) -> Any:
    """Return what JSON says, or raise ValueError.

    So ends what is cut, nested too deep, no UTF-8, has a number of thousands of digits, gives one
    name twice in an object or holds half a character, which nothing could write again.
    """
    if isinstance(text, bytes):
        text = text.decode("utf-8")
    try:
        said = json.loads(text, object_pairs_hook=_each_once)
        if _HALF.search(text):
            json.dumps(said, ensure_ascii=False).encode("utf-8")
    except UnicodeEncodeError as error:
        raise ValueError("it holds half a character") from error
    except RecursionError as error:
        raise ValueError("it is nested too deep") from error
    return said


def _each_once(pairs: Sequence[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError("it gives one name twice")
    return found
