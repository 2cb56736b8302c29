"""Figures that pages give of shipped models and lists are those of the code."""

import re
from functools import cache
from pathlib import Path

import pytest

import fairvec
from fairvec.experiments.noun_gender import noun_genders
from fairvec.languages.people import paired_names
from fairvec.lexicon import concept, counterparts

DOCS = Path(__file__).parents[2] / "docs"


def page(name: str) -> str:
    return " ".join((DOCS / name).read_text(encoding="utf-8").split())


@cache
def effects(model: str, suite: str) -> dict[str, fairvec.Result]:
    """Return the results of a suite by the names that its tests have there."""
    found = fairvec.audit(model, suites=suite, categories=False)
    return {one.test.id.partition("/")[2]: one for one in found if isinstance(one, fairvec.Result)}


def signed(number: float) -> str:
    return f"{number:+.2f}".replace("-", "−")


@pytest.mark.parametrize(
    ("model", "suite", "test"),
    [
        ("glove-hi-small", "malik2022", "caste-occupations"),
        ("glove-hi-small", "malik2022", "caste-adjectives"),
        *(("glove-en-small", "caliskan2017", f"weat-{number}") for number in (3, 4, 5, 6)),
    ],
)
def test_the_effects_whose_words_are_counted(model: str, suite: str, test: str) -> None:
    found = effects(model, suite)[test]
    assert found.interval is not None
    assert found.p is not None
    ends = (found.interval.low, found.interval.high)
    low, high = (f"{end:.2f}".replace("-", "−") for end in ends)
    row = rf"\| {test}[^|]*(?:\| \d+ \+ \d+ )?\| (\S+) \((\S+) to (\S+)\) \| ([^|]+) \|"
    shown = re.search(row, page("words-needed.md"))
    assert shown is not None
    assert shown.groups()[:3] == (signed(found.effect), low, high)
    p = shown[4].replace(" × 10⁻⁷", "e-7")
    digits = len(p.partition("e")[0].replace(".", "").lstrip("0"))
    assert float(f"{found.p.value:.{digits - 1}e}") == float(p)


def test_nouns_of_varying_gender() -> None:
    text, found = page("noun-gender.md"), noun_genders(fairvec.load("glove-hi-small"))
    whole = f"{found.varying_away:.3f}, p = {found.p.value:.3f}".replace("= 0.", "= .")
    assert f"(`glove-hi-small`, which lacks one of them: {whole}.)" in text
    assert (len(found.missing), found.told_right) == (1, 1.0)
    assert "**All 36 certain nouns stand on their own side" in text
    places = {each.transliteration: signed(each.leaning) for each in found.nouns}
    shown = dict(re.findall(r"\*(\w+)\*(?:, \w+)? \((?:\w+, )?([−+][0-9.]+)\)", text))
    assert len(shown) == 8
    assert shown == {name: places[name] for name in shown}
    assert f"masculine side, at {places['dahi']}," in text


def test_what_counterfactual_text_swaps() -> None:
    text = page("augmentation.md")
    assert f"`en/gender` gives {len(counterparts(concept('en/gender'))) // 2} pairs" in text
    half = len(paired_names("en")) // 2
    assert f"{half} names of men and {half} of women" in text
