"""An augmented text gives another model, and its history says by what."""

from pathlib import Path

import numpy as np
import pytest

from fairvec.core.errors import SettingError
from fairvec.embedding import Embedding
from fairvec.languages.people import paired_names
from fairvec.lexicon import concept, counterparts
from fairvec.training.augment import Augmentation
from fairvec.training.encode import Cut
from fairvec.training.gensim_training import GensimModel
from fairvec.training.models import Glove
from fairvec.training.train import Kind, TrainingText, train_embedding

SWAPS = counterparts(concept("en/gender"))
LINES = ["He is a doctor and the king is his father.", "She is a nurse."] * 20


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    path = tmp_path / "corpus.txt"
    path.write_text("\n".join(LINES), encoding="utf-8")
    return path


def text(corpus: Path, augmentation: Augmentation | None) -> TrainingText:
    return TrainingText((corpus,), "en", cut=Cut(1), window=3, augmentation=augmentation)


def trained(corpus: Path, kind: Kind, augmentation: Augmentation | None) -> Embedding:
    return train_embedding(text(corpus, augmentation), kind, threads=1)


@pytest.mark.parametrize(
    "kind", [Glove(4, 2), GensimModel("skipgram", 4, 1)], ids=["glove", "skipgram"]
)
def test_counts_are_those_of_the_text_that_is_made(corpus: Path, kind: Kind) -> None:
    if isinstance(kind, GensimModel):
        pytest.importorskip("gensim")
    counted = {}
    for by in (None, "augmentation", "substitution"):
        model = trained(corpus, kind, Augmentation("en/gender", SWAPS, (), by) if by else None)
        assert model.counts is not None
        counted[by] = dict(zip(model.keys, np.asarray(model.counts).tolist(), strict=True))
    plain, doubled, by_coin = counted.values()
    assert (plain["he"], plain["she"]) == (20, 20)
    assert "queen" not in plain
    assert (doubled["king"], doubled["queen"], doubled["doctor"]) == (20, 20, 40)
    assert sum(doubled.values()) == 2 * sum(plain.values())
    assert sum(by_coin.values()) == sum(plain.values())
    assert by_coin["king"] + by_coin["queen"] == 20
    assert by_coin["queen"] > 0


def test_the_history_and_the_identity_of_checkpoints_differ(corpus: Path) -> None:
    ways = [
        None,
        Augmentation("en/gender", SWAPS),
        Augmentation("en/gender", SWAPS, (), "substitution"),
        Augmentation("en/gender", SWAPS, (), "substitution", 1),
        Augmentation("en/gender", SWAPS[:4]),
        Augmentation("en/gender", SWAPS, paired_names("en")),
    ]
    about = [text(corpus, way).about for way in ways]
    assert len({repr(each) for each in about}) == len(ways)
    assert not any("augment" in key for key in about[0])
    (step,) = trained(corpus, Glove(4, 2), ways[1]).history
    assert step.details["augmented_with"] == "en/gender"
    assert step.details["augmented_by"] == "augmentation"


def test_an_audit_knows_that_swapped_words_are_no_evidence(corpus: Path) -> None:
    (plain,) = trained(corpus, Glove(4, 2), None).history
    (step,) = trained(corpus, Glove(4, 2), Augmentation("en/gender", SWAPS)).history
    assert "fitted_on" not in plain.details
    swapped = ["he", "she", "his", "her", "king", "queen", "father", "mother"]
    assert {*step.details["fitted_on"]} == {*swapped}


def test_words_of_another_language_or_of_no_line_are_refused(corpus: Path, tmp_path: Path) -> None:
    with pytest.raises(SettingError, match="choose a concept of its language"):
        text(corpus, Augmentation("hi/gender", counterparts(concept("hi/gender"))))
    bare = tmp_path / "bare.txt"
    bare.write_text("a dog barks at a cat\n" * 9, encoding="utf-8")
    for kind in (Glove(4, 2), GensimModel("cbow", 4, 1)):
        with pytest.raises(SettingError, match="among the 5 words of the text"):
            trained(bare, kind, Augmentation("en/gender", SWAPS))
