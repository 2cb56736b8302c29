"""The mark of an unfinished run, as a stranger may have written it."""

import json
import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairvec.core.errors import FileFormatError
from fairvec.core.io.atomic_files import MARK, mark_of, refuse_mixed


@given(
    st.binary(max_size=60) | st.text(max_size=60).map(lambda text: text.encode("utf-8", "replace"))
)
def test_a_mark_of_strangers_is_read_or_refused(
    tmp_path_factory: pytest.TempPathFactory, content: bytes
) -> None:
    folder = tmp_path_factory.mktemp("run")
    (folder / MARK).write_bytes(content)
    with pytest.raises(FileFormatError, match="is damaged"):
        refuse_mixed(folder)


PLACES: st.SearchStrategy[object] = st.sampled_from(
    ["/etc/passwd", "..", "../..", "../../x", "a/b", "a\0b", "", ".", "\ud800", 5, None, [], "a\\b"]
)


@given(PLACES, st.sampled_from(["drafts", "parts", "gone", "old"]))
def test_a_mark_names_no_place_elsewhere(
    tmp_path_factory: pytest.TempPathFactory, place: object, where: str
) -> None:
    folder = tmp_path_factory.mktemp("run")
    said: dict[str, object] = {"drafts": None, "parts": [], "gone": [], "old": []}
    said[where] = place if where == "drafts" else [place]
    (folder / MARK).write_text(json.dumps(said))
    try:
        mark = mark_of(folder)
    except FileFormatError:
        return
    assert mark
    for each in (*mark.parts, *mark.gone, *mark.old, *filter(None, [mark.drafts])):
        assert each.parent == folder
        assert each.resolve().parent == folder.resolve()


def test_a_mark_that_is_a_pipe_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / MARK)
    with pytest.raises(FileFormatError, match="is damaged"):
        refuse_mixed(tmp_path)
