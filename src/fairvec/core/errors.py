"""Every error that fairvec raises on purpose, reports of unforeseen ones, and warnings.

FairvecError                 catch this one to catch them all
├── FileFormatError          a file does not hold what its format promises
│   └── UnsafeFileError      a pickle asks for a class that is not on the allow-list
├── GeometryError            points do not lie in the space they are said to lie in
├── EncoderError             an encoder gives no usable vectors, or stored ones cannot be read
│   └── UnreadableError      because a sentence is too long for it, or has no token
├── UndefinedError           a measure has no value on these words
│   ├── NoSpreadError        because they all lean alike
│   └── UnanswerableError    a question of an experiment has no answer, by kinds of reason
├── TrainingError            training diverges
├── ClusterError             a cluster does not answer, or has lost its data
├── LexiconError             a suite or word list is malformed
├── UnknownNameError         no model, suite, metric or format has this name
│   └── UnknownKeyError      an embedding has no such word; also a KeyError, as of a dict
├── SettingError             an option has a value outside its range, or two options contradict
├── ExpressionError          a condition such as ``--fail-if`` cannot be understood
├── DownloadError            a model could not be fetched, or is not what it should be
├── PluginError              what another package or module adds cannot be used
├── BrokenLawError           a metric or method breaks a law of its kind, or one that it declares
└── MissingExtraError        an optional package is needed and not installed
    └── MissingPackageError  one that stands behind no extra, such as pandas

Each message is one sentence that says what is wrong, which thing is wrong and what to do about it.
An error that nobody foresaw becomes one sentence too, with its traceback in a log file that is safe
to send to others: credentials are redacted. A doubt about an argument is a FairvecWarning, which
points at the caller's line.
"""

import os
import platform
import re
import sys
import traceback
import warnings
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from difflib import get_close_matches
from itertools import islice
from pathlib import Path
from tempfile import mkstemp
from threading import RLock
from types import FrameType
from typing import Any, Literal

from fairvec.core.text import LONGEST_NAME, escape_control, one_line, short_repr, truncate_words
from fairvec.version import __version__

MOST_NAMED = 12
"""Known names that a message lists at most."""

SHORTEST_PART = 3
"""Fewest letters of a name for which the names that contain them are offered."""


