"""Tiny transformers with random weights and a tokenizer of a few words, saved to a folder."""

import json
from pathlib import Path
from typing import Any

import torch
import transformers
from tokenizers import Tokenizer, decoders, models, normalizers, pre_tokenizers, trainers
from tokenizers.processors import TemplateProcessing
from transformers import PreTrainedTokenizerFast

# On a busy machine threads wait for one another longer than such small products take.
torch.set_num_threads(1)

TEXTS = [
    "this is a king",
    "the queen of maths and arts",
    "a kingdom",
    "она королева",
    "यह रानी है",
]
WIDTH, DEPTH, LONGEST = 16, 2, 40

_BERT = {"hidden_size": WIDTH, "num_hidden_layers": DEPTH, "num_attention_heads": 2}
_COMMON = {**_BERT, "intermediate_size": 20, "max_position_embeddings": LONGEST}
KINDS: dict[str, tuple[str, dict[str, Any]]] = {
    "Bert": ("pieces", _COMMON),
    "Roberta": ("bytes", {**_COMMON, "max_position_embeddings": LONGEST + 2}),
    "XLMRoberta": ("spaces", {**_COMMON, "max_position_embeddings": LONGEST + 2}),
    "Albert": ("spaces", {**_COMMON, "embedding_size": 8}),
    "DistilBert": (
        "pieces",
        {
            "dim": WIDTH,
            "n_layers": DEPTH,
            "n_heads": 2,
            "hidden_dim": 20,
            "max_position_embeddings": LONGEST,
        },
    ),
    "ModernBert": ("bytes", {**_COMMON, "cls_token_id": 2, "sep_token_id": 3}),
    "GPT2": (
        "bytes",
        {"n_embd": WIDTH, "n_layer": DEPTH, "n_head": 2, "n_positions": LONGEST},
    ),
    "Llama": ("spaces", {**_COMMON, "num_key_value_heads": 1}),
}
DECODERS = ("GPT2", "Llama")
SPECIAL = ["<unk>", "<pad>", "<s>", "</s>"]


def tokenizer_of(kind: str, *, framed: bool = True) -> Tokenizer:
    """WordPiece, byte-level BPE or Unigram, trained on the texts."""
    trainer: Any
    if kind == "pieces":
        made = Tokenizer(models.WordPiece(unk_token="<unk>"))
        made.normalizer = normalizers.BertNormalizer(lowercase=False, strip_accents=False)
        made.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
        trainer = trainers.WordPieceTrainer(vocab_size=90, special_tokens=SPECIAL)
    elif kind == "bytes":
        made = Tokenizer(models.BPE())
        made.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
        made.decoder = decoders.ByteLevel()
        trainer = trainers.BpeTrainer(
            vocab_size=330,
            special_tokens=SPECIAL,
            initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
        )
    else:
        made = Tokenizer(models.Unigram())
        made.pre_tokenizer = pre_tokenizers.Metaspace()
        made.decoder = decoders.Metaspace()
        trainer = trainers.UnigramTrainer(
            vocab_size=80, special_tokens=SPECIAL, unk_token="<unk>", show_progress=False
        )
    trainer.show_progress = False
    made.train_from_iterator(TEXTS * 3, trainer)
    if framed:
        ends = [("<s>", 2), ("</s>", 3)]
        made.post_processor = TemplateProcessing("<s> $A </s>", special_tokens=ends)
    return made


def tiny(kind: str, folder: Path, *, max_length: int | None = None, **changes: Any) -> Path:
    """Save a tiny model of a kind, such as Bert; the weights differ enough to tell layers apart."""
    tokens, settings = KINDS[kind]
    decoder = kind in DECODERS
    inner = tokenizer_of(tokens, framed=not decoder)
    names = ["input_ids", "attention_mask"]
    if kind in ("Bert", "Albert"):
        names.insert(1, "token_type_ids")
    ends = {} if decoder else {"pad_token": "<pad>", "bos_token": "<s>", "eos_token": "</s>"}
    make: Any = PreTrainedTokenizerFast  # it has no types
    tokenizer = make(
        tokenizer_object=inner,
        unk_token="<unk>",
        model_input_names=names,
        **ends,
        **({} if max_length is None else {"model_max_length": max_length}),
    )
    torch.manual_seed(0)
    numbers = {} if decoder else {"pad_token_id": 1}
    ends_of = {"bos_token_id": 2, "eos_token_id": 3}
    config = getattr(transformers, f"{kind}Config")(
        vocab_size=inner.get_vocab_size(),
        initializer_range=0.5,
        **{**settings, **numbers, **ends_of, **changes},
    )
    model = getattr(transformers, f"{kind}Model")(config).eval()
    model.save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    return folder


def rewrite(path: Path, **changes: Any) -> None:
    """Change entries of a JSON file; None removes one."""
    options = json.loads(path.read_text()) | changes
    path.write_text(
        json.dumps({name: value for name, value in options.items() if value is not None})
    )
