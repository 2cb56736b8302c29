import pytest

from fairvec.lexicon import concept, concepts
from tests.cli.conftest import Shell


def test_list_names_every_concept_with_its_default_first(shell: Shell) -> None:
    answer = shell("concepts", "list")
    assert answer.code == 0
    lines = {line.split()[0]: line for line in answer.out.splitlines()[1:]}
    assert lines.keys() == {each.id for each in concepts()}
    for each in concepts():
        line = lines[each.id]
        assert all(f"{name} (" in line for name in (*each.variants, *each.keep))
        places = [line.index(f"{name} (") for name in each.variants]
        assert line.index(f"{each.default} (") == min(places)


@pytest.mark.parametrize(
    ("name", "parts"),
    [
        ("en/gender", ["pairs (10 pairs)", "one-pair (1 pair)", "218", "Bolukbasi et al. 2016"]),
        ("en/race", ["sets (6 sets)", "Manzini et al. 2019"]),
        ("hi/religion", ["list (10 words)", "entities (8 words)", "Malik et al. 2022"]),
        ("ru/gender", ["Pestova"]),
    ],
)
def test_a_line_counts_words_and_names_authors(shell: Shell, name: str, parts: list[str]) -> None:
    lines = shell("concepts", "list").out.splitlines()
    (line,) = [line for line in lines if line.split()[0] == name]
    assert all(part in line for part in parts)


@pytest.mark.parametrize("name", [each.id for each in concepts()])
def test_show_prints_all_words(shell: Shell, name: str) -> None:
    answer, shown = shell("concepts", "show", name), concept(name)
    assert answer.code == 0
    assert shown.source in answer.out
    definitions = (*shown.variants.values(), *shown.keep.values())
    words = [*(word for each in definitions for word in each.entries), *shown.specific]
    words += [word for each in shown.equalise for word in each]
    assert all(word.word in answer.out for word in words)
    assert f"{name}:{shown.default}, the default" in answer.out


def test_show_prints_one_variant_if_it_is_named(shell: Shell) -> None:
    answer = shell("concepts", "show", "en/gender:one-pair")
    assert "he - she" in answer.out
    assert "guy - gal" not in answer.out


def test_sensitive_words_come_after_their_reason(shell: Shell) -> None:
    out = shell("concepts", "show", "hi/caste").out
    first = concept("hi/caste").definition.entries[0].word
    assert out.index("sensitive: ") < out.index(first)


def test_an_unknown_concept_is_bad_input(shell: Shell) -> None:
    answer = shell("concepts", "show", "en/gendr")
    assert answer.code == 2
    assert "did you mean en/gender" in answer.err
