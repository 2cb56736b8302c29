from typing import Any

import numpy as np
import pytest

from fairvec.core.errors import EncoderError, SettingError
from fairvec.encoders import encoder_from_function
from fairvec.encoders.function import encoder_from_name
from fairvec.languages.sentences import Sentence


def lengths(texts: list[str]) -> list[list[int]]:
    return [[len(text), text.count("a"), 1] for text in texts]


def fails(texts: list[str]) -> Any:
    raise KeyError("weights")


def test_a_function_is_an_encoder() -> None:
    encoder = encoder_from_function(lengths, language="en")
    assert encoder.dimensions == 3
    rows = encoder.encode([Sentence("a ", "banana", ".")])
    assert rows.tolist() == [[9, 4, 1]]
    assert encoder.languages == ("en",)
    assert encoder.name == "lengths"
    assert dict(encoder.model.settings) == {"kind": "function", "function": "lengths"}


def test_a_function_is_named_as_a_module_and_a_name() -> None:
    encoder = encoder_from_name("python:tests.encoders.test_function:lengths")
    assert encoder.encode([Sentence.alone("aa")]).tolist() == [[2, 2, 1]]


@pytest.mark.parametrize(
    ("named", "said"),
    [
        ("python:lengths", "names no function"),
        ("python::lengths", "names no function"),
        ("python:no.such.module:f", "cannot be imported"),
        ("python:tests.encoders.test_function:nothing", "cannot be imported"),
        ("python:tests.encoders.test_function:np", "cannot be made of module"),
    ],
)
def test_what_names_no_function_is_refused(named: str, said: str) -> None:
    with pytest.raises(SettingError, match=said):
        encoder_from_name(named)


@pytest.mark.parametrize(
    ("function", "said"),
    [
        (lambda texts: np.zeros(3), r"shape \(3,\) for a list of one text"),
        (lambda texts: np.zeros((2, 3)), r"shape \(2, 3\)"),
        (lambda texts: np.zeros((1, 0)), r"shape \(1, 0\)"),
        (lambda texts: None, r"shape \(\)"),
        (fails, "raised KeyError"),
    ],
)
def test_a_function_that_gives_no_row_a_text_is_refused(function: Any, said: str) -> None:
    with pytest.raises(EncoderError, match=said):
        _ = encoder_from_function(function, "mine").dimensions


def test_a_function_that_changes_its_mind_is_refused() -> None:
    encoder = encoder_from_function(lambda texts: np.zeros((1, 2)), "mine")
    with pytest.raises(EncoderError, match="mine gave float64 numbers of shape"):
        encoder.encode([Sentence.alone("a"), Sentence.alone("b")])
