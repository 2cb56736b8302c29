"""What goes wrong inside a tokenizer whose file says odd things, in one sentence."""

from collections.abc import Iterator
from contextlib import contextmanager

from fairvec.ground.errors import FairvecError, FileFormatError, in_brief

PANICS = "pyo3_runtime"
"""Where the errors come from that Rust makes of what it holds impossible; no Exception is above."""


@contextmanager
def telling(where: object, trouble: str) -> Iterator[None]:
    """Have whatever a tokenizer raises be a FileFormatError: it raises nothing more special.

    What ends a process (an interrupt, no memory left) stays as it is.
    """
    try:
        yield
    except (FairvecError, MemoryError):
        raise
    except BaseException as error:  # a panic of Rust is no Exception
        if not isinstance(error, Exception) and type(error).__module__ != PANICS:
            raise
        raise FileFormatError(
            f"{where}{trouble} ({in_brief(error)}); copy or download the whole folder again."
        ) from error
