"""What an unexpected error looked like, kept in a file for whoever mends it."""

import os
import platform
import re
import traceback
from contextlib import suppress
from pathlib import Path
from tempfile import mkstemp

from fairvec.ground.errors import unexpected
from fairvec.version import __version__

SECRETS = re.compile(
    r"(://)[^/\s'\"]+(?=@)"
    r"|((?:token|secret|password|passwd|api[-_]?key|signature|credential)=)[^\s&'\"]+"
    r"|(\b(?:Bearer|Basic) )[\w.~+/=-]{8,}"
    r"|(\bhf_)\w{16,}",
    re.IGNORECASE,
)
"""A log is sent to others: who is let in by an address or a key is nobody's business."""


def without_secrets(text: str) -> str:
    """Return a text in which what lets somebody in is hidden."""
    return SECRETS.sub(lambda found: "".join(filter(None, found.groups())) + "***", text)


def details_of(error: BaseException) -> str:
    """Return the traceback of an error, without secrets."""
    return without_secrets("".join(traceback.format_exception(error)))


def logged(error: BaseException, asked: str) -> Path | None:
    """Write the details to a new file that nobody else may read; nothing if there is no place.

    `asked` says what was asked for when it happened.
    """
    about = f"fairvec {__version__}, Python {platform.python_version()}, {platform.platform()}"
    file: Path | None = None
    try:
        text = f"{about}\n{without_secrets(asked)}\n\n{details_of(error)}"
        handle, name = mkstemp(prefix="fairvec-fault-", suffix=".txt")
        file = Path(name)
        with os.fdopen(handle, "wb") as stream:
            stream.write(text.encode("utf-8", "backslashreplace"))
    except (OSError, MemoryError):  # a full disk is no reason to leave an empty file
        if file is not None:
            with suppress(OSError):
                file.unlink(missing_ok=True)
        return None
    return file


def unexpected_and_logged(error: BaseException, asked: str) -> str:
    """Say in one sentence what failed that nobody foresaw, and where the details are."""
    sentence = without_secrets(unexpected(error))
    file = logged(error, asked)
    return sentence if file is None else f"{sentence.removesuffix('.')}; the details are in {file}."
