"""Data sets of the catalogue: names, sources, refusals."""

import hashlib
import socket
from concurrent.futures import ThreadPoolExecutor
from importlib import import_module
from pathlib import Path

import pytest

from fairvec.catalogue import Dataset, dataset, dataset_files, dataset_path, datasets, has_dataset
from fairvec.catalogue.entries import Url
from fairvec.core.errors import DownloadError, SettingError, UnknownNameError
from tests.catalogue.conftest import Site

BODY = b"car\tautomobile\t3.92\n"
CHECKSUM = hashlib.sha256(BODY).hexdigest()


@pytest.fixture(autouse=True)
def without_data(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("FAIRVEC_DATA", raising=False)


def one(url: str, monkeypatch: pytest.MonkeyPatch, sha256: str = CHECKSUM) -> Dataset:
    """A catalogue of one data set."""
    entry = Dataset(
        name="toy",
        title="A toy",
        kind="similarity",
        language="en",
        licence="MIT",
        origin="made up",
        file="some/where/toy.txt",
        rows=1,
        sha256=sha256,
        source=Url(kind="url", url=url),
    )
    # The package has a function of the same name, which hides the module.
    module = import_module("fairvec.catalogue.entries")
    monkeypatch.setattr(module, "datasets", lambda: (entry,))
    return entry


def test_names_are_unique_and_found() -> None:
    names = [known.name for known in datasets()]
    assert len(set(names)) == len(names) == 25
    assert [dataset(name) for name in names] == list(datasets())


def test_every_source_is_pinned_to_a_commit() -> None:
    for known in datasets():
        if known.source:
            assert len(known.source.url.split("/")[5]) == 40
    # Rebuilt or packed from what others publish, or of several files: no address has them.
    without = {one.kind for one in datasets() if not one.source}
    assert without == {"sentiment", "sentence-pairs", "retrieval"}


def test_a_set_of_several_files_is_whole_or_not_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    entry = one("http://x.test/a/b/c/d/e/toy.txt", monkeypatch)
    parts = {"toy.txt": b"one", "b.txt": b"two", "c d.txt": b"three"}
    names = ["b.txt", "c d.txt"]
    sha256 = hashlib.sha256(b"".join(parts.values())).hexdigest()
    fields = entry.model_dump() | {"more_files": names, "sha256": sha256}
    with pytest.raises(ValueError, match="more_files are of a set without a source"):
        Dataset.model_validate(fields)
    entry = Dataset.model_validate(fields | {"source": None})
    monkeypatch.setattr(import_module("fairvec.catalogue.entries"), "datasets", lambda: (entry,))
    monkeypatch.setenv("FAIRVEC_DATA", str(tmp_path))
    folder = (tmp_path / entry.file).parent
    folder.mkdir(parents=True)
    for name, content in parts.items():
        assert not has_dataset("toy")
        (folder / name).write_bytes(content)
    assert has_dataset("toy")
    assert dataset_files("toy") == tuple(folder / name for name in parts)
    (folder / "b.txt").write_bytes(b"tow")
    with pytest.raises(DownloadError, match=f"instead of {sha256}"):
        dataset_files("toy")


def test_a_near_miss_is_answered_with_the_right_name() -> None:
    with pytest.raises(UnknownNameError, match="benchmark named 'simlex99'; did you mean simlex9"):
        dataset("simlex99")


def test_the_data_folder_comes_first(
    tmp_path: Path, site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    entry = one(f"{site.url}/toy.txt", monkeypatch)
    monkeypatch.setenv("FAIRVEC_DATA", str(tmp_path))
    assert not has_dataset("toy")
    (tmp_path / entry.file).parent.mkdir(parents=True)
    (tmp_path / entry.file).write_bytes(BODY)
    assert has_dataset("toy")
    assert dataset_path("toy") == tmp_path / entry.file
    assert site.asked == []


def test_without_it_the_set_is_fetched_once_and_kept(
    tmp_path: Path, home: Path, site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    site.body = BODY
    one(f"{site.url}/a/list.txt", monkeypatch)
    monkeypatch.setenv("FAIRVEC_DATA", str(tmp_path))
    assert dataset_path("toy") == home / "datasets" / "toy" / "list.txt"
    assert dataset_path("toy").read_bytes() == BODY
    assert len(site.asked) == 1


def test_a_data_folder_that_is_not_there_is_not_passed_over(
    tmp_path: Path, site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    one(f"{site.url}/toy.txt", monkeypatch)
    monkeypatch.setenv("FAIRVEC_DATA", str(tmp_path / "nothing here"))
    with pytest.raises(SettingError, match="nothing here, which is no folder"):
        has_dataset("toy")


def test_another_file_in_the_data_folder_is_refused(
    tmp_path: Path, site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    entry = one(f"{site.url}/toy.txt", monkeypatch)
    monkeypatch.setenv("FAIRVEC_DATA", str(tmp_path))
    (tmp_path / entry.file).parent.mkdir(parents=True)
    (tmp_path / entry.file).write_bytes(b"another\n")
    with pytest.raises(DownloadError) as caught:
        dataset_path("toy")
    assert f"instead of {CHECKSUM}; put the file from {site.url}/toy.txt in its place" in str(
        caught.value
    )
    assert (tmp_path / entry.file).read_bytes() == b"another\n"


def test_what_nobody_publishes_has_to_be_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    entry = one("https://example.org/list.txt", monkeypatch).model_copy(update={"source": None})
    module = import_module("fairvec.catalogue.entries")
    monkeypatch.setattr(module, "datasets", lambda: (entry,))
    assert not has_dataset("toy")
    with pytest.raises(DownloadError, match=r"FAIRVEC_DATA that has it as some/where/toy\.txt"):
        dataset_path("toy")
    monkeypatch.setenv("FAIRVEC_DATA", str(tmp_path))
    assert not has_dataset("toy")
    file = tmp_path / entry.file
    file.parent.mkdir(parents=True)
    file.write_bytes(b"another\n")
    with pytest.raises(DownloadError, match="give the path of this one instead of the name"):
        dataset_path("toy")
    file.write_bytes(BODY)
    assert dataset_path("toy") == file


def test_a_download_that_is_another_file_is_not_kept(
    home: Path, site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    site.body = b"another\n"
    one(f"{site.url}/list.txt", monkeypatch)
    with pytest.raises(DownloadError, match=f"instead of {CHECKSUM} and was removed"):
        dataset_path("toy")
    assert not has_dataset("toy")


def test_without_data_and_server_one_sentence_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        one(f"http://127.0.0.1:{unused.getsockname()[1]}/list.txt", monkeypatch)
    with pytest.raises(DownloadError, match=r"^toy: the server cannot be reached; .* by hand\.$"):
        dataset_path("toy")


def test_published_files_are_those_of_the_catalogue(
    shared_data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FAIRVEC_DATA", str(shared_data))
    for known in datasets():
        assert dataset_path(known.name) == shared_data / known.file


def test_the_page_lists_every_data_set() -> None:
    page = (Path(__file__).parents[2] / "docs" / "benchmarks.md").read_text(encoding="utf-8")
    for known in datasets():
        assert f"`{known.name}`" in page
        assert f"{known.rows:,}" in page


def test_another_file_in_the_cache_is_replaced(
    home: Path, site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    site.body = BODY
    one(f"{site.url}/list.txt", monkeypatch)
    path = home / "datasets" / "toy" / "list.txt"
    path.parent.mkdir(parents=True)
    path.write_bytes(b"another\n")
    reports: list[str] = []
    assert dataset_path("toy", tell=reports.append) == path
    assert path.read_bytes() == BODY
    assert len(reports) == len(site.asked) == 1


@pytest.mark.parametrize("many", [2, 8])
def test_many_who_ask_at_once_ask_the_server_once(
    site: Site, monkeypatch: pytest.MonkeyPatch, many: int
) -> None:
    site.body = BODY
    one(f"{site.url}/list.txt", monkeypatch)
    with ThreadPoolExecutor(many) as pool:
        paths = list(pool.map(lambda _: dataset_path("toy"), range(many)))
    assert {path.read_bytes() for path in paths} == {BODY}
    assert len(site.asked) == 1
