"""Accepted changes are made, and nothing else."""

import pytest

from fairvec.core.errors import SettingError
from fairvec.languages.rewriting import Edit, Proposal, apply_edits

TEXT = "The chairman said he left."
CHAIR = Proposal(4, 12, "chairman", "One word for all.", (Edit(4, 12, "chairman", "chair"),))
HE = Proposal(18, 20, "pronoun", "Their sex is not known.", (Edit(18, 20, "he", "they"),))
FLAG = Proposal(4, 12, "flag", "Look here.")


def test_only_accepted_changes_are_made() -> None:
    assert apply_edits(TEXT, []) == TEXT
    assert apply_edits(TEXT, [FLAG]) == TEXT
    assert apply_edits(TEXT, [HE]) == "The chairman said they left."
    assert apply_edits(TEXT, [HE, CHAIR]) == apply_edits(TEXT, [CHAIR, HE])
    assert apply_edits(TEXT, [CHAIR, HE]) == "The chair said they left."


def test_changes_of_another_text_and_overlapping_ones_are_refused() -> None:
    with pytest.raises(SettingError, match="not the text"):
        apply_edits("The chairwoman left.", [CHAIR])
    other = Proposal(4, 17, "other", "Why.", (Edit(4, 17, "chairman said", "chair says"),))
    with pytest.raises(SettingError, match="overlap"):
        apply_edits(TEXT, [CHAIR, other])
