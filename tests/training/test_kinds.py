"""Kinds of model are found by name, with the settings that they have."""

import pytest

from fairvec.core.errors import SettingError, UnknownNameError
from fairvec.training.gensim_training import GensimModel
from fairvec.training.models import Glove, PoincareGlove
from fairvec.training.train import KINDS, get_model


def test_what_is_not_given_is_the_kind_s_own() -> None:
    assert get_model("glove", rate=None) == Glove()
    assert get_model("poincare-glove", balls=4, epochs=None) == PoincareGlove(balls=4)
    assert get_model("cbow", epochs=2) == GensimModel("cbow", epochs=2)


@pytest.mark.parametrize("name", KINDS)
def test_a_kind_has_its_own_name(name: str) -> None:
    assert get_model(name).name == name


@pytest.mark.parametrize("name", [name for name in KINDS if name != "poincare-glove"])
@pytest.mark.parametrize("setting", ["balls", "likeness", "init_words", "point"])
def test_a_setting_that_a_kind_has_not_is_refused_with_those_that_have_it(
    name: str, setting: str
) -> None:
    told = rf"kind {name} has no setting {setting.replace('_', ' ')}, only poincare-glove; leave"
    with pytest.raises(SettingError, match=told):
        get_model(name, **{setting: 2})


def test_a_slip_in_the_name_is_answered() -> None:
    with pytest.raises(UnknownNameError, match="did you mean skipgram"):
        get_model("skip-gram")


@pytest.mark.parametrize("first", [0, 1])
def test_one_word_alone_is_no_start(first: int) -> None:
    with pytest.raises(SettingError, match="init_words is"):
        PoincareGlove(init_words=first)


@pytest.mark.parametrize("name", ["skipgram", "cbow", "fasttext"])
@pytest.mark.parametrize("rate", [0.0, 1001.0, 1e308])
def test_a_rate_at_which_gensim_falls_is_refused(name: str, rate: float) -> None:
    limits = r"lie between 0 and 1000, above 0 itself\."
    with pytest.raises(SettingError, match=rf"rate is .*; it must {limits}"):
        get_model(name, rate=rate)
