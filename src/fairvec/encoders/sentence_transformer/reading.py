"""A folder of sentence-transformers as a text model."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from fairvec.encoders.choices import AS_GIVEN, Choices
from fairvec.encoders.model_folder import checked_folder, object_if_any, required, told
from fairvec.encoders.sentence_transformer.dense import DenseLayer, read_dense
from fairvec.encoders.sentence_transformer.modules import LIST, ListedModule, modules_of
from fairvec.encoders.sentence_transformer.pooling_modes import pooling_modes
from fairvec.encoders.tensors import tensor_file
from fairvec.encoders.text_model import TextModel
from fairvec.encoders.token_means import TokenMeans, refuse_choices
from fairvec.encoders.transformer import read_transformer
from fairvec.encoders.transformer.model import TransformerModel
from fairvec.encoders.vector_steps import UnitLength, VectorStep
from fairvec.ground.disk.files import text_of
from fairvec.ground.errors import FileFormatError
from fairvec.ground.text.json_text import json_of

ABOUT = "config_sentence_transformers.json"
_ARGUMENTS = ("model_args", "model_kwargs", "tokenizer_args", "processor_kwargs", "config_args")
_EMPTY = (*_ARGUMENTS, "config_kwargs", "processing_kwargs", "query_length", "query_expansion")
_TEXT = {"method": "forward", "method_output_name": "last_hidden_state"}


def recognises(folder: Path) -> bool:
    """Say whether a folder lists modules."""
    return (folder / LIST).is_file()


def read_sentence_transformer(folder: Path, choices: Choices = AS_GIVEN) -> TextModel:
    """Return the model of a folder, as its modules say.

    Where a layer or pooling is chosen, the transformer is read plain, with these choices: without
    the folder's pooling, dense layers, normalisation and prompt.
    """
    modules = modules_of(checked_folder(folder))
    first = modules[0]
    if first.kind == "StaticEmbedding":
        refuse_choices(folder, choices)
        return _static(folder, modules)
    if first.kind != "Transformer":
        raise FileFormatError(f"{folder / LIST} begins with {first.kind}; it must be Transformer.")
    plain = replace(read_transformer(first.folder, choices), name=folder.name)
    said = _calling(first)
    lower = bool(said.get("do_lower_case"))
    words = {"lower-cased": True} if lower else {}
    if choices.layer != "last" or choices.pooling is not None:
        how = {"read as": "plain transformer"}
        return replace(plain, lower=lower, settings={**plain.settings, **how, **words})
    return _whole(folder, modules, replace(plain, lower=lower), said, words)


def _whole(
    folder: Path,
    modules: Sequence[ListedModule],
    plain: TransformerModel,
    said: Mapping[str, Any],
    words: Mapping[str, Any],
) -> TransformerModel:
    if len(modules) < 2 or modules[1].kind != "Pooling":
        raise FileFormatError(
            f"{folder / LIST} names no Pooling after the Transformer; choose a pooling."
        )
    first, pooling, *rest = modules
    _check_calling(first, said)
    prompt = _prompt(folder)
    poolings = pooling_modes(pooling, prompt)
    after = _after(rest)
    settings = {
        "kind": "sentence-transformers",
        "model": plain.description.kind,
        "pooling": "+".join(poolings),
        **_in_words(rest, prompt),
        **words,
        "numbers": plain.numbers,
    }
    # The transformer's own limit holds where this one is set beyond it.
    cut = told(first.transformer_file or first.folder, said, "max_seq_length", int)
    limits = [cut, plain.description.positions]
    known = [each for each in limits if each is not None] if limits[0] else [plain.longest]
    return replace(
        plain,
        root=folder,
        poolings=poolings,
        settings=settings,
        longest=min((each for each in known if each is not None), default=None),
        prompt=prompt,
        after=after,
        files=_files(folder, modules, after),
    )


def _static(folder: Path, modules: Sequence[ListedModule]) -> TokenMeans:
    first, *rest = modules
    tokenizer = required(first.folder / "tokenizer.json")
    after, prompt = _after(rest), _prompt(folder)
    settings = {
        "kind": "sentence-transformers",
        "model": "static embedding",
        "pooling": "mean",
        **_in_words(rest, prompt),
        "numbers": "float32",
    }
    return TokenMeans(
        folder,
        tokenizer,
        tensor_file(first.folder),
        ("embedding.weight", "embeddings"),
        settings,
        _cut_at(tokenizer),
        prompt=prompt,
        after=after,
        files=_files(folder, modules, after),
    )


def _calling(module: ListedModule) -> dict[str, Any]:
    return object_if_any(module.transformer_file) if module.transformer_file else {}


def _check_calling(module: ListedModule, said: Mapping[str, Any]) -> None:
    """Raise if the transformer is to be called in a way that is not known here."""
    module.expect(said, "transformer_task", "feature-extraction")
    module.expect(said, "module_output_name", "token_embeddings")
    file = module.transformer_file or module.folder
    text = (told(file, said, "modality_config", dict) or {}).get("text", _TEXT)
    if text != _TEXT:
        raise module.refuse("modality_config", text)
    for name in _EMPTY:
        module.expect(said, name)


def _prompt(folder: Path) -> str:
    """Return what is put before every text unless another prompt is asked for."""
    about = object_if_any(folder / ABOUT)
    file = folder / ABOUT
    kind = about.get("model_type", "SentenceTransformer")
    name = told(file, about, "default_prompt_name", str)
    prompts = told(file, about, "prompts", dict) or {}
    if kind != "SentenceTransformer" or (name is not None and name not in prompts):
        wrong = f"model_type {kind}" if name in (None, *prompts) else f"default prompt {name}"
        raise FileFormatError(
            f"{folder / ABOUT}: its {wrong} is not known here; take a plain sentence-transformers "
            "model."
        )
    return "" if name is None else str(prompts[name] or "")


def _after(modules: Sequence[ListedModule]) -> tuple[VectorStep, ...]:
    steps: list[VectorStep] = []
    for module in modules:
        match module.kind:
            case "Dense":
                steps.append(read_dense(module))
            case "Normalize":
                for name in ("module_input_name", "module_output_name"):
                    module.expect(module.config, name, "sentence_embedding")
                steps.append(UnitLength())
            case "Dropout":
                pass  # it does nothing outside training
            case _:
                raise module.refuse("its place in the list", len(steps))
    return tuple(steps)


def _in_words(rest: Sequence[ListedModule], prompt: str) -> dict[str, Any]:
    then = ", ".join(module.kind for module in rest)
    return {name: value for name, value in (("then", then), ("prompt", prompt)) if value}


def _files(
    folder: Path, modules: Sequence[ListedModule], after: Sequence[VectorStep]
) -> tuple[Path, ...]:
    named = [folder / LIST, folder / ABOUT, *(one.folder / "config.json" for one in modules)]
    named += [one.transformer_file for one in modules if one.transformer_file]
    named += [step.file for step in after if isinstance(step, DenseLayer)]
    return tuple(path for path in dict.fromkeys(named) if path.is_file())


def _cut_at(tokenizer: Path) -> int | None:
    """Return after how many tokens a tokenizer file says that text is cut."""
    try:
        cut = json_of(text_of(tokenizer, "tokenizer", FileFormatError), lenient=True).get(
            "truncation"
        )
        return None if cut is None else int(cut["max_length"])
    except (ValueError, TypeError, KeyError, AttributeError) as error:
        raise FileFormatError(
            f"{tokenizer} is no tokenizer ({error}); copy or download it again."
        ) from error
