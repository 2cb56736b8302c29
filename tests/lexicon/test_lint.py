"""The linter of suites and concepts, and drafts."""

import re
import unicodedata
from math import comb

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from fairvec.core.errors import LexiconError
from fairvec.languages.language import scripts
from fairvec.lexicon import (
    Concept,
    Finding,
    Suite,
    Waiver,
    lint_concept,
    lint_suite,
    new_concept,
    new_suite,
    parse_concepts,
    parse_suite,
    shipped_concepts,
)
from fairvec.lexicon.lint import with_waivers
from fairvec.stats import smallest_attainable_p
from tests.lexicon.lists import PAIRS, SETS, SUITE, WORDS_TEST, changed, suite_text
from tests.loops import loop_over

# --- suite ---


CLEAN = {"x": ["один"], "y": ["два"], "a": ["три"], "b": ["пять"]}


LONG_ENOUGH = {role: [f"{number}{n}" for n in range(3)] for number, role in enumerate("xyab", 5)}
"""More words for each list, so that the test could be significant."""


def findings(language: str = "ru", /, **sets: list[str]) -> list[Finding]:
    lists = {role: [*words, *LONG_ENOUGH[role]] for role, words in {**CLEAN, **sets}.items()}
    return list(lint_suite(parse_suite(suite_text(language, **lists))))


def longer(text: str) -> Suite:
    for word in ("lovely", "flea"):
        text = re.sub(rf'^(.*"{word}".*)\]$', rf'\1, "{word}1", "{word}2"]', text, flags=re.M)
    return parse_suite(text)


def codes(found: list[Finding]) -> list[tuple[str, str, tuple[str, ...]]]:
    return [(finding.code, finding.where, finding.words) for finding in found]


def test_good_lists_have_no_findings() -> None:
    assert findings() == []
    assert lint_suite(longer(SUITE)) == ()


def test_latin_letters_in_a_cyrillic_word_are_named() -> None:
    (finding,) = findings(x=["пapa"])
    assert (finding.code, finding.where, finding.words) == ("mixed-scripts", "x", ("пapa",))
    assert "a (U+0061 LATIN SMALL LETTER A), p (U+0070 LATIN SMALL LETTER P)" in finding.message
    assert "п" not in finding.message.replace("'пapa'", "")
    assert finding.message.endswith("(list x)")
    assert finding.waived is None


def test_a_word_in_another_script_than_its_language_is_found() -> None:
    (finding,) = findings(x=["papa"])
    assert finding.code == "mixed-scripts"
    assert "is written in Latin, not Cyrillic" in finding.message


def test_the_script_of_other_languages_is_that_of_most_words() -> None:
    greek = {"x": ["άνδρας"], "y": ["γυναίκα"], "a": ["πόλεμος"], "b": ["ειρήνη"]}
    assert findings("el", **greek) == []
    assert codes(findings("el", **{**greek, "x": ["man"]})) == [("mixed-scripts", "x", ("man",))]


def test_digits_and_hyphens_belong_to_every_script() -> None:
    assert (
        findings(
            x=[
                "кто-то",
            ],
            y=["а1"],
        )
        == []
    )


def test_repeated_words_are_found() -> None:
    found = findings(x=["он", "она", "он"], y=["мы", "вы", "их"])
    assert codes(found) == [("duplicate-word", "x", ("он",))]


@pytest.mark.parametrize(
    ("language", "words"),
    [("ru", ["тетя", "тётя"]), ("ru", ["мир", "Мир"]), ("hi", ["सुन्दर", "सुंदर"])],
)
def test_two_spellings_of_one_word_are_a_repetition(language: str, words: list[str]) -> None:
    found = findings(language, x=words, y=["1", "2"], a=["3"], b=["4"])
    assert codes(found) == [("duplicate-word", "x", (words[1],))]
    assert found[0].message == f"{words[1]!r} repeats {words[0]!r} and will count once (list x)"


def test_a_variant_counts_as_its_word() -> None:
    text = changed('"ant", "flea"', '"ant", { word = "flea", variants = ["aster"] }')
    (finding,) = lint_suite(longer(text))
    assert (finding.code, finding.where, finding.words) == ("target-overlap", "one", ("aster",))


def test_shared_words_are_found_between_each_two_sides() -> None:
    assert codes(findings(x=["он"], y=["он"])) == [("target-overlap", "t", ("он",))]
    assert codes(findings(a=["он"], b=["он"])) == [("attribute-overlap", "t", ("он",))]
    for target in "xy":
        for attribute in "ab":
            found = findings(**{target: ["он"], attribute: ["он"]})
            assert codes(found) == [("target-attribute-overlap", "t", ("он",))]
            assert f"list {target} and in list {attribute}" in found[0].message


