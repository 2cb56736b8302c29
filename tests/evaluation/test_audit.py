import pytest

import fairvec
from fairvec.errors import LexiconError, SettingError, UnknownNameError
from tests import toys


def test_one_suite_may_be_named_alone() -> None:
    model = fairvec.load("glove-hi-small")
    one = fairvec.audit(model, suites="malik2022/me-verbs", resamples=100)
    assert one == fairvec.audit(model, suites=["malik2022/me-verbs"], resamples=100)


@pytest.mark.parametrize("embeddings", [(), ([toys.embedding()],), ("glove-en-small",), (None,)])
def test_only_embeddings_can_be_audited(embeddings: tuple[object, ...]) -> None:
    with pytest.raises(SettingError, match=r"fairvec\.load"):
        fairvec.audit(*embeddings)  # type: ignore[arg-type]


def test_a_misspelt_setting_gets_an_offer() -> None:
    with pytest.raises(UnknownNameError, match="did you mean suites"):
        fairvec.audit(toys.embedding(), suite=["pestova"])


def test_naming_no_suite_is_not_naming_all() -> None:
    with pytest.raises(SettingError, match="names no suite"):
        fairvec.audit(toys.embedding(), suites=[])


def test_a_model_that_knows_too_few_words_fits_nothing() -> None:
    with pytest.raises(LexiconError, match="no shipped suite fits"):
        fairvec.audit(toys.embedding())
