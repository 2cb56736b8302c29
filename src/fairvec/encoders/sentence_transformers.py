"""Folders of sentence-transformers, read and run without that package.

modules.json lists the modules: a Transformer or StaticEmbedding, then Pooling, Dense, Normalize and
Dropout. Any other module, and any setting that would change vectors in an unknown way, is refused.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path, PurePosixPath
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fairvec.core.errors import FileFormatError, UnsafeFileError
from fairvec.core.io.read_files import is_file, read_text
from fairvec.core.parsing import parse_json
from fairvec.core.text import short_repr
from fairvec.encoders.base import AS_GIVEN, Choices, TextModel
from fairvec.encoders.model2vec import TokenAverage, refuse_choices
from fairvec.encoders.model_folder import (
    json_field,
    optional_json_object,
    read_json,
    read_tensors,
    require_file,
    require_folder,
    tensor_file,
)
from fairvec.encoders.pooling import Normalize, VectorStep
from fairvec.encoders.transformer import read_transformer
from fairvec.encoders.transformer.model import TransformerModel
from fairvec.geometry import FloatArray

LIST = "modules.json"
KNOWN = ("Transformer", "StaticEmbedding", "Pooling", "Dense", "Normalize", "Dropout")
_PACKAGE = "sentence_transformers."
_TRANSFORMERS = ("bert", "roberta", "distilbert", "camembert", "albert", "xlm-roberta", "xlnet")

ABOUT = "config_sentence_transformers.json"
_ARGUMENTS = ("model_args", "model_kwargs", "tokenizer_args", "processor_kwargs", "config_args")
_EMPTY = (*_ARGUMENTS, "config_kwargs", "processing_kwargs", "query_length", "query_expansion")
_TEXT = {"method": "forward", "method_output_name": "last_hidden_state"}


@dataclass(frozen=True)
class ListedModule:
    """One module: its kind and its folder."""

    kind: str
    folder: Path

    @cached_property
    def config(self) -> dict[str, Any]:
        """The content of its config.json, empty if it has none."""
        return optional_json_object(self.folder / "config.json")

    @cached_property
    def transformer_file(self) -> Path | None:
        """The file that says how sentence-transformers calls the transformer, if there is one."""
        names = [self.folder / f"sentence_{name}_config.json" for name in _TRANSFORMERS]
        return next((path for path in names if is_file(path)), None)

    def refuse(self, name: str, value: Any) -> FileFormatError:
        """Return the error for a setting that would change vectors in an unknown way."""
        return FileFormatError(
            f"{self.folder}: the module {self.kind} has {name} = {short_repr(value)}, which is not "
            "followed here; choose a pooling to read the plain transformer, or hand "
            "sentence-transformers itself over as a function."
        )

    def expect(self, config: Mapping[str, Any], name: str, *allowed: Any) -> None:
        """Raise unless a setting is left out, empty or one of those allowed."""
        value = config.get(name)
        if value and value not in allowed:
            raise self.refuse(name, value)


def recognises(folder: Path) -> bool:
    """Say whether a folder lists modules."""
    return (folder / LIST).is_file()


def read_sentence_transformer(folder: Path, choices: Choices = AS_GIVEN) -> TextModel:
    """Return the model of a folder, as its modules say.

    Where a layer or pooling is chosen, the transformer is read plain, with these choices: without
    the folder's pooling, dense layers, normalisation and prompt.
    """
    modules = read_modules(require_folder(folder))
    first = modules[0]
    if first.kind == "StaticEmbedding":
        refuse_choices(folder, choices)
        return _static(folder, modules)
    if first.kind != "Transformer":
        raise FileFormatError(f"{folder / LIST} begins with {first.kind}; it must be Transformer.")
    plain = replace(read_transformer(first.folder, choices), name=folder.name)
    config = _transformer_config(first)
    lower = bool(config.get("do_lower_case"))
    lowercase = {"lower-cased": True} if lower else {}
    if choices.layer != "last" or choices.pooling is not None:
        reading = {"read as": "plain transformer"}
        return replace(plain, lower=lower, record={**plain.settings, **reading, **lowercase})
    return _with_modules(folder, modules, replace(plain, lower=lower), config, lowercase)


def _with_modules(
    folder: Path,
    modules: Sequence[ListedModule],
    plain: TransformerModel,
    config: Mapping[str, Any],
    lowercase: Mapping[str, Any],
) -> TransformerModel:
    if len(modules) < 2 or modules[1].kind != "Pooling":
        raise FileFormatError(
            f"{folder / LIST} names no Pooling after the Transformer; choose a pooling."
        )
    first, pooling, *rest = modules
    _check_transformer_config(first, config)
    prompt = _prompt(folder)
    poolings = pooling_modes(pooling, prompt)
    after = _vector_steps(rest)
    settings = {
        "kind": "sentence-transformers",
        "model": plain.description.kind,
        "pooling": "+".join(poolings),
        **_settings_of(rest, prompt),
        **lowercase,
        "dtype": plain.dtype,
    }
    # The transformer's own limit holds where it is the smaller one.
    max_length = json_field(first.transformer_file or first.folder, config, "max_seq_length", int)
    limits = [max_length, plain.description.positions]
    known = [limit for limit in limits if limit is not None] if limits[0] else [plain.longest]
    return replace(
        plain,
        root=folder,
        poolings=poolings,
        record=settings,
        longest=min((limit for limit in known if limit is not None), default=None),
        prompt=prompt,
        after=after,
        files=_files(folder, modules, after),
    )


def _static(folder: Path, modules: Sequence[ListedModule]) -> TokenAverage:
    first, *rest = modules
    tokenizer = require_file(first.folder / "tokenizer.json")
    after, prompt = _vector_steps(rest), _prompt(folder)
    settings = {
        "kind": "sentence-transformers",
        "model": "static embedding",
        "pooling": "mean",
        **_settings_of(rest, prompt),
        "dtype": "float32",
    }
    return TokenAverage(
        folder,
        tokenizer,
        tensor_file(first.folder),
        ("embedding.weight", "embeddings"),
        settings,
        _truncation(tokenizer),
        prompt=prompt,
        after=after,
        files=_files(folder, modules, after),
    )


def _transformer_config(module: ListedModule) -> dict[str, Any]:
    return optional_json_object(module.transformer_file) if module.transformer_file else {}


def _check_transformer_config(module: ListedModule, config: Mapping[str, Any]) -> None:
    """Raise if the transformer is to be called in an unknown way."""
    module.expect(config, "transformer_task", "feature-extraction")
    module.expect(config, "module_output_name", "token_embeddings")
    file = module.transformer_file or module.folder
    text = (json_field(file, config, "modality_config", dict) or {}).get("text", _TEXT)
    if text != _TEXT:
        raise module.refuse("modality_config", text)
    for name in _EMPTY:
        module.expect(config, name)


def _prompt(folder: Path) -> str:
    """Return the default prompt, which is put before every text."""
    about = optional_json_object(folder / ABOUT)
    file = folder / ABOUT
    kind = about.get("model_type", "SentenceTransformer")
    name = json_field(file, about, "default_prompt_name", str)
    prompts = json_field(file, about, "prompts", dict) or {}
    if kind != "SentenceTransformer" or (name is not None and name not in prompts):
        wrong = f"model_type {kind}" if name in (None, *prompts) else f"default prompt {name}"
        raise FileFormatError(
            f"{folder / ABOUT}: its {wrong} is not known here; take a plain sentence-transformers "
            "model."
        )
    return "" if name is None else str(prompts[name] or "")


def _vector_steps(modules: Sequence[ListedModule]) -> tuple[VectorStep, ...]:
    steps: list[VectorStep] = []
    for module in modules:
        match module.kind:
            case "Dense":
                steps.append(read_dense(module))
            case "Normalize":
                for name in ("module_input_name", "module_output_name"):
                    module.expect(module.config, name, "sentence_embedding")
                steps.append(Normalize())
            case "Dropout":
                pass  # it does nothing outside training
            case _:
                raise module.refuse("its place in the list", len(steps))
    return tuple(steps)


def _settings_of(rest: Sequence[ListedModule], prompt: str) -> dict[str, Any]:
    then = ", ".join(module.kind for module in rest)
    return {name: value for name, value in (("then", then), ("prompt", prompt)) if value}


def _files(
    folder: Path, modules: Sequence[ListedModule], after: Sequence[VectorStep]
) -> tuple[Path, ...]:
    paths = [folder / LIST, folder / ABOUT, *(module.folder / "config.json" for module in modules)]
    paths += [module.transformer_file for module in modules if module.transformer_file]
    paths += [step.file for step in after if isinstance(step, DenseLayer)]
    return tuple(path for path in dict.fromkeys(paths) if path.is_file())


def _truncation(tokenizer: Path) -> int | None:
    """Return after how many tokens a tokenizer truncates texts; None if it does not."""
    try:
        truncation = parse_json(
            read_text(tokenizer, "tokenizer", FileFormatError), lenient=True
        ).get("truncation")
        return None if truncation is None else int(truncation["max_length"])
    except (ValueError, TypeError, KeyError, AttributeError) as error:
        raise FileFormatError(
            f"{tokenizer} is no tokenizer ({error}); copy or download it again."
        ) from error


def read_modules(folder: Path) -> list[ListedModule]:
    """Return the modules in their order."""
    entries = read_json(folder / LIST)
    try:
        pairs = [(str(entry["type"]), str(entry.get("path", ""))) for entry in entries]
    except (TypeError, KeyError, AttributeError, RecursionError) as error:
        raise FileFormatError(
            f"{folder / LIST} is not a list of modules with type and path; copy or download it "
            "again."
        ) from error
    if not pairs:
        raise FileFormatError(f"{folder / LIST} lists no module; copy or download it again.")
    return [
        ListedModule(_module_kind(folder, kind), _module_folder(folder, path))
        for kind, path in pairs
    ]


def _module_kind(folder: Path, named: str) -> str:
    kind = named.rpartition(".")[2]
    if not named.startswith(_PACKAGE) or kind not in KNOWN:
        raise UnsafeFileError(
            f"{folder / LIST} asks for the module {named}, and only {', '.join(KNOWN)} of "
            "sentence-transformers are known here; choose a pooling to read the plain transformer, "
            "or hand sentence-transformers itself over as a function."
        )
    return kind


def _module_folder(folder: Path, path: str) -> Path:
    parts = PurePosixPath(path)
    if parts.is_absolute() or ".." in parts.parts:
        raise UnsafeFileError(
            f"{folder / LIST} points outside its folder ({short_repr(path)}); mend it."
        )
    try:
        (folder / parts).lstat()
    except FileNotFoundError:
        pass  # a module without settings may have no folder
    except (OSError, ValueError) as error:  # a name too long for a disk, or with a zero byte
        raise FileFormatError(
            f"{folder / LIST} names the folder {short_repr(path)}, which cannot be read "
            f"({getattr(error, 'strerror', error)}); mend it."
        ) from error
    return folder / parts


_FLAGS = {
    "pooling_mode_cls_token": "cls",
    "pooling_mode_max_tokens": "max",
    "pooling_mode_mean_tokens": "mean",
    "pooling_mode_mean_sqrt_len_tokens": "mean_sqrt_len_tokens",
    "pooling_mode_weightedmean_tokens": "weightedmean",
    "pooling_mode_lasttoken": "lasttoken",
}
"""In the order in which their vectors are concatenated."""


def pooling_modes(module: ListedModule, prompt: str) -> tuple[str, ...]:
    """Return the poolings, whose vectors are concatenated."""
    config = module.config
    if prompt and config.get("include_prompt") is False:
        raise module.refuse("include_prompt", False)
    named = config.get("pooling_mode")
    if named is None:
        return tuple(mode for flag, mode in _FLAGS.items() if config.get(flag)) or ("mean",)
    modes = named if isinstance(named, list) else [named]
    if not modes or not all(mode in _FLAGS.values() for mode in modes):
        raise module.refuse("pooling_mode", named)
    return tuple(modes)


_ROOT_OF_TWO = np.float32(np.sqrt(2))
_TANH = "torch.nn.modules.activation.Tanh"


def _special() -> Any:
    from scipy import special  # imported here: few encoders have such a layer

    return special


ACTIVATIONS: dict[str, Callable[[Any], Any]] = {
    "torch.nn.modules.linear.Identity": lambda x: x,
    _TANH: np.tanh,
    "torch.nn.modules.activation.ReLU": lambda x: np.maximum(x, 0),
    "torch.nn.modules.activation.Sigmoid": lambda x: _special().expit(x),
    "torch.nn.modules.activation.SiLU": lambda x: x * _special().expit(x),
    "torch.nn.modules.activation.GELU": lambda x: x * (1 + _special().erf(x / _ROOT_OF_TWO)) / 2,
}
"""By the names under which sentence-transformers saves them; no other is imported."""


@dataclass(frozen=True)
class DenseLayer:
    """activation(W v + b); where it has a residual, R v or v itself is added."""

    file: Path
    width: int
    activation: str
    residual: bool = False

    def apply(self, rows: FloatArray) -> FloatArray:
        """Return the rows after the layer."""
        tensors = self._tensors
        try:
            summed = rows @ tensors["linear.weight"].T + tensors.get("linear.bias", np.float32(0))
            output: FloatArray = ACTIVATIONS[self.activation](summed)
            if not self.residual:
                return output
            residual = tensors.get("residual.weight")
            return output + (rows if residual is None else rows @ residual.T)
        except (KeyError, ValueError) as error:
            raise FileFormatError(
                f"{self.file} does not hold the weights of a dense layer of this width ({error}); "
                "copy or download it again."
            ) from error

    @cached_property
    def _tensors(self) -> Mapping[str, NDArray[Any]]:
        found = read_tensors(self.file)
        with np.errstate(over="ignore"):
            return {name: tensor.astype(np.float32) for name, tensor in found.items()}


def read_dense(module: ListedModule) -> DenseLayer:
    """Return the layer that a module's folder describes."""
    config = module.config
    for name in ("module_input_name", "module_output_name"):
        module.expect(config, name, "sentence_embedding")
    activation = config.get("activation_function", _TANH)
    if not isinstance(activation, str) or activation not in ACTIVATIONS:
        raise module.refuse("activation_function", activation)
    width = config.get("out_features")
    if not isinstance(width, int) or isinstance(width, bool) or width < 1:
        raise module.refuse("out_features", width)
    return DenseLayer(
        tensor_file(module.folder), width, activation, bool(config.get("use_residual"))
    )
