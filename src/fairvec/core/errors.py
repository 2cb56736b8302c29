"""Every error that fairvec raises on purpose, and the log of those that it did not foresee.

FairvecError                 catch this one to catch them all
├── FileFormatError          a file does not hold what its format promises
│   └── UnsafeFileError      a pickle asks for a class that is not on the allow-list
├── GeometryError            points do not lie in the space they are said to lie in
├── EncoderError             an encoder gives no usable vectors, or those kept cannot be read
│   └── UnreadableError      because a sentence is too long for it, or has no token
├── UndefinedError           a measure has no value on these words
│   └── NoSpreadError        because they all lean alike
├── TrainingError            what is learnt runs away instead of settling
├── ClusterError             a cluster does not answer, or has lost what was asked of it
├── LexiconError             a suite or word list is malformed
├── UnknownNameError         no model, suite, metric or format has this name
│   └── UnknownKeyError      an embedding has no such word; a KeyError too, as of a dict
├── SettingError             an option has a value outside its range, or two options contradict
├── ExpressionError          a condition such as ``--fail-if`` cannot be understood
├── DownloadError            a model could not be fetched, or is not what it should be
├── PluginError              what another package or module adds cannot be used
├── BrokenLawError           a metric or method does not do what every one must, or it declares
└── MissingExtraError        an optional package is needed and not installed
    └── MissingPackageError  one that stands behind no extra, such as pandas

Each message is one sentence that says what is wrong, which thing is wrong and what to do about it.
"""

import os
import platform
import re
import traceback
from collections.abc import Iterable, Sequence
from contextlib import suppress
from difflib import get_close_matches
from itertools import islice
from pathlib import Path
from tempfile import mkstemp
from typing import Any

from fairvec.core.text import LONGEST_NAME, escape_control, one_line, short_repr, truncate_words
from fairvec.version import __version__

MOST_NAMED = 12
"""How many known names a message lists at the most."""

SHORTEST_PART = 3
"""So many letters have to be typed for names that hold them to be offered."""


class FairvecError(Exception):
    """The root of the tree above; no name in a message moves a cursor, ends a line or fills it."""

    def __init__(self, *said: object) -> None:
        texts = (truncate_words(each) if isinstance(each, str) else each for each in said)
        told = (escape_control(each, but="") if isinstance(each, str) else each for each in texts)
        super().__init__(*told)

    def __reduce__(self) -> tuple[Any, ...]:
        """Come from another process as it was there, and not be made of its own message."""
        return _again, (type(self), self.args), vars(self)


def _again(kind: type[FairvecError], said: tuple[object, ...]) -> FairvecError:
    return kind.__new__(kind, *said)


class FileFormatError(FairvecError):
    """A file does not hold what its format promises."""


class UnsafeFileError(FileFormatError):
    """A pickle asks for something that rebuilding arrays and vocabularies never needs."""


class GeometryError(FairvecError):
    """Points do not lie in the space they are said to lie in."""


class EncoderError(FairvecError):
    """An encoder gives no usable vectors, or those that were kept cannot be read."""


class UnreadableError(EncoderError):
    """A sentence is too long for an encoder, or has no token that it knows; `text` is that one."""

    def __init__(self, message: str, text: str) -> None:
        super().__init__(message)
        self.text = text


class UndefinedError(FairvecError):
    """A measure has no value on these words, as a mean of nothing has none."""


class NoSpreadError(UndefinedError):
    """All words lean alike, so that there is no spread to measure an effect against."""


class TrainingError(FairvecError):
    """What is learnt runs away instead of settling."""


class ClusterError(FairvecError):
    """A cluster does not answer, or has lost what was asked of it."""


class LexiconError(FairvecError):
    """A suite or word list is malformed."""


class UnknownNameError(FairvecError):
    """No thing of this kind has this name; the message offers the nearest ones.

    `meant` are names that are surely nearer than their letters say, of which all are offered.
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
        some = ", ".join(known[:MOST_NAMED]) + (" and more" if len(known) > MOST_NAMED else "")
        offer = f"did you mean {' or '.join(near)}?" if near else f"known: {some}."
        said = short_repr(name, LONGEST_NAME)
        lead = f"There is no {kind} named {said}" + (f"; {offer}" if known else ".")
        super().__init__(f"{lead} {hint}".rstrip())


def suggest(name: str, known: Sequence[str]) -> list[str]:
    """Return the nearest names, or else some that hold what was typed.

    One that differs in capitals alone is surely meant.
    """
    alike = [one for one in known if one.casefold() == name.casefold()]
    if len(name) > LONGEST_NAME:  # no slip of the pen, and comparing takes the square of the length
        return alike
    near = alike or get_close_matches(name, known, n=3)
    holding = (one for one in known if name.casefold() in one.casefold())
    return near or (list(islice(holding, 3)) if len(name) >= SHORTEST_PART else [])


class UnknownKeyError(UnknownNameError, KeyError):
    """An embedding has no such word; whoever catches a dict's KeyError catches it too."""

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
"""So much of what an unexpected error says is repeated."""