def test_a_test_of_one_list_is_read_like_one_of_two() -> None:
    assert lint_suite(parse_suite(WORDS_TEST)) == ()
    found = lint_suite(parse_suite(WORDS_TEST.replace('"nurse"', '"queen"')))
    assert codes(list(found)) == [("target-attribute-overlap", "one", ("queen",))]
    assert codes(list(lint_suite(parse_suite(PAIRS)))) == [("unused-set", "jobs", ())]
    found = lint_suite(parse_suite(WORDS_TEST.replace('"he"', '"she"')))
    assert codes(list(found)) == [("attribute-overlap", "one", ("she",))]


def test_one_list_on_both_sides_shares_every_word() -> None:
    found = lint_suite(longer(changed('y = "insects"', 'y = "flowers"')))
    assert [(finding.code, finding.words) for finding in found] == [
        ("unused-set", ()),
        ("target-overlap", ("aster",)),
        ("target-overlap", ("lovely",)),
        ("target-overlap", ("lovely1",)),
        ("target-overlap", ("lovely2",)),
    ]


def test_lists_of_unequal_size_are_found() -> None:
    found = findings(x=["он", "мы"], b=["они", "вы"])
    assert codes(found) == [("unequal-sizes", "t", ()), ("unequal-sizes", "t", ())]
    assert found[0].message == "list x has 5 words and list y 4 (test t)"


def test_entries_of_more_than_one_word_are_found() -> None:
    assert codes(findings(x=["железная дорога"])) == [("multi-word", "x", ("железная дорога",))]


def test_unnormalised_words_are_found_and_corrected() -> None:
    decomposed = unicodedata.normalize("NFD", "чай")
    (finding,) = findings(x=[decomposed])
    assert finding.code == "unnormalised"
    assert "write it as 'чай'" in finding.message


@pytest.mark.parametrize("letter", ["\u200d", "\u200c", "\u00ad", "\u200b"])
def test_invisible_letters_are_named(letter: str) -> None:
    (finding,) = findings("hi", x=[f"क्{letter}ष"], y=["1"], a=["2"], b=["3"])
    assert finding.code == "unnormalised"
    assert f"U+{ord(letter):04X} {unicodedata.name(letter)}" in finding.message


def test_sets_that_no_test_uses_are_found() -> None:
    extra = '[sets.spare]\ntitle = "s"\nwords = ["spare"]\n'
    (finding,) = lint_suite(longer(changed(SETS, SETS + extra)))
    assert (finding.code, finding.where) == ("unused-set", "spare")


@pytest.mark.parametrize(
    "text",
    ['"он"', "“он”", "«он»", "„он“", "'он'", "‘он’", "`он`", 'он"', "“он", '""он""', "«'он'»"],
)
def test_quotation_marks_are_found_and_removed(text: str) -> None:
    (finding,) = findings(x=[text])
    assert (finding.code, finding.where, finding.words) == ("quoted", "x", (text,))
    assert finding.message.endswith("write 'он' (list x)")


def test_quotation_marks_are_found_in_variants() -> None:
    text = SUITE.replace('"ant", "flea"', '"ant", { word = "flea", variants = [\'"fleas"\'] }')
    codes_of = [finding.code for finding in lint_suite(parse_suite(text))]
    assert codes_of == ["quoted", "too-few-words"]


@pytest.mark.parametrize("text", ["м'яч", "п’ять", "вот-вот", "братья'", "'тис"])
def test_an_apostrophe_is_no_quotation_mark(text: str) -> None:
    assert findings(x=[text]) == []


@given(st.integers(1, 20), st.integers(1, 20), st.integers(0, 3))
@example(1, 19, 0)  # whose smallest p is .05 itself, and nothing below it
def test_lists_too_short_to_be_significant_are_found(nx: int, ny: int, again: int) -> None:
    x = [f"x{n}" for n in range(nx)]
    lists = {"x": x + x[:1] * again, "y": [f"y{n}" for n in range(ny)], "a": ["q"], "b": ["r"]}
    found = [
        one for one in lint_suite(parse_suite(suite_text(**lists))) if one.code == "too-few-words"
    ]
    smallest = smallest_attainable_p(nx, ny)
    assert len(found) == (smallest >= 0.05)
    if found:
        assert f"list x has {nx} and list y {ny} different words" in found[0].message
        assert f"p is never below {smallest:.2g}" in found[0].message


