from hypothesis import given
from hypothesis import strategies as st

from fairvec.core.format import titled


@given(st.text(min_size=1))
def test_a_title_keeps_all_but_its_first_letter(name: str) -> None:
    assert titled(name).endswith(name[1:])
    assert titled(titled(name)) == titled(name)
    assert titled("") == ""
