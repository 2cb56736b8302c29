"""The kinds of model that are trained, by name."""

from collections.abc import Mapping
from typing import Any, get_args

from fairvec.ground.errors import SettingError, UnknownNameError
from fairvec.ground.settings import kinds_of
from fairvec.training.gensim_models import PredictingModel, PredictingName
from fairvec.training.glove.models import Glove, PoincareGlove
from fairvec.training.workflow import Kind

KINDS: Mapping[str, type[Any]] = {
    Glove.name: Glove,
    PoincareGlove.name: PoincareGlove,
    **dict.fromkeys(get_args(PredictingName), PredictingModel),
}
"""Each kind's name, and what holds its settings."""


def settings_of(name: str) -> set[str]:
    """Return the names of the settings of a kind."""
    owner: Any = KINDS[name]
    return set(kinds_of(owner))


def kind_named(name: str, **given: Any) -> Kind:
    """Return a kind of model with the settings that are given (not None), and else its own."""
    if name not in KINDS:
        raise UnknownNameError("kind of model", name, KINDS)
    settings = {setting: value for setting, value in given.items() if value is not None}
    for setting in settings:
        if setting not in settings_of(name):
            having = [other for other in KINDS if setting in settings_of(other)]
            raise SettingError(
                f"A model of the kind {name} has no setting {setting.replace('_', ' ')}, only "
                f"{' and '.join(having)}; leave it out."
            )
    if KINDS[name] is PredictingModel:
        settings["name"] = name
    kind: Kind = KINDS[name](**settings)
    return kind