def test_three_words_on_each_side_are_too_few() -> None:
    lists = {role: [f"{role}{n}" for n in range(3)] for role in "xyab"}
    (finding,) = lint_suite(parse_suite(suite_text(**lists)))
    assert (finding.code, finding.where) == ("too-few-words", "t")
    assert f"{2 / comb(6, 3):.2g}" == "0.1"
    assert "never below 0.1;" in finding.message


def two_tests_text(*roles: str) -> str:
    """A suite whose second test takes the lists of the first in another order of roles."""
    lists = {role: [f"{role}{n}" for n in range(4)] for role in ("x", "y", "a", "b", "c")}
    shuffled = {f"{role}2": words[::-1] for role, words in lists.items()}
    text = suite_text(**lists, **shuffled)
    filled = "".join(f'{role} = "{name}2"\n' for role, name in zip("xyab", roles, strict=True))
    return f'{text}[[tests]]\nid = "u"\ntitle = "U"\ncategory = "c"\nkind = "bias"\n{filled}'


@pytest.mark.parametrize(
    ("roles", "words"),
    [
        ("yxab", "test u is test t with x and y exchanged: it has the same effect with the other"),
        ("xyba", "test u is test t with a and b exchanged: it has the same effect with the other"),
        ("yxba", "test u is test t with x and y, and a and b, exchanged: it has the same effect"),
        ("xyab", "test u is test t once more"),
        ("yxcb", ""),
        ("yxac", ""),
        ("abxy", ""),
    ],
)
def test_a_test_that_is_another_turned_round_is_found(roles: str, words: str) -> None:
    found = [
        one
        for one in lint_suite(parse_suite(two_tests_text(*roles)))
        if one.code == "exchanged-lists"
    ]
    assert [(one.where, one.message[: len(words)]) for one in found] == [("u", words)] * bool(words)


def test_of_many_tests_that_are_one_each_is_named_once() -> None:
    """Pairs of them would be more than anyone can read, or a short file's reader can wait for."""
    text = two_tests_text(*"yxab")
    again = text[text.rindex("[[tests]]") :]
    suite = parse_suite(text + "".join(again.replace('"u"', f'"u{n}"') for n in range(30)))
    found = [one for one in lint_suite(suite) if one.code == "exchanged-lists"]
    assert [one.where for one in found] == ["u", *(f"u{n}" for n in range(30))]
    assert all(" is test t with x and y exchanged" in one.message for one in found)


@pytest.mark.parametrize(
    ("lists", "code", "where"),
    [
        ({"x": ["«он»"]}, "quoted", "x"),
        ({"x": ["он", "он"], "y": ["мы", "вы"]}, "duplicate-word", "x"),
        ({"x": ["он мы"]}, "multi-word", "x"),
        ({"x": ["on"]}, "mixed-scripts", "x"),
        ({"x": ["он"], "y": ["он"]}, "target-overlap", "t"),
        ({"x": ["он", "мы"]}, "unequal-sizes", "t"),
    ],
)
def test_every_message_names_its_list_or_test(
    lists: dict[str, list[str]], code: str, where: str
) -> None:
    (finding,) = findings(**lists)
    assert (finding.code, finding.where) == (code, where)
    assert f"{'test' if where == 't' else 'list'} {where}" in finding.message


LISTS = {role: [f"{role}{n}" for n in range(4)] for role in "xyab"}


@pytest.mark.parametrize(
    ("code", "where", "text"),
    [
        ("quoted", "x", suite_text(**{**LISTS, "x": ["“he”", "x1", "x2", "x3"]})),
        ("too-few-words", "t", suite_text(**{**LISTS, "x": ["x0", "x1"], "y": ["y0", "y1"]})),
        ("exchanged-lists", "u", two_tests_text(*"yxab")),
    ],
)
def test_new_findings_are_waived_like_the_others(code: str, where: str, text: str) -> None:
    waiver = f'[[waivers]]\nfinding = "{code}"\nwhere = "{where}"\nreason = "as printed"\n'
    assert [one.waived for one in lint_suite(parse_suite(text)) if one.code == code] == [None]
    found = lint_suite(parse_suite(text + waiver))
    assert [one.waived for one in found if one.code == code] == ["as printed"]
    assert "unused-waiver" not in [one.code for one in found]
    idle = lint_suite(parse_suite(suite_text(**LISTS) + waiver))
    assert [one.code for one in idle] == ["unused-waiver"]


# --- concept ---


HEAD = """
version = "1"
language = "en"
[concepts.mine]
title = "Mine"
source = "Somebody (2026)"
licence = "None needed."
default = "it"
"""


