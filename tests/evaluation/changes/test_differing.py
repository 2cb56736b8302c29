from fairvec.experiments.comparison.compare import differing_settings
from fairvec.experiments.provenance import describe_metric
from fairvec.metrics.bias import DirectBias
from tests.results.make import measured


def test_only_what_differs_is_said_and_without_the_signs_of_a_programme() -> None:
    usual = measured()
    ball = usual.model_copy(update={"similarity": "negative-distance"})
    said = differing_settings(usual, ball)
    assert said == f"similarity {usual.similarity}, then negative-distance"
    loose, strict = (
        usual.model_copy(update={"described": describe_metric(DirectBias(strictness=one))})
        for one in (1.0, 2.0)
    )
    assert differing_settings(loose, strict) == "strictness 1.0, then 2.0"
    nested = strict.described
    assert nested is not None
    odd = nested.model_copy(update={"settings": {"a_list": [1, {"b": None}], "empty": []}})
    said = differing_settings(loose, loose.model_copy(update={"described": odd}))
    assert "a list none, then 1, b none" in said
    assert not any(sign in said for sign in "{}[]'=")


def test_records_that_differ_otherwise_are_not_said_to_differ_in_nothing() -> None:
    assert differing_settings(measured(), measured()) == "as their records say"
