"""Encoders in the shell: audit, distil, debias."""

import json
import shutil
from itertools import pairwise
from pathlib import Path

import pytest

import fairvec
from fairvec.core.errors import FileFormatError
from fairvec.experiments.debiasing.files import open_debiased_encoder
from fairvec.results import Result
from fairvec.results.records import Change
from tests.cli.conftest import Shell

FUNCTION = "python:tests.experiments.toys:encode_biased"
WEAT_6 = "caliskan2017/weat-6"
TWINS = "emb_glove_and_poincare_glove_en"


@pytest.fixture(autouse=True)
def own_home(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("FAIRVEC_HOME", str(tmp_path / "home"))


def test_an_encoder_is_audited_beside_word_vectors(shell: Shell, tmp_path: Path) -> None:
    answer = shell(
        "audit", FUNCTION, "glove-en-small", "--language", "en", "-s", WEAT_6, "-o", tmp_path / "o"
    )
    assert answer.code == 0, answer.err
    encoder, static, *answers = fairvec.read_results(tmp_path / "o")
    assert [one.model for one in answers] == [encoder.model, static.model]
    assert (encoder.metric, static.metric) == ("seat", "seat")
    assert encoder.model.encoder is not None
    assert static.model.encoder is None
    page = (tmp_path / "o" / "report.html").read_text(encoding="utf-8")
    assert "Encoder of 12 dimensions" in page


def test_compare_and_check_work_on_encoders(shell: Shell, tmp_path: Path) -> None:
    for name in ("a", "b"):
        assert (
            shell("audit", FUNCTION, "--language", "en", "-s", WEAT_6, "-o", tmp_path / name).code
            == 0
        )
    assert shell("compare", tmp_path / "a", tmp_path / "b").code == 0
    assert shell("check", tmp_path / "a", "--fail-if", "effect > 0.5").code == 1


def test_words_are_distilled(shell: Shell, tmp_path: Path) -> None:
    words = tmp_path / "words.txt"
    words.write_text("man\nwoman\ncareer\n", encoding="utf-8")
    target = tmp_path / "d.fairvec"
    answer = shell("distil", FUNCTION, "--language", "en", "--words", words, "-o", target)
    assert answer.code == 0, answer.err
    made = fairvec.load(target)
    assert list(made.keys) == ["man", "woman", "career"]
    assert made.languages == ("en",)
    assert "exists already" in shell("distil", FUNCTION, "--words", words, "-o", target).err


def test_words_are_distilled_in_contexts_of_a_corpus(shell: Shell, tmp_path: Path) -> None:
    words, corpus = tmp_path / "words.txt", tmp_path / "corpus.txt"
    words.write_text("man\nwoman\nqueen\n", encoding="utf-8")
    corpus.write_text("A man is here. The woman left.\n", encoding="utf-8")
    target = tmp_path / "d.fairvec"
    answer = shell("distil", FUNCTION, "--words", words, "--contexts", corpus, "-o", target)
    assert answer.code == 0, answer.err
    assert list(fairvec.load(target).keys) == ["man", "woman"]
    assert "1 of the 3 words wanted is in no sentence" in answer.err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["distil", FUNCTION], "--vocabulary N"),
        (["distil", "glove-en-small", "--vocabulary", "5"], "no encoder"),
        (["audit", "glove-en-small", "--layer", "1"], "are for encoders"),
        (["audit", FUNCTION, "--geometry", "poincare"], "only --language"),
        (["audit", FUNCTION], "--language"),
        (["audit", "owner/name"], "--download"),
        (["debias", FUNCTION, "--concept", "en/gender", "--max-memory", "1GB"], "max-memory"),
        (["debias", "glove-en-small", "--concept", "en/gender", "--contexts", "x"], "for encoders"),
        (["debias", FUNCTION, "--concept", "en/gender", "--force"], "is not written over"),
    ],
)
def test_what_cannot_be_is_refused(
    shell: Shell, tmp_path: Path, arguments: list[str], message: str
) -> None:
    out = [] if arguments[0] == "audit" else ["-o", tmp_path / "new.fairvec"]
    answer = shell(*arguments, *out)
    assert answer.code == 2
    assert message in answer.err
    assert not (tmp_path / "new.fairvec").exists()


