"""Tokenizer, network and configuration from a folder: no code of its own, no network, no pickle."""

from pathlib import Path
from typing import Any

from fairvec.embedding.formats.torch_file.inspection import inspect_torch_file
from fairvec.encoders.tokenizer_faults import telling
from fairvec.encoders.tokenizer_file import refuse_odd_tokenizer
from fairvec.encoders.transformer.bounded import bounded
from fairvec.encoders.transformer.files import safe_weights, weight_files
from fairvec.encoders.transformer.quiet import quietly
from fairvec.ground.errors import FileFormatError, UnsafeFileError

PURPOSE = "Reading a transformer"
NOT_NEEDED = ("pooler.",)
"""What lies above the last layer: no hidden state depends on it."""


def load_config(folder: Path) -> Any:
    """Return what transformers makes of config.json."""
    with quietly(PURPOSE):
        from transformers import AutoConfig

        return _loaded(AutoConfig, folder)


def load_tokenizer(folder: Path) -> Any:
    """Return the tokenizer."""
    if (file := folder / "tokenizer.json").is_file():
        refuse_odd_tokenizer(file)
    with quietly(PURPOSE):
        from transformers import AutoTokenizer

        return _loaded(AutoTokenizer, folder)


def load_network(folder: Path) -> Any:
    """Return the network in float32, with every weight from the file."""
    if not safe_weights(folder):
        for file in weight_files(folder):
            if file.suffix != ".json":
                inspect_torch_file(file)
    config = load_config(folder)
    config.use_cache = False
    if hasattr(config, "reference_compile"):
        config.reference_compile = False  # ModernBERT would compile itself, for minutes
    size = sum(file.stat().st_size for file in weight_files(folder))
    with quietly(PURPOSE), bounded(folder, size):
        import torch
        import transformers

        # The files' own type may be float16, in which a CPU is slow and rounds more.
        new = tuple(int(part) for part in transformers.__version__.split(".")[:2]) >= (4, 56)
        network, report = _loaded(
            transformers.AutoModel,
            folder,
            config=config,
            use_safetensors=safe_weights(folder),
            output_loading_info=True,
            **{"dtype" if new else "torch_dtype": torch.float32},
        )
    lacking = sorted(key for key in report["missing_keys"] if not key.startswith(NOT_NEEDED))
    if lacking:
        raise FileFormatError(
            f"{folder}: the weights lack {len(lacking)} tensors that a {config.model_type} needs, "
            f"as {lacking[0]}, and transformers would make them up at random; fetch the whole "
            "model, or mend config.json."
        )
    return network.eval()


def _loaded(kind: Any, folder: Path, **how: Any) -> Any:
    from pickle import UnpicklingError

    with telling(folder, ": transformers cannot read it"):
        try:
            return kind.from_pretrained(
                str(folder), local_files_only=True, trust_remote_code=False, **how
            )
        except UnpicklingError as error:
            raise UnsafeFileError(
                f"{folder}: the pickled weights ask for more than tensors and are not opened; have "
                "the model saved as safetensors."
            ) from error
