import pytest
from pydantic import BaseModel, ValidationError

from fairvec.core.io.toml_files import as_lexicon_error
from fairvec.core.validation import suggest_key


class Seven(BaseModel):
    a: str
    b: str
    c: str
    d: str
    e: str
    f: str
    g: str


def test_a_long_list_of_problems_is_cut() -> None:
    with pytest.raises(ValidationError) as caught:
        Seven.model_validate({})
    message = str(as_lexicon_error(caught.value, "file.toml", lambda _: ()))
    assert message == (
        "file.toml: a is required; b is required; c is required; d is required; "
        "e is required; and 2 more."
    )


def test_near_names_are_offered_and_far_ones_are_not() -> None:
    assert suggest_key("licens", ["licence", "title"]) == " (did you mean licence?)"
    assert suggest_key("zzz", ["licence", "title"]) == ""
