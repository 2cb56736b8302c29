"""Words that a fastText model has not seen are composed from their pieces, as in Python."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import fairvec
from fairvec.lexicon import select_tests
from fairvec.results import Result
from tests.cli.conftest import Shell

TEST, NAMES = "kumar2020/b1", "caliskan2017/weat-3"


@pytest.fixture
def model(tmp_path: Path) -> Path:
    """A fastText model that has seen all words of a test but three, two of them in one list."""
    fasttext = pytest.importorskip("gensim.models.fasttext", reason="gensim is not installed")
    (chosen,) = select_tests([TEST])
    words = [each.word for group in chosen.test.sets.values() for each in group.words]
    lost = {*[each.word for each in chosen.test.sets["x"].words][:2], words[-1]}
    text = [[word for word in words if word not in lost]] * 3
    made = fasttext.FastText(text, vector_size=8, min_count=1, bucket=500, workers=1, seed=1)
    fasttext.save_facebook_model(made, str(tmp_path / "pieces.bin"))
    return tmp_path / "pieces.bin"


def records(out: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in out.splitlines()]


def test_an_audit_composes_the_words_that_are_missing(shell: Shell, model: Path) -> None:
    answer = shell("audit", model, "--suite", TEST, "--json")
    assert answer.code == 0
    found = records(answer.out)[0]
    (chosen,) = select_tests([TEST])
    words = [each.word for group in chosen.test.sets.values() for each in group.words]
    known = fairvec.load(model)
    lost = sorted({word for word in words if word not in known})
    assert len(lost) == 3
    (result, *_) = fairvec.audit(fairvec.load(model, words=words), suites=TEST)
    assert isinstance(result, Result)
    assert found["effect"] == result.effect
    assert found["p"]["value"] == result.p.value
    assert all(not group["missing"] for group in found["coverage"])
    assert found["model"]["history"][-1]["composed"] == lost
    how = {word: rule for group in found["coverage"] for word, rule in group["how"].items()}
    assert how == dict.fromkeys(lost, "composed from pieces")
    assert "pieces: 3 of the words asked for are not in its vocabulary and were" in answer.err
    (without, *_) = fairvec.audit(known, suites=TEST)
    assert isinstance(without, Result)
    assert without.effect != result.effect


def test_python_composes_what_the_shell_does(shell: Shell, model: Path) -> None:
    (found, *_) = records(shell("audit", model, "--suite", TEST, "--json").out)
    for named in (model, str(model)):
        (result, *_) = fairvec.audit(named, suites=TEST)
        assert json.loads(result.model_dump_json()) == found


def test_the_words_that_a_test_needs_are_counted_with_them(shell: Shell, model: Path) -> None:
    (found, *_) = records(shell("audit", model, "--suite", TEST, "--json").out)
    quick = ("--draws", 40, "--longest", 3, "--json")
    answer = shell("suites", "needs", TEST, "--model", model, *quick)
    needed = json.loads(answer.out)
    assert (needed["effect"], needed["p"]) == (found["effect"], found["p"]["value"])
    assert "3 of the words asked for are not in its vocabulary" in answer.err


def test_lists_in_a_call_of_python_are_composed_too(model: Path) -> None:
    (chosen,) = select_tests([TEST])
    lists: dict[str, Any] = {
        role: [each.word for each in group.words] for role, group in chosen.test.sets.items()
    }
    (named, *_) = fairvec.audit(model, suites=TEST)
    (result, *_) = fairvec.audit(model, **lists)
    assert isinstance(result, Result)
    assert isinstance(named, Result)
    assert result.effect == named.effect
    assert [group.how for group in result.coverage] == [group.how for group in named.coverage]


def test_a_spelling_that_was_learnt_goes_before_pieces(shell: Shell, tmp_path: Path) -> None:
    """A list has names in capitals and the text had none: what was learnt is not composed."""
    fasttext = pytest.importorskip("gensim.models.fasttext", reason="gensim is not installed")
    (chosen,) = select_tests([NAMES])
    listed = [each.word for group in chosen.test.sets.values() for each in group.words]
    words = [word.lower() for word in listed]
    assert words != listed
    made = fasttext.FastText([words], vector_size=8, min_count=1, bucket=500, workers=1, seed=1)
    fasttext.save_facebook_model(made, str(tmp_path / "lower.bin"))
    answer = shell("audit", tmp_path / "lower.bin", "--suite", NAMES, "--json")
    (found, *_) = records(answer.out)
    assert "composed" not in found["model"]["history"][-1]
    assert "from their pieces" not in answer.err


def test_other_formats_compose_nothing(shell: Shell, tmp_path: Path) -> None:
    (chosen,) = select_tests([TEST])
    words = [each.word for group in chosen.test.sets.values() for each in group.words]
    rows = 2 + np.random.default_rng(0).normal(size=(len(words) - 1, 4))
    fairvec.save(fairvec.load(rows, keys=words[1:]), tmp_path / "plain.vec")
    answer = shell("audit", tmp_path / "plain.vec", "--suite", TEST, "--json")
    (found, *_) = records(answer.out)
    assert [one["missing"] for one in found["coverage"] if one["missing"]] != []
    assert "from their pieces" not in answer.err
