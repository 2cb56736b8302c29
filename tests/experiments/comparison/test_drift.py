"""Whether the model behind an endpoint changed between two runs."""

from math import inf
from typing import Any

import pytest

from fairvec.experiments.comparison.drift import drift
from fairvec.results.identities import EndpointProbes, ModelIdentity
from tests.messages.cases.reports import PLAIN
from tests.results.toys import MODEL


def served(**probes: Any) -> ModelIdentity:
    found = EndpointProbes.model_validate(PLAIN.model_dump() | probes)
    encoder = {"kind": "endpoint", "endpoint": "small", "url": "https://host/v1"}
    return MODEL.model_copy(update={"endpoint": found, "encoder": encoder})


SIMILARITIES = (0.1, 0.5, -0.25)


def test_a_model_that_gives_the_same_vectors_has_not_changed() -> None:
    model = served(similarities=SIMILARITIES)
    found = drift(model, model)
    assert found
    assert (found.largest, found.changed) == (0.0, False)


@pytest.mark.parametrize(("moved", "changed"), [(1.9e-5, False), (2.5e-5, True)])
def test_what_noise_explains_is_no_change(moved: float, changed: bool) -> None:
    before, after = served(similarities=(0.1,)), served(similarities=(0.1 + moved,))
    found = drift(before, after)
    assert found
    assert found.largest == pytest.approx(moved)
    assert found.changed is changed
    noisy = drift(before, served(similarities=(0.1 + moved,), tolerance=1e-3))
    assert noisy
    assert not noisy.changed


def test_other_dimensions_are_another_model() -> None:
    before = served(similarities=SIMILARITIES)
    found = drift(before, before.model_copy(update={"dimensions": before.dimensions + 1}))
    assert found
    assert (found.largest, found.changed) == (inf, True)


def test_two_endpoints_are_not_one_that_changed() -> None:
    model = served(similarities=SIMILARITIES)
    other = model.model_copy(update={"encoder": {**(model.encoder or {}), "prefix": "query: "}})
    assert drift(model, other) is None
    assert drift(MODEL, model) is drift(model, MODEL) is None
