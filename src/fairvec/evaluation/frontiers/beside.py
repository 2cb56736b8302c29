"""Other models beside the methods: trained otherwise on the same text, not changed afterwards."""

from collections.abc import Mapping

from fairvec.embedding import Embedding
from fairvec.ground.errors import SettingError
from fairvec.ground.text.shown_values import shown
from fairvec.mitigation import names_of_methods
from fairvec.results import REFERENCE

ON_OTHERS = (
    "Another model stands beside the methods and is none of them: it is neither on the front nor "
    "recommended. Its information kept is a mean without neighbours, about which two trainings on "
    "one text disagree anyway; compare it kind by kind. What training anew changes by itself is "
    "seen by a model beside that differs in nothing but its seed."
)


def check_beside(beside: Mapping[str, Embedding], embedding: Embedding) -> Mapping[str, Embedding]:
    """Return the other models, or refuse one that is the model itself or is named like a method."""
    taken = {REFERENCE, *names_of_methods()} if beside else ()
    for label, other in beside.items():
        if not label.strip() or label in taken:
            raise SettingError(
                f"A model beside is called {shown(label)}, which is no name of its own; give it "
                "another one (OTHER=NAME)."
            )
        if other.content_hash == embedding.content_hash:
            raise SettingError(
                f"{label} is {embedding.name} itself, which is there already; leave it out."
            )
    return beside