def made(definition: str, head: str = "") -> Concept:
    """A concept with one variant."""
    (only,) = parse_concepts(f"{HEAD}{head}\n[concepts.mine.variants.it]\n{definition}\n")
    return only


def codes_concept(concept: Concept) -> list[tuple[str, str, tuple[str, ...]]]:
    return [(one.code, one.where, one.words) for one in lint_concept(concept)]


@pytest.mark.parametrize("shipped", shipped_concepts(), ids=lambda each: each.id)
def test_shipped_concepts_are_clean(shipped: Concept) -> None:
    assert [one for one in lint_concept(shipped) if one.waived is None] == []


@pytest.mark.parametrize("where", ["pairs", "equalise"])
def test_a_pair_turned_round_is_found(where: str) -> None:
    pairs = '[["he", "she"], ["man", "woman"], ["she", "he"]]'
    concept = (
        made(f"pairs = {pairs}")
        if where == "pairs"
        else made('pairs = [["a", "b"]]', f"equalise = {pairs}")
    )
    place = "variants.it" if where == "pairs" else "equalise"
    (finding,) = lint_concept(concept)
    assert (finding.code, finding.where, finding.words) == ("reversed-pair", place, ("she", "he"))
    assert finding.message == f"she - he in {place} is he - she turned round, and is left out"


@pytest.mark.parametrize(
    ("definition", "expected"),
    [
        ('pairs = [["he", "she"], ["he", "she"]]', ("duplicate-word", ("he", "she"))),
        ('pairs = [["he", "she"], ["he", "her"]]', ("duplicate-word", ("he", "her"))),
        ('sets = [["a", "b", "c"], ["a", "b", "c"]]', ("duplicate-word", ("a", "b", "c"))),
        ('words = ["he", "man", "boy", "he"]', ("duplicate-word", ("he",))),
        ('words = ["he", "man"]', ("too-few-words", ())),
        ("pairs = [['\"he\"', 'she']]", ("quoted", ('"he"',))),
        ('pairs = [["he", "she said"]]', ("multi-word", ("she said",))),
        ('pairs = [["he", "shе"]]', ("mixed-scripts", ("shе",))),
    ],
)
def test_what_is_found(definition: str, expected: tuple[str, tuple[str, ...]]) -> None:
    (finding,) = lint_concept(made(definition))
    assert (finding.code, finding.words) == expected
    assert finding.where == "variants.it"
    assert "variants.it" in finding.message


def test_sets_may_share_words_and_lists_may_have_both_cases() -> None:
    assert (
        codes_concept(made('sets = [["church", "mosque", "temple"], ["church", "shrine"]]')) == []
    )
    assert codes_concept(made('pairs = [["dad", "mom"], ["Dad", "Mom"]]')) == []


def test_findings_are_waived_like_those_of_suites() -> None:
    waiver = '\n[[concepts.mine.waivers]]\nfinding = "{}"\nwhere = "variants.it"\nreason = "So."'
    twice = 'pairs = [["he", "she"], ["she", "he"]]'
    (finding,) = lint_concept(made(twice + waiver.format("reversed-pair")))
    assert finding.waived == "So."
    found = lint_concept(made(twice + waiver.format("quoted")))
    assert [one.code for one in found] == ["reversed-pair", "unused-waiver"]


@given(st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5)).filter(lambda p: p[0] != p[1])))
def test_whatever_is_left_out_is_found(numbers: list[tuple[int, int]]) -> None:
    """A pair is found exactly when one of its words stood in an earlier pair."""
    listed = ", ".join(f'["w{one}", "w{other}"]' for one, other in numbers)
    found = lint_concept(made(f"pairs = [{listed}]")) if numbers else ()
    seen: set[int] = set()
    expected = []
    for at, pair in enumerate(numbers):
        if seen & {*pair}:
            turned = pair[::-1] in numbers[:at] and pair not in numbers[:at]
            expected.append(("reversed-pair" if turned else "duplicate-word", pair))
        seen |= {*pair}
    assert [(one.code, one.words) for one in found] == [
        (code, tuple(f"w{n}" for n in pair)) for code, pair in expected
    ]


# --- waivers ---


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


def test_without_waivers_every_finding_remains() -> None:
    assert reasons([ON, SIZES]) == [None, None]


def test_a_waiver_covers_its_finding_in_its_place() -> None:
    assert reasons([ON, MY, ELSEWHERE, SIZES], waiver()) == ["as printed", "as printed", None, None]


def test_a_waiver_with_words_covers_only_these() -> None:
    assert reasons([ON, MY], waiver("он")) == ["as printed", None]


