import pytest

from fairvec.core.errors import FairvecError, SettingError
from fairvec.encoders.base import Choices


@pytest.mark.parametrize(
    ("layer", "taken"),
    [("last", (6,)), ("all", tuple(range(7))), ("0", (0,)), ("-2", (5,)), ("1,-1,1", (1, 6))],
)
def test_layers_count_from_what_goes_into_the_first(layer: str, taken: tuple[int, ...]) -> None:
    assert Choices(layer).layers(7, "toy") == taken


@pytest.mark.parametrize("layer", ["7", "-8", "0,9"])
def test_a_layer_that_is_not_there_is_named(layer: str) -> None:
    with pytest.raises(SettingError, match=r"toy has no layer .* 0 to 6"):
        Choices(layer).layers(7, "toy")


@pytest.mark.parametrize("wrong", [{"layer": "first"}, {"pooling": "max"}, {"numbers": "int8"}])
def test_a_choice_that_does_not_exist_is_refused(wrong: dict[str, str]) -> None:
    with pytest.raises(FairvecError):
        Choices(**wrong)  # type: ignore[arg-type]
