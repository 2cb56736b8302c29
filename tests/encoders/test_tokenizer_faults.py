"""Whatever a tokenizer raises is one sentence, and what ends a process is left alone."""

import pytest

from fairvec.core.errors import FileFormatError, SettingError
from fairvec.encoders.model_folder import tokenizer_errors

Panic = type("PanicException", (BaseException,), {"__module__": "pyo3_runtime"})


@pytest.mark.parametrize(
    "error", [ValueError("odd\nthing"), KeyError("x"), Panic("no entry found for key")], ids=repr
)
def test_what_goes_wrong_inside_is_one_sentence(error: BaseException) -> None:
    with pytest.raises(FileFormatError) as told, tokenizer_errors("here", ": it reads no texts"):
        raise error
    assert str(told.value).startswith(f"here: it reads no texts ({type(error).__name__}: ")
    assert "\n" not in str(told.value)


@pytest.mark.parametrize("error", [KeyboardInterrupt, SystemExit, MemoryError, SettingError("no")])
def test_what_ends_a_process_or_is_told_already_stays(
    error: BaseException | type[BaseException],
) -> None:
    kind = error if isinstance(error, type) else type(error)
    with pytest.raises(kind), tokenizer_errors("here", ""):
        raise error