def test_a_finding_without_words_is_covered_too() -> None:
    assert reasons([SIZES], waiver(finding="unequal-sizes")) == ["as printed"]


def test_the_first_waiver_gives_the_reason() -> None:
    assert reasons([ON], waiver("он", reason="first"), waiver(reason="second")) == ["first"]


def test_a_waiver_without_a_finding_is_a_finding() -> None:
    (finding,) = with_waivers([], [waiver()])
    assert (finding.code, finding.where, finding.waived) == ("unused-waiver", "t", None)


def test_a_waived_word_that_is_not_found_is_a_finding() -> None:
    waived, idle = with_waivers([ON], [waiver("он", "ты")])
    assert waived.waived == "as printed"
    assert (idle.code, idle.words) == ("unused-waiver", ("ты",))
    assert "ты" in idle.message


# --- concept draft ---


@loop_over("language", ["en", "ru", "hi", "ar", "ja", "el"])
@loop_over("name", ["my-own", "my_own", "1"])
def test_a_new_file_loads_and_has_no_findings(language: str, name: str) -> None:
    (draft,) = parse_concepts(new_concept(name, language, 'A "quoted" \\ title\x7f'))
    assert draft.name == f"{language}/{name}:pairs"
    assert draft.title == 'A "quoted" \\ title\x7f'
    assert lint_concept(draft) == ()
    assert len(draft.definition.pairs) >= 5
    assert len(draft.variants["one-pair"].pairs) == 1
    assert draft.about == "gender"


@pytest.mark.parametrize("language", ["ru", "hi"])
def test_examples_off_the_latin_script_show_how_to_help_readers(language: str) -> None:
    (draft,) = parse_concepts(new_concept("n", language))
    words = [*draft.definition.entries, *draft.specific]
    words += [word for each in draft.equalise for word in each]
    assert all(word.transliteration and word.gloss for word in words)
    assert not any("LATIN" in scripts(word.word) for word in words)


def test_every_comment_with_a_key_can_be_uncommented() -> None:
    text = new_concept()
    lines = text.splitlines()
    keys = ("# notes", "# [", "# pairs", "# finding", "# where", "# reason")
    opened = [line[2:] if line.startswith(keys) else line for line in lines]
    (draft,) = parse_concepts("\n".join(opened))
    assert draft.notes
    assert draft.keep["verbs"].pairs
    assert draft.waivers


@pytest.mark.parametrize(
    ("name", "language", "words"),
    [
        ("My own", "en", "concepts.My own is 'My own' and may hold only small letters"),
        ("mine", "English", "language is 'English' and must be an ISO 639 code"),
        ("gender", "en", "en/gender comes with fairvec; call yours otherwise, as in my-gender"),
        ('x"]', "en", "may hold only"),
        ("", "en", "may hold only"),
    ],
)
def test_names_that_the_file_could_not_have_are_refused(
    name: str, language: str, words: str
) -> None:
    with pytest.raises(LexiconError, match=words):
        new_concept(name, language)


# --- suite draft ---


@pytest.mark.parametrize("language", ["en", "ru", "hi", "ar", "ja", "el"])
def test_a_new_file_loads_and_has_no_findings_suite_draft(language: str) -> None:
    suite = parse_suite(new_suite("new-one", language, 'A "quoted" \\ title\x7f'))
    assert (suite.id, suite.language) == ("new-one", language)
    assert suite.title == 'A "quoted" \\ title\x7f'
    assert lint_suite(suite) == ()


@pytest.mark.parametrize("language", ["ru", "hi"])
def test_examples_off_the_latin_script_show_how_to_help_readers_suite_draft(language: str) -> None:
    words = [w for s in parse_suite(new_suite("n", language)).sets.values() for w in s.words]
    assert all(word.transliteration and word.gloss for word in words)
    assert not any("LATIN" in scripts(word.word) for word in words)


def test_every_comment_with_a_key_can_be_uncommented_suite_draft() -> None:
    lines = new_suite().splitlines()
    opened = [
        line[2:] if line.startswith(("# doi", "# notes", "# tags")) else line for line in lines
    ]
    suite = parse_suite("\n".join(opened))
    assert suite.doi
    assert suite.notes
    assert suite.tests[0].tags == ("translated",)


@pytest.mark.parametrize(("id", "language"), [("My suite", "en"), ("mine", "English")])
def test_names_that_the_file_could_not_have_are_refused_suite_draft(id: str, language: str) -> None:
    with pytest.raises(LexiconError, match="the new suite: "):
        new_suite(id, language)
