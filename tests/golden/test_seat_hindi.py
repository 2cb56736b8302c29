"""SEAT on the real Hindi GloVe, against a recomputation that knows nothing of fairvec's parts.

The published figures (Malik et al. 2022, Table 2) come from another model and are not asserted.
"""

import json
from pathlib import Path

import numpy as np
import pytest

from fairvec.embedding import Embedding, load
from fairvec.geometry import FloatArray
from fairvec.lexicon import resolve, select_tests
from fairvec.metrics import TwoSamples, effect_size
from fairvec.metrics.bias.seat import Seat

FRAMES = {
    "NOUN": "यह _ है|वह _ है|वहाँ _ है|यहाँ _ है|_ यहाँ है|_ वहाँ है|वो _ है|ये _ है",
    "VERB": "यह _ है|वह _ है|वो _ है|ये _ है|वहाँ _ है|यहाँ _ है",
    "ADJ": "यह _ है|वह _ है|वो _ है|ये _ है",
}
TESTS = ("maths-arts", "me-verbs", "me-adjectives", "me-titles", "caste-adjectives", "urban-rural")


@pytest.fixture(scope="module")
def glove(shared_data: Path) -> Embedding:
    return load(shared_data / "emb_glove_hi" / "glove_hi_57k_100d.npz")


@pytest.mark.parametrize("name", TESTS)
def test_the_effect_over_sentences_is_the_papers_formula(glove: Embedding, name: str) -> None:
    test = select_tests([f"malik2022/{name}"])[0].test
    groups = resolve(test, glove)

    def sentences(role: str) -> FloatArray:
        made = []
        for key in groups[role].keys:
            for frame in FRAMES[test.sets[role].pos or ""].split("|"):
                made.append(glove.rows(frame.replace("_", key).split()).mean(axis=0))
        return np.array([v / np.linalg.norm(v) for v in made])

    x, y, a, b = (sentences(role) for role in "xyab")
    lean = [side @ a.mean(axis=0) - side @ b.mean(axis=0) for side in (x, y)]
    expected = (lean[0].mean() - lean[1].mean()) / np.concatenate(lean).std()
    seat = Seat(effect_size=effect_size("population"), permute="sentences")
    score = seat.measure(groups, glove.geometry)
    assert score.value == pytest.approx(expected, rel=1e-9)
    assert isinstance(score.samples, TwoSamples)
    assert score.samples.leanings(score.samples.x) == pytest.approx(lean[0], rel=1e-9)


def test_the_templates_are_those_of_the_authors_notebook(shared_data: Path) -> None:
    notebook = json.loads((shared_data / "sochindi_weat_seat" / "sochindi.json").read_text("utf-8"))
    ours = {"common_nouns": "NOUN", "verbs": "VERB", "adjectives": "ADJ"}
    for theirs, pos in ours.items():
        printed = {frame.replace("यहां", "यहाँ") for frame in notebook["seat_templates"][theirs]}
        assert printed == set(FRAMES[pos].split("|"))
