import pytest

import fairvec
from fairvec.core.errors import LexiconError, SettingError, UnknownNameError
from fairvec.experiments.audit.audit import audit
from tests import toys


def test_one_suite_may_be_named_alone() -> None:
    model = fairvec.load("glove-hi-small")
    one = fairvec.audit(model, suites="malik2022/me-verbs", resamples=100)
    assert one == fairvec.audit(model, suites=["malik2022/me-verbs"], resamples=100)


@pytest.mark.parametrize("embeddings", [(), ([toys.embedding()],), ("glove-en-small",), (None,)])
def test_only_embeddings_can_be_audited(embeddings: tuple[object, ...]) -> None:
    with pytest.raises(SettingError, match=r"fairvec\.load"):
        audit(*embeddings)  # type: ignore[arg-type]


def test_a_misspelt_setting_gets_an_offer() -> None:
    with pytest.raises(UnknownNameError, match="did you mean suites"):
        fairvec.audit(toys.embedding(), suite=["pestova"])


def test_naming_no_suite_is_not_naming_all() -> None:
    with pytest.raises(SettingError, match="names no suite"):
        fairvec.audit(toys.embedding(), suites=[])


def test_a_model_that_knows_too_few_words_fits_nothing() -> None:
    with pytest.raises(LexiconError, match="no shipped suite fits"):
        fairvec.audit(toys.embedding())


def test_lists_that_papers_borrow_from_one_another_count_once() -> None:
    model = fairvec.load("glove-en-small")
    tests = {outcome.test.id for outcome in fairvec.audit(model, resamples=100, method="sampled")}
    assert "caliskan2017/weat-8" in tests
    assert "kumar2020/b3" not in tests
    named = fairvec.audit(model, suites="kumar2020", resamples=100)
    assert "kumar2020/b3" in {outcome.test.id for outcome in named}


def test_a_suite_without_a_test_for_the_metric_is_not_said_to_fit() -> None:
    heard: list[str] = []
    fairvec.audit(
        fairvec.load("glove-en-small"),
        metrics=["direct-bias"],
        on_choice=lambda _, fits: heard.extend(fit.suite.id for fit in fits),
        resamples=100,
    )
    assert "bolukbasi2016" in heard
    heard.clear()
    fairvec.audit(
        fairvec.load("glove-en-small"),
        on_choice=lambda _, fits: heard.extend(fit.suite.id for fit in fits),
        resamples=100,
        method="sampled",
    )
    assert "bolukbasi2016" not in heard