class FairvecError(Exception):
    """The root of the tree above; control characters are escaped and very long names cut short."""

    def __init__(self, *args: object) -> None:
        short = (truncate_words(arg) if isinstance(arg, str) else arg for arg in args)
        safe = (escape_control(arg, but="") if isinstance(arg, str) else arg for arg in short)
        super().__init__(*safe)

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle the finished message, because subclasses build it from other arguments."""
        return _rebuild, (type(self), self.args), vars(self)


def _rebuild(kind: type[FairvecError], args: tuple[object, ...]) -> FairvecError:
    return kind.__new__(kind, *args)


class FileFormatError(FairvecError):
    """A file does not hold what its format promises."""


class UnsafeFileError(FileFormatError):
    """A pickle asks for something that rebuilding arrays and vocabularies never needs."""


class GeometryError(FairvecError):
    """Points do not lie in the space they are said to lie in."""


class EncoderError(FairvecError):
    """An encoder gives no usable vectors, or stored ones cannot be read."""


class UnreadableError(EncoderError):
    """A sentence (`text`) is too long for an encoder, or has no token that it knows."""

    def __init__(self, message: str, text: str) -> None:
        super().__init__(message)
        self.text = text


class UndefinedError(FairvecError):
    """A measure has no value on these words, as the mean of an empty list has none."""


class NoSpreadError(UndefinedError):
    """All words lean alike, so the effect size has no spread to be divided by."""


class UnanswerableError(UndefinedError):
    """A question has no answer. Code decides by `kind`; people read the `finding` and a remedy."""

    def __init__(self, kind: str, finding: str, remedy: str = "") -> None:
        super().__init__(f"{finding}; {remedy}." if remedy else f"{finding}.")
        self.kind, self.finding = kind, f"{finding}."


class TrainingError(FairvecError):
    """Training diverges."""


class ClusterError(FairvecError):
    """A cluster does not answer, or has lost its data."""


class LexiconError(FairvecError):
    """A suite or word list is malformed."""


class UnknownNameError(FairvecError):
    """No thing of this kind has this name; the message offers the nearest ones.

    `meant` are names known to be nearer than their spelling says; all of them are offered.
    """

    def __init__(
        self,
        kind: str,
        name: object,
        choices: Iterable[str],
        *,
        meant: Sequence[str] = (),
        hint: str = "",
    ) -> None:
        known = sorted(choices)
        near = list(meant[:MOST_NAMED]) or (suggest(name, known) if isinstance(name, str) else [])
        listing = ", ".join(known[:MOST_NAMED]) + (" and more" if len(known) > MOST_NAMED else "")
        offer = f"did you mean {' or '.join(near)}?" if near else f"known: {listing}."
        shown = short_repr(name, LONGEST_NAME)
        lead = f"There is no {kind} named {shown}" + (f"; {offer}" if known else ".")
        super().__init__(f"{lead} {hint}".rstrip())


def suggest(name: str, known: Iterable[str]) -> list[str]:
    """Return the nearest known names: equal but for case, else similar, else containing `name`."""
    folded, choices = name.casefold(), [(choice.casefold(), choice) for choice in known]
    if same := [choice for fold, choice in choices if fold == folded]:
        return same
    if len(name) > LONGEST_NAME:  # no typing error, and matching takes quadratic time
        return []
    by_fold = dict(choices)
    near = [by_fold[fold] for fold in get_close_matches(folded, by_fold, n=3)]
    containing = (choice for fold, choice in choices if folded in fold)
    return near or (list(islice(containing, 3)) if len(name) >= SHORTEST_PART else [])


class UnknownKeyError(UnknownNameError, KeyError):
    """An embedding has no such word; also a KeyError, so that code for a dict catches it."""

    def __str__(self) -> str:
        return Exception.__str__(self)  # a KeyError would print its message in quotation marks


class SettingError(FairvecError):
    """An option has a value outside its range, or two options contradict each other."""


class ExpressionError(FairvecError):
    """A condition cannot be understood."""


class DownloadError(FairvecError):
    """A model could not be fetched, or what came is not what the catalogue promises."""


class PluginError(FairvecError):
    """What another package or module adds cannot be used; the message names the package."""


class BrokenLawError(FairvecError, AssertionError):
    """A metric or method breaks a law of its kind: a test runner counts it as a failed test."""


class MissingExtraError(FairvecError):
    """An optional package is needed and not installed; the message is the command that helps."""

    def __init__(self, purpose: str, extra: str) -> None:
        super().__init__(f'{purpose} needs an extra: pip install "fairvec[{extra}]"')


class MissingPackageError(MissingExtraError):
    """A package that no extra of fairvec brings is needed and not installed."""

    def __init__(self, purpose: str, package: str) -> None:
        FairvecError.__init__(self, f"{purpose} needs {package}: pip install {package}")


LONGEST = 300
"""Characters of an unexpected error's message that are repeated."""


_MAPPING_FAILURES = ("failed to map segment", "cannot allocate memory")
"""Messages of the system for a library, or a mapped file, that does not fit into memory."""
_ALLOCATION_FAILURES = ("can't start new thread", "DefaultCPUAllocator: ", "std::bad_alloc")
"""Messages of a RuntimeError about memory: Python's (a thread needs a stack) and torch's."""


def is_out_of_memory(error: BaseException) -> bool:
    """Return whether an error of any type means that memory ran out."""
    if isinstance(error, ImportError | OSError):
        cause = error.__cause__ or error.__context__  # packages wrap the error in their own words
        unmapped = any(sign in str(error).lower() for sign in _MAPPING_FAILURES)
        return unmapped or (cause is not None and is_out_of_memory(cause))
    if isinstance(error, RuntimeError):
        return any(sign in str(error) for sign in _ALLOCATION_FAILURES)
    return isinstance(error, MemoryError)


def describe_fault(error: BaseException) -> str:
    """Return one sentence about an unforeseen error: what failed, where, and whom to tell."""
    message = message_of(error)
    if is_out_of_memory(error):
        return f"The memory of this machine ran out{f' ({message})' if message else ''}."
    if package := _failed_import(error):
        is_missing = isinstance(error, ModuleNotFoundError)
        return (
            f"The installation is broken: fairvec needs the package {package}, which "
            f"{'is not there' if is_missing else 'cannot be imported'} ({message}); run "
            f"'pip install {'' if is_missing else '--force-reinstall '}fairvec', which brings it."
        )
    return (
        f"This is a fault of fairvec and not of your input ({brief(error)}"
        f"{_location(error)}); please report it to the maintainers (see README)."
    )