UNMAPPED = ("failed to map segment", "cannot allocate memory")
"""What a system says of a library, or of a file to be mapped, that finds no room in memory."""
ROOMLESS = ("can't start new thread", "DefaultCPUAllocator: ", "std::bad_alloc")
"""What a RuntimeError says of memory: Python's, for a thread has a stack, and torch's own."""


def is_out_of_memory(error: BaseException) -> bool:
    """Say whether memory ran out, in whatever kind of error that is told."""
    if isinstance(error, ImportError | OSError):
        before = error.__cause__ or error.__context__  # a package says in its own words what failed
        unmapped = any(sign in str(error).lower() for sign in UNMAPPED)
        return unmapped or (before is not None and is_out_of_memory(before))
    if isinstance(error, RuntimeError):
        return any(sign in str(error) for sign in ROOMLESS)
    return isinstance(error, MemoryError)


def describe_fault(error: BaseException) -> str:
    """Say in one sentence what failed that nobody foresaw, where, and to whom to tell it."""
    said = message_of(error)
    if is_out_of_memory(error):
        return f"The memory of this machine ran out{f' ({said})' if said else ''}."
    if package := _not_imported(error):
        lacks = isinstance(error, ModuleNotFoundError)
        return (
            f"The installation is broken: fairvec needs the package {package}, which "
            f"{'is not there' if lacks else 'cannot be imported'} ({said}); run 'pip install "
            f"{'' if lacks else '--force-reinstall '}fairvec', which brings it."
        )
    return (
        f"This is a fault of fairvec and not of your input ({brief(error)}"
        f"{_place(error)}); please report it to the maintainers (see README)."
    )


def _not_imported(error: BaseException) -> str:
    """Return the package of others that could not be imported; nothing if that is not the fault."""
    package = str(error.name or "").partition(".")[0] if isinstance(error, ImportError) else ""
    return "" if package == __name__.partition(".")[0] else package


def os_reason(error: Exception) -> str:
    """Return in small letters why the system refuses: permission denied, no space left."""
    return (getattr(error, "strerror", None) or str(error) or type(error).__name__).lower()


def message_of(error: BaseException) -> str:
    """Return on one line the beginning of what an error says."""
    return one_line(str(error))[:LONGEST]


def brief(error: BaseException) -> str:
    """Return the kind of an error, and on one line the beginning of what it says."""
    kind, said = type(error).__name__, message_of(error)
    return f"{kind}: {said}" if said else kind


def _place(error: BaseException) -> str:
    """Say where in fairvec it happened."""
    source = Path(__file__).parents[1]
    for frame in reversed(traceback.extract_tb(error.__traceback__)):
        if Path(frame.filename).is_relative_to(source):
            file = Path(frame.filename).relative_to(source).as_posix()
            return f" in {file}, line {frame.lineno}"
    return ""


# What an unexpected error looked like, kept in a file for whoever mends it.


SECRETS = re.compile(
    r"(://)[^/\s'\"]+(?=@)"
    r"|((?:token|secret|password|passwd|api[-_]?key|signature|credential)=)[^\s&'\"]+"
    r"|(\b(?:Bearer|Basic) )[\w.~+/=-]{8,}"
    r"|(\bhf_)\w{16,}",
    re.IGNORECASE,
)
"""A log is sent to others: who is let in by an address or a key is nobody's business."""


def redact(text: str) -> str:
    """Return a text in which what lets somebody in is hidden."""
    return SECRETS.sub(lambda found: "".join(filter(None, found.groups())) + "***", text)


def format_traceback(error: BaseException) -> str:
    """Return the traceback of an error, without secrets."""
    return redact("".join(traceback.format_exception(error)))


def write_fault_log(error: BaseException, asked: str) -> Path | None:
    """Write the details to a new file that nobody else may read; nothing if there is no place.

    `asked` says what was asked for when it happened.
    """
    about = f"fairvec {__version__}, Python {platform.python_version()}, {platform.platform()}"
    file: Path | None = None
    try:
        text = f"{about}\n{redact(asked)}\n\n{format_traceback(error)}"
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


def report_fault(error: BaseException, asked: str) -> str:
    """Say in one sentence what failed that nobody foresaw, and where the details are."""
    sentence = redact(describe_fault(error))
    file = write_fault_log(error, asked)
    return sentence if file is None else f"{sentence.removesuffix('.')}; the details are in {file}."