def test_a_debiased_encoder_opens_as_an_encoder_again(
    shell: Shell, tmp_path: Path, shared_data: Path
) -> None:
    pytest.importorskip("torch", reason="torch is not installed")
    source = tmp_path / "bert"
    shutil.copytree(shared_data / "enc_bert_en", source)
    folder = tmp_path / "debiased"
    debias = ("debias", source, "--concept", "en/gender", "-s", WEAT_6, "-o", folder)
    answer = shell(*debias, "--holdout")
    assert answer.code == 0, answer.err
    before, after, *answers, change = fairvec.read_results(folder)
    assert isinstance(before, Result)
    assert isinstance(after, Result)
    assert isinstance(change, Change)
    assert [one.model for one in answers] == [before.model, after.model, after.model]
    assert [one.status for one in answers] == ["pooled", "pooled", "compared"]
    assert after.fitted_words == ()
    assert (folder / "report.html").is_file()
    again = shell("audit", folder, "-s", WEAT_6, "--json")
    record, _ = map(json.loads, again.out.splitlines())
    assert record["effect"] == pytest.approx(after.effect, abs=1e-9)
    assert record["model"]["sha256"] == after.model.sha256
    assert "exists already" in shell(*debias).err
    config = source / "config.json"
    config.write_text(config.read_text() + "\n")
    assert "its content has changed" in shell("audit", folder, "-s", WEAT_6).err
    (folder / "fairvec-encoder.json").write_text("{")
    assert "is damaged" in shell("audit", folder, "-s", WEAT_6).err


def test_the_language_of_real_encoders_is_found(shell: Shell, shared_data: Path) -> None:
    pytest.importorskip("torch", reason="torch is not installed")
    for name, suite in (("enc_bert_en", "caliskan2017"), ("enc_bert_hi", "malik2022")):
        answer = shell("audit", shared_data / name, "-m", "weat", "--interval", "none", "--no-keep")
        assert answer.code == 0, answer.err
        assert f"{name} fits" in answer.err
        assert suite in answer.err


def test_options_hold_for_the_models_that_they_are_for(
    shell: Shell, tmp_path: Path, shared_data: Path
) -> None:
    ball = tmp_path / "ball.npz"
    shutil.copy(shared_data / TWINS / "poincare_glove_enwiki2_50k_100d.npz", ball)
    bert = shared_data / "enc_bert_en"
    for models in ((bert, ball), (ball, bert)):
        answer = shell(
            "audit", *models, "--geometry", "poincare", "--pooling", "word", "-s", WEAT_6, "--json"
        )
        assert answer.code == 0, answer.err
        records = [json.loads(line)["model"] for line in answer.out.splitlines()]
        by_kind = {record["encoder"] is None: record for record in records}
        assert by_kind[True]["geometry"] == "poincare"
        assert by_kind[False]["encoder"]["pooling"] == "word"


def test_a_debiased_encoder_is_debiased_again(shell: Shell, tmp_path: Path) -> None:
    sources: list[str | Path] = [
        FUNCTION,
        tmp_path / "once",
        tmp_path / "twice",
        tmp_path / "thrice",
    ]
    for source, folder in pairwise(sources):
        debias = ("debias", source, "--language", "en", "--concept", "en/gender", "-s", WEAT_6)
        answer = shell(*debias, "-o", folder)
        assert answer.code == 0, answer.err
        _, after, *_ = fairvec.read_results(folder)
        again = shell("audit", folder, "-s", WEAT_6, "--json")
        assert again.code == 0, again.err
        models = [json.loads(line)["model"]["sha256"] for line in again.out.splitlines()]
        assert models == [after.model.sha256] * 2


