"""A page says of a model that fairvec trained on what text, and says nothing of any other."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from fairvec import load
from fairvec.embedding.embedding import Step
from fairvec.embedding.saving import save
from fairvec.experiments.provenance import describe_model
from fairvec.papers import as_markdown, load_paper, reproduce
from fairvec.papers.show import describe_training
from fairvec.results import ModelIdentity
from fairvec.training.gensim_training import GensimModel
from fairvec.training.train import open_text, train_embedding
from tests.papers.conftest import Make


def identity(*history: dict[str, Any]) -> ModelIdentity:
    return ModelIdentity(
        name="m", sha256="0", geometry="euclidean", curvature=0, dimensions=2, words=2,
        history=history,
    )  # fmt: skip


def test_a_real_training_names_its_kind_text_hash_and_settings(tmp_path: Path) -> None:
    pytest.importorskip("gensim")
    file = tmp_path / "small.txt"
    file.write_text("a b a b a b\n" * 9, encoding="utf-8")
    text = open_text([file], "en", window=3)
    model = train_embedding(text, GensimModel("cbow", dimensions=2, epochs=2), threads=1)
    assert describe_training(describe_model(model)) == (
        f"trained with fairvec as cbow on small.txt (SHA-256 {text.sha256}), words plain, "
        "window 3, min count 5, epochs 2, seed 0"
    )


@pytest.mark.parametrize(
    ("history", "said"),
    [
        ((), ""),
        (({"action": "read", "corpus": ["a.txt"]},), ""),
        (({"action": "trained"},), "trained with fairvec as another kind"),
        (
            ({"action": "trained", "by": "glove", "corpus": "a.txt"}, {"action": "debias"}),
            "trained with fairvec as glove on a.txt",
        ),
        (
            ({"action": "trained", "by": "glove", "corpus": ["a", 7], "most_words": None},),
            "trained with fairvec as glove on a + 7",
        ),
    ],
    ids=["nothing", "read", "bare", "text", "odd"],
)
def test_only_what_a_history_says_is_told(history: tuple[dict[str, Any], ...], said: str) -> None:
    assert describe_training(identity(*history)) == said


def test_the_page_tells_it_beside_the_model(make_model: Make, tmp_path: Path) -> None:
    like = load(make_model(["pestova/e1"], dimensions=5))
    step = Step("trained", {"by": "skipgram", "corpus": ["news.txt"], "corpus_sha256": "abc"})
    save(replace(like, name="news", history=(step,)), tmp_path / "news.fairvec")
    found = reproduce(
        load_paper("pestova"), stand_ins={"news-skip": [str(tmp_path / "news.fairvec")]}
    )
    told = "euclidean; trained with fairvec as skipgram on news.txt (SHA-256 abc))\n"
    assert f"- news-skip: news ({len(like)} words, 5 dimensions, {told}" in as_markdown(found)
