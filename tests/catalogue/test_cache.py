"""The cache folder of models and data: places, names, full disks."""

import errno
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from urllib.parse import quote

import platformdirs
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from pydantic import ValidationError

from fairvec.catalogue import cache_folder, find, models
from fairvec.catalogue import download as transfer
from fairvec.catalogue.cache import check_url, file_name, redact_url, safe_file_name, url_name
from fairvec.catalogue.entries import Package, Url
from fairvec.catalogue.fetch import cached_path
from fairvec.core.errors import DownloadError, FileFormatError, SettingError
from fairvec.core.io.atomic_files import HOST
from tests.catalogue.conftest import Add
from tests.catalogue.servers import BODY, PROVEN, honest, outcome
from tests.loops import loop_over

# --- cache ---


def test_fairvec_home_is_the_cache_folder(home: Path) -> None:
    assert cache_folder() == home


def test_a_home_may_be_written_with_a_tilde(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FAIRVEC_HOME", "~/embeddings")
    assert cache_folder() == Path.home() / "embeddings"


@pytest.mark.parametrize("unset", [True, False])
@pytest.mark.parametrize("theirs", [None, "", "/var/somewhere", "relative"])
def test_without_it_the_platform_decides(
    monkeypatch: pytest.MonkeyPatch, unset: bool, theirs: str | None
) -> None:
    monkeypatch.setenv("FAIRVEC_HOME", "")
    if theirs is not None:
        monkeypatch.setenv("XDG_CACHE_HOME", theirs)
    if unset:
        monkeypatch.delenv("FAIRVEC_HOME")
    assert cache_folder() == Path(platformdirs.user_cache_dir("fairvec"))


def test_a_url_is_kept_under_its_last_part() -> None:
    assert url_name("https://example.org/a/my%20model.vec.gz?download=1#top") == "my model.vec.gz"


def test_a_user_without_a_home_is_reported_what_to_set(monkeypatch: pytest.MonkeyPatch) -> None:
    def nobody(*_: object) -> str:
        raise RuntimeError("could not determine the home directory")

    monkeypatch.delenv("FAIRVEC_HOME", raising=False)
    monkeypatch.setattr("fairvec.catalogue.cache.user_cache_dir", nobody)
    with pytest.raises(SettingError, match=r"no home folder.*set FAIRVEC_HOME"):
        cache_folder()


# --- No address and no name of a catalogue leads out of the cache or says a secret ---


HOSTILE = [
    "..%2fevil",
    "%2e%2e/",
    "%2e%2e",
    "a%5c..%5cevil",
    "..%5cevil",
    "%00",
    "a%00b",
    "x" * 201,
    quote("я" * 101),
    "..",
    ".part",
    "model.part",
    "model.part.about",
    ".new.x",
    "a%0ab",
    "a%1b%5b31m",
    "C%3aevil",
    "a%2fb",
    "%e2%80%ae.vec",
    "a.",
    "a%20",
]


@loop_over("last", HOSTILE)
def test_a_last_part_that_names_no_file_is_refused(last: str, add: Add) -> None:
    url = f"https://example.org/models/{last}"
    with pytest.raises(DownloadError, match=r"; name another file\.$") as caught:
        check_url(url)
    assert str(caught.value).isprintable()
    add(source={"kind": "url", "url": url})
    with pytest.raises(FileFormatError, match=r"models\[1\]\.source\.url\.url: The"):
        find("mine")


@pytest.mark.parametrize(
    "url",
    [
        "http://127.0]0.1",
        "http://[::1/x",
        "http:///x",
        "http://host:99999/x",
        "http://host:0/x",
        "http://host:port/x",
        "http://ann:se cret@host/x",
        "http://ann:secret@host:port/x",
        "http://ann:sec\u2100ret@ho\u2100st/x",
        "https://host/a b",
        "https://host/a\x1b[31m",
        "https://host/a\nb",
        "https://host/" + "a/" * 2000 + "x",
        "https://?x",
        "https:///",
    ],
    ids=range(15),
)
def test_what_is_no_address_is_refused(url: str, add: Add) -> None:
    with pytest.raises(DownloadError, match="is no address of the web; write it as") as caught:
        check_url(url)
    assert "secret" not in str(caught.value)
    assert str(caught.value).isprintable()
    with pytest.raises(ValidationError):
        Url(kind="url", url=url)


@pytest.mark.parametrize(
    "url",
    [
        "https://host",
        "https://host/",
        "file:///etc/passwd",
        "ftp://host/x",
        "data:,x",
        "/etc/passwd",
    ],
)
def test_only_the_web_is_asked(url: str) -> None:
    with pytest.raises(DownloadError):
        check_url(url)
    with pytest.raises(ValidationError):
        Url(kind="url", url=url)


@pytest.mark.parametrize(
    ("url", "name"),
    [
        ("https://example.org/a/my%20model.vec.gz?download=1#top", "my model.vec.gz"),
        ("https://почта.рф/модель.vec", "модель.vec"),
        ("https://ann:secret@example.org:8080/x.bin", "x.bin"),
        ("https://example.org/@scope/x.tgz?of=ann@example.org", "x.tgz"),
    ],
    ids=["query", "another script", "password", "signs"],
)
def test_an_honest_address_is_taken(url: str, name: str) -> None:
    check_url(url)
    assert url_name(url) == name
    assert Url(kind="url", url=url).url == url


@pytest.mark.parametrize(
    ("url", "shown"),
    [
        ("https://ann:secret@host/x", "https://host/x"),
        ("https://ann:s@cret@host/x", "https://host/x"),
        ("https://secret@host?x=a@b", "https://host?x=a@b"),
        ("https://host/@scope/x", "https://host/@scope/x"),
        ("https://host/\x1b[31mx", "https://host/ [31mx"),
    ],
    ids=["password", "at in it", "query", "scope", "escape"],
)
def test_an_address_is_shown_without_its_secrets(url: str, shown: str) -> None:
    assert redact_url(url) == shown


texts = st.one_of(
    st.text(max_size=40),
    st.lists(
        st.sampled_from(["/", "..", ".", "%2f", "%2e", "%5c", "\\", ":", "a", "%00", "@", "?", "#"])
    ).map("".join),
)


@given(rest=texts)
@example("host/..%2f..%2fevil")
@example("127.0]0.1")
def test_whatever_the_address_the_file_lies_in_the_folder_of_its_entry(rest: str) -> None:
    url = f"https://{rest}"
    _refused_or_inside(url_name, url)


@given(member=texts)
@example("package/../../evil")
@example("..\\evil")
def test_whatever_the_member_the_file_lies_in_the_folder_of_its_entry(member: str) -> None:
    _refused_or_inside(file_name, member)


def _refused_or_inside(name_of: Callable[[str], str], text: str) -> None:
    try:
        name = name_of(text)
    except DownloadError:
        return
    folder = Path("/cache/models/mine")
    assert (folder / name).parent == folder
    assert (folder / name).resolve().parent == folder
    assert len(f"{name}.part.about".encode()) <= 255
    assert safe_file_name(name) == name


@given(url=texts, member=st.none() | texts, package=texts, version=texts)
def test_what_an_entry_may_say_is_kept_inside_the_cache(
    url: str, member: str | None, package: str, version: str
) -> None:
    entry = models()[0].model_copy(update={"name": "mine"})
    for make in (
        lambda: Url(kind="url", url=f"https://{url}", member=member),
        lambda: Package(
            kind="package", registry="npm", package=package, version=version, member=member or "x"
        ),
    ):
        try:
            source = make()
        except ValidationError:
            continue
        path = cached_path(entry, source)
        assert path.parent == cache_folder() / "models" / "mine"


@pytest.mark.parametrize(
    ("package", "version"),
    [
        ("--index-url", "1"),
        ("user/repo", "1"),
        ("@scope/name", "1"),
        ("git+https://host/x", "1"),
        ("../folder", "1"),
        ("name", "file:../x"),
        ("name", "-e"),
        ("name", "1 --pre"),
        ("name*", "1"),
    ],
)
def test_no_package_is_an_option_a_folder_or_a_place_of_code(package: str, version: str) -> None:
    """npm runs what it is given to pack from a folder or a repository."""
    entry = {"kind": "package", "registry": "npm", "member": "package/x"}
    Package.model_validate({**entry, "package": "name", "version": "1.0.post1"})
    with pytest.raises(ValidationError):
        Package.model_validate({**entry, "package": package, "version": version})


def test_a_home_of_nobody_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FAIRVEC_HOME", "~nobody-of-this-name/cache")
    with pytest.raises(SettingError, match="FAIRVEC_HOME is ~nobody-of-this-name/cache"):
        cache_folder()


# --- Disks that are full, folders that are files, and what a killed process left ---


@pytest.mark.usefixtures("no_patience")
def test_a_disk_that_is_full_keeps_what_came(
    add: Add, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    put = transfer._put
    part = home / "models" / "mine" / "model.bin.part"

    def full(file: Any, block: bytes) -> None:
        put(file, block[:2000])
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(transfer, "_put", full)
    message = outcome(lambda request: honest(request, BODY), add, home, **PROVEN)
    assert "is full; make room, or point FAIRVEC_HOME elsewhere" in str(message)
    assert BODY.startswith(part.read_bytes())
    monkeypatch.setattr(transfer, "_put", put)
    assert outcome(lambda request: honest(request, BODY), add, home, **PROVEN) == BODY


@pytest.mark.usefixtures("no_patience")
def test_a_file_that_has_no_room_is_not_begun(
    add: Add, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(transfer, "disk_usage", lambda _: SimpleNamespace(free=len(BODY) - 1))
    message = outcome(lambda request: honest(request, BODY), add, home)
    assert "is full; make room" in str(message)
    assert not [*(home / "models" / "mine").iterdir()]
    monkeypatch.setattr(transfer, "disk_usage", lambda _: SimpleNamespace(free=len(BODY)))
    assert outcome(lambda request: honest(request, BODY), add, home) == BODY


@pytest.mark.usefixtures("no_patience")
def test_a_cache_behind_a_link_is_written_through_it(add: Add, home: Path, tmp_path: Path) -> None:
    (tmp_path / "large disk").mkdir()
    home.mkdir()
    (home / "models").symlink_to(tmp_path / "large disk")
    assert outcome(lambda request: honest(request, BODY), add, home) == BODY
    assert (tmp_path / "large disk" / "mine" / "model.bin").read_bytes() == BODY


@pytest.mark.usefixtures("no_patience")
@pytest.mark.parametrize("place", ["models", "models/mine", "models/mine/model.bin.part"])
def test_what_stands_where_the_cache_should_be_is_reported(
    add: Add, home: Path, place: str
) -> None:
    """A file instead of a folder, or a folder instead of a file."""
    blocked = home / place
    (blocked if blocked.suffix else blocked.parent).mkdir(parents=True, exist_ok=True)
    if not blocked.exists():
        blocked.write_bytes(b"in the way")
    message = outcome(lambda request: honest(request, BODY), add, home)
    assert "cannot be written" in str(message)
    assert "point FAIRVEC_HOME elsewhere" in str(message)


@pytest.mark.usefixtures("no_patience")
def test_what_a_killed_process_left_is_cleared_away(add: Add, home: Path) -> None:
    left = home / "models" / "mine" / f".fairvec-{HOST}-abandond.draft"
    left.mkdir(parents=True)
    (left / "half").write_bytes(b"x")
    assert outcome(lambda request: honest(request, BODY), add, home) == BODY
    assert [file.name for file in left.parent.iterdir()] == ["model.bin"]