def _failed_import(error: BaseException) -> str:
    """Return the name of the dependency that could not be imported; empty for other errors."""
    package = str(error.name or "").partition(".")[0] if isinstance(error, ImportError) else ""
    return "" if package == __name__.partition(".")[0] else package


def os_reason(error: Exception) -> str:
    """Return the system's reason in lower case: permission denied, no space left on device."""
    return (getattr(error, "strerror", None) or str(error) or type(error).__name__).lower()


def message_of(error: BaseException) -> str:
    """Return the beginning of an error's message on one line."""
    return one_line(str(error))[:LONGEST]


def brief(error: BaseException) -> str:
    """Return the type of an error and the beginning of its message on one line."""
    kind, message = type(error).__name__, message_of(error)
    return f"{kind}: {message}" if message else kind


def _location(error: BaseException) -> str:
    source = Path(__file__).parents[1]
    for frame in reversed(traceback.extract_tb(error.__traceback__)):
        if Path(frame.filename).is_relative_to(source):
            file = Path(frame.filename).relative_to(source).as_posix()
            return f" in {file}, line {frame.lineno}"
    return ""


SECRETS = re.compile(
    r"(://)[^/\s'\"]+(?=@)"
    r"|((?:token|secret|password|passwd|api[-_]?key|signature|credential)=)[^\s&'\"]+"
    r"|(\b(?:Bearer|Basic) )[\w.~+/=-]{8,}"
    r"|(\bhf_)\w{16,}",
    re.IGNORECASE,
)
"""Credentials in addresses, queries and headers, which a log sent to others must not show."""


def redact(text: str) -> str:
    """Return a text with credentials replaced by ***."""
    return SECRETS.sub(lambda match: "".join(filter(None, match.groups())) + "***", text)


def format_traceback(error: BaseException) -> str:
    """Return the traceback of an error, redacted."""
    return redact("".join(traceback.format_exception(error)))


def write_fault_log(error: BaseException, request: str) -> Path | None:
    """Write the traceback to a new file that only the user may read; None if that fails.

    `request` is the command or call during which it happened.
    """
    system = f"fairvec {__version__}, Python {platform.python_version()}, {platform.platform()}"
    file: Path | None = None
    try:
        text = f"{system}\n{redact(request)}\n\n{format_traceback(error)}"
        handle, name = mkstemp(prefix="fairvec-fault-", suffix=".txt")
        file = Path(name)
        with os.fdopen(handle, "wb") as stream:
            stream.write(text.encode("utf-8", "backslashreplace"))
    except (OSError, MemoryError):  # e.g. a full disk: leave no empty file behind
        if file is not None:
            with suppress(OSError):
                file.unlink(missing_ok=True)
        return None
    return file


def report_fault(error: BaseException, request: str) -> str:
    """Return one sentence about an unforeseen error and write its log, which it names."""
    sentence = redact(describe_fault(error))
    file = write_fault_log(error, request)
    return sentence if file is None else f"{sentence.removesuffix('.')}; the details are in {file}."


class FairvecWarning(UserWarning):
    """A doubt about an argument, not an error; filtered by Python as every warning is."""


def warn_user(remark: str) -> None:
    """Issue a warning that points at the line that called fairvec; nothing for an empty remark."""
    if remark:
        warnings.warn(remark, FairvecWarning, stacklevel=_frames_within() + 1)


def _frames_within() -> int:
    """Return the number of innermost frames that belong to fairvec, `warn_user` included."""
    frame: FrameType | None = sys._getframe(1)
    depth = 0
    while frame is not None and frame.f_globals.get("__name__", "").split(".")[0] == "fairvec":
        depth, frame = depth + 1, frame.f_back
    return depth


_filter_lock = RLock()

if hasattr(os, "register_at_fork"):  # else a child could wait for a thread it does not have
    os.register_at_fork(
        before=_filter_lock.acquire,
        after_in_parent=_filter_lock.release,
        after_in_child=_filter_lock.release,
    )


@contextmanager
def filter_warnings(
    action: Literal["ignore", "error"], category: type[Warning] = Warning
) -> Iterator[None]:
    """Ignore or raise warnings of a category within a block; other threads wait for their turn.

    `warnings.catch_warnings` changes global state, so only one thread may use it at a time.
    """
    with _filter_lock, warnings.catch_warnings():
        warnings.simplefilter(action, category)
        yield
