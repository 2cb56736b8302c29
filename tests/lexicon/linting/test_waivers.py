from fairvec.lexicon import Finding, Waiver
from fairvec.lexicon.lint import with_waivers

ON = Finding("target-overlap", "t", ("он",), "m")
MY = Finding("target-overlap", "t", ("мы",), "m")
ELSEWHERE = Finding("target-overlap", "other", ("он",), "m")
SIZES = Finding("unequal-sizes", "t", (), "m")


def reasons(findings: list[Finding], *waivers: Waiver) -> list[str | None]:
    return [finding.waived for finding in with_waivers(findings, waivers)]


def waiver(*words: str, finding: str = "target-overlap", reason: str = "as printed") -> Waiver:
    return Waiver.model_validate(
        {"finding": finding, "where": "t", "words": words, "reason": reason}
    )


def test_without_waivers_nothing_is_waived() -> None:
    assert reasons([ON, SIZES]) == [None, None]


def test_a_waiver_covers_its_finding_in_its_place() -> None:
    assert reasons([ON, MY, ELSEWHERE, SIZES], waiver()) == ["as printed", "as printed", None, None]


def test_a_waiver_with_words_covers_only_these() -> None:
    assert reasons([ON, MY], waiver("он")) == ["as printed", None]


def test_a_finding_without_words_is_covered_too() -> None:
    assert reasons([SIZES], waiver(finding="unequal-sizes")) == ["as printed"]


def test_the_first_waiver_gives_the_reason() -> None:
    assert reasons([ON], waiver("он", reason="first"), waiver(reason="second")) == ["first"]


def test_a_waiver_with_nothing_to_waive_is_a_finding() -> None:
    (finding,) = with_waivers([], [waiver()])
    assert (finding.code, finding.where, finding.waived) == ("unused-waiver", "t", None)


def test_a_waived_word_that_is_not_found_is_a_finding() -> None:
    waived, idle = with_waivers([ON], [waiver("он", "ты")])
    assert waived.waived == "as printed"
    assert (idle.code, idle.words) == ("unused-waiver", ("ты",))
    assert "ты" in idle.message
