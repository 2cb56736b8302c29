"""A history with a part of another type is refused when it is read."""

import json
from pathlib import Path

import pytest

from fairvec.core.errors import FileFormatError, SettingError
from fairvec.core.io.safetensors import open_tensors, write_tensors
from fairvec.embedding import Step, load, save
from tests import toys


def with_history(path: Path, written: str) -> Path:
    save(toys.embedding(), path)
    file = open_tensors(path)
    tensors = {name: file.tensor(name).copy() for name in file.entries}
    write_tensors(path, tensors, {**file.metadata, "history": written})
    return path


@pytest.mark.parametrize(
    "written",
    [
        "5",
        '{"action": "read"}',
        "[5]",
        '[{"action": "read"}]',
        '[{"action": 5, "details": {}}]',
        '[{"action": "read", "details": [["a", 1]]}]',
        '[{"action": "debias", "details": {"fitted_on": 5}}]',
        '[{"action": "debias", "details": {"fitted_on": "he"}}]',
        '[{"action": "debias", "details": {"fitted_on": [["he"]]}}]',
        '[{"action": "read", "details": {"composed": {"he": 1}}}]',
        '[{"action": "read", "details": {"x": "\\ud800"}}]',
        '[{"action": "read", "details": {"x": ' + "9" * 400 + "}}]",
        '[{"action": "read", "details": {"x": ' + "[" * 9999,
    ],
    ids=range(13),
)
def test_a_part_of_another_type_is_refused(written: str, tmp_path: Path) -> None:
    path = with_history(tmp_path / "toy.fairvec", written)
    with pytest.raises(FileFormatError, match=r"toy\.fairvec has damaged metadata") as refused:
        load(path)
    assert "\n" not in str(refused.value)
    assert len(str(refused.value)) < 500


def test_no_number_in_a_history_is_null(tmp_path: Path) -> None:
    steps = [{"action": "read", "details": {"loss": float("nan"), "fitted_on": ["he"]}}]
    found = load(with_history(tmp_path / "toy.fairvec", json.dumps(steps)))
    assert found.history[0] == Step("read", {"loss": None, "fitted_on": ["he"]})


def test_a_step_made_in_python_is_checked_alike() -> None:
    with pytest.raises(SettingError, match="fitted_on 5; it must be a list of words"):
        Step("debias", {"fitted_on": 5})
    assert Step("debias", {"fitted_on": ("he", "she")}).details["fitted_on"] == ("he", "she")
