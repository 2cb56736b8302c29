"""Russian models whose keys carry a part of speech say the same as those whose keys do not."""

from dataclasses import replace

import fairvec
from fairvec.embedding import Embedding, Lookup
from fairvec.lexicon import select_tests
from fairvec.results import CategoryAnswer, Result


def tagged(model: Embedding) -> Embedding:
    """The model with keys such as мужчина_NOUN; words of the suite get their part of speech."""
    lookup = Lookup(model.positions, "ru")
    tags = {}
    for test in (each.test for each in select_tests(["pestova"])):
        for word in (word for wordset in test.sets.values() for word in wordset.words):
            match = lookup.find(word.spellings, word.pos)
            if match:
                tags[match.key] = word.pos
    keys = [f"{key}_{tags.get(key, 'NOUN')}" for key in model.keys]
    return replace(model, keys=keys, name="tagged")


def test_tags_change_nothing_but_the_keys() -> None:
    plain = fairvec.load("navec-ru-small")
    untagged, with_tags = (
        fairvec.audit(model, suites="pestova", resamples=100) for model in (plain, tagged(plain))
    )
    answer, with_tag = untagged.pop(), with_tags.pop()
    assert isinstance(answer, CategoryAnswer)
    assert isinstance(with_tag, CategoryAnswer)
    assert answer.effect == with_tag.effect
    assert answer.verdict == with_tag.verdict
    for one, other in zip(untagged, with_tags, strict=True):
        assert isinstance(one, Result)
        assert isinstance(other, Result)
        assert one.effect == other.effect
        assert one.p == other.p
        assert [group.missing for group in one.coverage] == [g.missing for g in other.coverage]
        assert {rule for group in other.coverage for rule in group.how.values()} == {"tagged"}


def test_a_tagged_model_is_fitted_by_its_suite() -> None:
    heard: list[str] = []
    fairvec.audit(
        tagged(fairvec.load("navec-ru-small")),
        on_choice=lambda _, fits: heard.extend(fit.suite.id for fit in fits),
        resamples=100,
    )
    assert heard == ["pestova"]
