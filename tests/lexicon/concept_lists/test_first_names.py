"""Every first name has one counterpart, which has it in turn."""

import pytest

from fairvec.core.errors import UnknownNameError
from fairvec.languages.people import paired_names


def test_the_way_there_and_back_leads_to_the_name() -> None:
    found = dict(paired_names("en"))
    assert all(found[its] == name != its for name, its in found.items())
    assert (found["james"], found["john"]) == ("mary", "patricia")


def test_a_language_without_a_list_is_named() -> None:
    with pytest.raises(UnknownNameError, match="first names"):
        paired_names("hi")
