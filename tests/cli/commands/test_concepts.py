from pathlib import Path

import pytest

from fairvec.lexicon import concept, read_concepts, shipped_concepts
from tests.cli.conftest import Shell


def test_list_names_every_concept_with_its_default_first(shell: Shell) -> None:
    answer = shell("concepts", "list")
    assert answer.code == 0
    lines = {line.split()[0]: line for line in answer.out.splitlines()[1:]}
    assert lines.keys() == {each.id for each in shipped_concepts()}
    for each in shipped_concepts():
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


@pytest.mark.parametrize("name", [each.id for each in shipped_concepts()])
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
    assert "your own is chosen by the path of its .toml file" in answer.err


def test_the_shipped_concepts_are_clean(shell: Shell) -> None:
    answer = shell("concepts", "lint")
    assert (answer.code, answer.out) == (0, "")
    assert f"{len(shipped_concepts())} concepts, 0 findings" in answer.err


@pytest.fixture
def mine(shell: Shell, tmp_path: Path) -> Path:
    """A new concept file as the shell writes it."""
    path = tmp_path / "mine.toml"
    assert shell("concepts", "new", path).code == 0
    return path


def test_a_new_concept_is_clean_and_can_be_shown(shell: Shell, mine: Path) -> None:
    assert shell("concepts", "lint", mine)[:2] == (0, "")
    (draft,) = read_concepts(mine)
    answer = shell("concepts", "show", mine)
    assert answer.code == 0
    assert "en/mine:pairs, the default" in answer.out
    assert all(word.word in answer.out for word in draft.definition.entries)
    one = shell("concepts", "show", f"{mine}:one-pair")
    assert "he - she" in one.out
    assert "man - woman" not in one.out
    answer = shell("concepts", "show", f"{mine}:one-par")
    assert answer.code == 2
    assert "did you mean one-pair" in answer.err


def test_a_concept_of_ones_own_is_taken_wherever_one_is(
    shell: Shell, mine: Path, tmp_path: Path
) -> None:
    answer = shell("biased-analogies", "glove-en-small", "--concept", mine, "--count", 2)
    assert answer.code == 0
    assert "he is to x as she is to y" in answer.err
    new = tmp_path / "new.vec"
    short = tmp_path / "short.toml"
    assert shell("suites", "new", short).code == 0
    by = ("--suite", "caliskan2017/weat-7", "--suite", short)
    one = f"{mine}:one-pair"
    answer = shell("debias", "glove-en-small", "--concept", one, *by, "-o", new)
    assert answer.code == 0
    assert "Fitted on 2 words: he, she" in answer.err
    page = (tmp_path / "new.vec.run" / "report.html").read_text(encoding="utf-8")
    assert "en/mine:one-pair" in page
    how = ("--method", "linear-projection", "--strengths", "1", *by, "-o", tmp_path / "front")
    answer = shell("frontier", "glove-en-small", "--concept", mine, *how)
    assert answer.code == 0
    lines = (tmp_path / "front" / "frontier.jsonl").read_text(encoding="utf-8")
    assert '"tests":["caliskan2017/weat-7"]' in lines  # by its category: gender


def test_analogies_of_ones_own_list_name_the_variant_as_it_is_typed(
    shell: Shell, mine: Path
) -> None:
    text = mine.read_text(encoding="utf-8").replace('default = "pairs"', 'default = "list"')
    listed = '[concepts.mine.variants.list]\nwords = ["he", "she", "him"]\n'
    mine.write_text(text + listed, encoding="utf-8")
    answer = shell("biased-analogies", "glove-en-small", "--concept", mine)
    assert answer.code == 2
    assert f"choose {mine}:pairs or {mine}:one-pair" in answer.err


def test_a_finding_fails_the_lint_unless_it_is_waived(shell: Shell, mine: Path) -> None:
    text = mine.read_text(encoding="utf-8").replace('["man", "woman"]', '["she", "he"]')
    mine.write_text(text, encoding="utf-8")
    answer = shell("concepts", "lint", mine)
    assert answer.code == 1
    assert answer.out.strip() == (
        "en/mine: reversed-pair: she - he in variants.pairs is he - she turned round, and is left "
        "out"
    )
    waiver = (
        '[[concepts.mine.waivers]]\nfinding = "reversed-pair"\nwhere = "variants.pairs"\n'
        'reason = "as published"\n'
    )
    mine.write_text(text + waiver, encoding="utf-8")
    assert shell("concepts", "lint", mine)[:2] == (0, "")
    assert "(waived: as published)" in shell("concepts", "lint", mine, "--waived").out


@pytest.mark.parametrize("name", ["mine.yaml", "taken.toml", "gender.toml", "My own.toml"])
def test_new_never_writes_over_or_what_cannot_be_read(
    shell: Shell, tmp_path: Path, name: str
) -> None:
    (tmp_path / "taken.toml").write_text("precious")
    answer = shell("concepts", "new", tmp_path / name)
    assert answer.code == 2
    assert answer.err.startswith("error: ")
    assert answer.err.count("\n") == 1
    assert [file.name for file in tmp_path.iterdir()] == ["taken.toml"]
    assert (tmp_path / "taken.toml").read_text() == "precious"


@pytest.mark.parametrize("command", ["concepts show", "concepts lint", "biased-analogies m -c"])
def test_an_odd_file_answers_in_one_sentence(shell: Shell, tmp_path: Path, command: str) -> None:
    path = tmp_path / "odd.toml"
    path.write_bytes("version = 1".encode("utf-16"))
    words = command.replace("-c", "--concept").split()
    answer = shell(*words, path)
    assert (answer.code, answer.out) == (2, "")
    assert answer.err == f"error: {path}, line 1: this is not UTF-8; save it as UTF-8.\n"
