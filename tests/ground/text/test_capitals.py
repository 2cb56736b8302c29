from hypothesis import given
from hypothesis import strategies as st

from fairvec.core.format import capitalize_first


@given(st.text(min_size=1))
def test_a_title_keeps_all_but_its_first_letter(name: str) -> None:
    assert capitalize_first(name).endswith(name[1:])
    assert capitalize_first(capitalize_first(name)) == capitalize_first(name)
    assert capitalize_first("") == ""