def test_a_debiased_encoder_beside_its_own(shell: Shell, tmp_path: Path, shared_data: Path) -> None:
    pytest.importorskip("torch", reason="torch is not installed")
    source, folder = tmp_path / "bert", tmp_path / "debiased"
    shutil.copytree(shared_data / "enc_bert_en", source)
    word = ("--pooling", "word")
    debias = ("debias", source, *word, "--concept", "en/gender", "-s", WEAT_6, "-o", folder)
    assert shell(*debias).code == 0
    # Its numbers are said, so that a GPU does not read it in others than it was fitted on.
    assert json.loads((folder / "fairvec-encoder.json").read_text())["dtype"] == "float32"
    both = shell("audit", source, folder, *word, "-s", WEAT_6)
    assert both.code == 0, both.err
    assert "read with pooling word" in shell("audit", folder, "--pooling", "cls", "-s", WEAT_6).err
    without = shell("distil", folder, "--vocabulary", "5", "-o", tmp_path / "d.fairvec")
    assert "give --words FILE" in without.err
    source.rename(tmp_path / "elsewhere")
    gone = shell("audit", folder, "-s", WEAT_6)
    assert gone.code == 2
    assert "fairvec-encoder.json" in gone.err


def test_an_elmo_has_no_vocabulary_to_distil(
    shell: Shell, tmp_path: Path, shared_data: Path
) -> None:
    target = tmp_path / "d.fairvec"
    answer = shell("distil", shared_data / "enc_elmo_hi", "--vocabulary", "5", "-o", target)
    assert answer.code == 2
    assert "give --words FILE" in answer.err


def test_a_folder_does_not_hide_a_model_of_the_catalogue(
    shell: Shell, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for _ in range(2):
        answer = shell("audit", "glove-en-small", "-s", WEAT_6, "-o", "glove-en-small")
        assert answer.code == 0, answer.err


@pytest.mark.parametrize("command", ["neighbours", "convert", "frontier"])
def test_a_command_for_words_says_how_an_encoder_gets_some(
    shell: Shell, tmp_path: Path, shared_data: Path, command: str
) -> None:
    rest: dict[str, list[object]] = {
        "neighbours": ["king"],
        "convert": [tmp_path / "new.txt"],
        "frontier": ["--concept", "en/gender", "-o", tmp_path / "new"],
    }
    answer = shell(command, shared_data / "enc_bert_en", *rest[command])
    assert answer.code == 2
    assert "fairvec distil" in answer.err


def test_python_says_what_opens_a_debiased_folder(shell: Shell, tmp_path: Path) -> None:
    folder = tmp_path / "once"
    debias = ("debias", FUNCTION, "--language", "en", "--concept", "en/gender", "-s", WEAT_6)
    assert shell(*debias, "-o", folder).code == 0
    with pytest.raises(FileFormatError, match=r"fairvec\.as_model\("):
        fairvec.open_encoder(folder)
    assert "linear-projection en/gender" in fairvec.as_model(folder).name
    assert open_debiased_encoder(folder).languages == ("en",)


@pytest.mark.parametrize("folders", [["one"], ["one", "two"]])
def test_what_is_made_of_itself_is_refused(folders: list[str], tmp_path: Path) -> None:
    """Each is made of the next one, and the last of the first."""
    record = {"version": 1, "sha256": "", "name": "x", "languages": ["en"], "layer": "last"}
    for folder, source in zip(folders, [*folders[1:], folders[0]], strict=True):
        (tmp_path / folder).mkdir()
        made_of = {"encoder": str(tmp_path / source), "pooling": None, "dtype": "float32"}
        (tmp_path / folder / "fairvec-encoder.json").write_text(json.dumps(record | made_of))
    with pytest.raises(FileFormatError, match="made of itself"):
        open_debiased_encoder(tmp_path / folders[0])


def test_an_encoder_with_a_name_that_no_folder_has_is_damage(tmp_path: Path) -> None:
    record = {"version": 1, "sha256": "", "name": "x", "languages": ["en"], "layer": "last"}
    made_of = {"encoder": "a" * 5000, "pooling": None, "dtype": "float32"}
    (tmp_path / "fairvec-encoder.json").write_text(json.dumps(record | made_of))
    with pytest.raises(FileFormatError, match="is damaged"):
        open_debiased_encoder(tmp_path)
