from pathlib import Path

import pooch
import pytest

from fairvec.catalogue import cache_folder
from fairvec.catalogue.cache import url_name
from fairvec.core.errors import SettingError


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
    assert cache_folder() == Path(pooch.os_cache("fairvec"))


def test_a_url_is_kept_under_its_last_part() -> None:
    assert url_name("https://example.org/a/my%20model.vec.gz?download=1#top") == "my model.vec.gz"


def test_a_user_without_a_home_is_told_what_to_set(monkeypatch: pytest.MonkeyPatch) -> None:
    def nobody(*_: object) -> str:
        raise RuntimeError("could not determine the home directory")

    monkeypatch.delenv("FAIRVEC_HOME", raising=False)
    monkeypatch.setattr("fairvec.catalogue.cache.user_cache_dir", nobody)
    with pytest.raises(SettingError, match=r"no home folder.*set FAIRVEC_HOME"):
        cache_folder()
