"""Which words of a test the making of a model saw, and how: a test is no evidence about these."""

from typing import Literal

from fairvec.ground.numbers import counted
from fairvec.ground.text.enumerations import listed_up_to
from fairvec.report.words.shortened import some
from fairvec.results import ModelIdentity, Outcome

MOST_NAMED = 3
Seen = Literal["debiased", "augmented", "both"]

TRAINED = "trained"
"""The step of a training, which has words it was fitted on if it swapped them in its text."""

SENTENCES: dict[Seen, str] = {
    "debiased": "The debiasing was fitted on {words} of this test",
    "augmented": "The training text was augmented by swapping {words} of this test",
    "both": "The training text was augmented and the debiasing fitted with {words} of this test",
}
REMARKS: dict[Seen, str] = {
    "debiased": "fitted on tested words",
    "augmented": "text augmented with tested words",
    "both": "text augmented and debiasing fitted with tested words",
}


def seen_by(model: ModelIdentity) -> Seen:
    """Return which step saw words; a history that names none is that of a debiasing."""
    actions = [step.get("action") for step in model.history if step.get("fitted_on")]
    if TRAINED not in actions:
        return "debiased"
    return "augmented" if {*actions} == {TRAINED} else "both"


def not_held_out(outcome: Outcome) -> str:
    """Return the sentence of the page; empty if no word of the test was seen."""
    if not outcome.fitted_words:
        return ""
    words = counted(len(outcome.fitted_words), "word")
    said = SENTENCES[seen_by(outcome.model)].format(words=words)
    return f"{said}, which is no evidence about them: {some(outcome.fitted_words)}"


def not_held_out_briefly(outcome: Outcome) -> str:
    """Return the remark of a line in a table; empty if no word of the test was seen."""
    if not outcome.fitted_words:
        return ""
    words = listed_up_to(outcome.fitted_words, MOST_NAMED)
    return f"{REMARKS[seen_by(outcome.model)]}, no evidence about these: {words}"
