"""Load tokenizer and network of a transformer's folder: sizes checked, no code run.

Pickled weights are read by fairvec and handed over as tensors: torch never opens them.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from threading import get_ident
from typing import Any

from fairvec.core.errors import FileFormatError
from fairvec.embedding.formats.torch_file import read_torch_tensors
from fairvec.encoders.base import Dtype
from fairvec.encoders.model_folder import (
    refuse_odd_tokenizer,
    silence_libraries,
    tokenizer_errors,
)
from fairvec.encoders.transformer.config import (
    PURPOSE,
    UNREADABLE,
    from_pretrained,
    load_config,
    safe_weights,
    weight_files,
)

NOT_NEEDED = "pooler"
"""A part above the last layer, on which no hidden state depends."""


def load_tokenizer(folder: Path) -> Any:
    """Return the tokenizer."""
    if (file := folder / "tokenizer.json").is_file():
        refuse_odd_tokenizer(file)
    with silence_libraries(PURPOSE):
        from transformers import AutoTokenizer

        return from_pretrained(AutoTokenizer, folder)


def load_network(folder: Path) -> Any:
    """Return the network in float32, with every weight from the file."""
    is_safe = safe_weights(folder)
    tensors = {} if is_safe else _read_pickled_weights(folder)
    config = load_config(folder)
    config.use_cache = False
    if hasattr(config, "reference_compile"):
        config.reference_compile = False  # ModernBERT would compile itself, for minutes
    size = sum(file.stat().st_size for file in weight_files(folder))
    with silence_libraries(PURPOSE), check_network_size(folder, size):
        import torch
        import transformers

        # The stored type may be float16, in which a CPU is slow and rounds more.
        new = tuple(int(part) for part in transformers.__version__.split(".")[:2]) >= (4, 56)
        auto: Any = transformers.AutoModel
        options: dict[str, Any] = {
            "config": config,
            "output_loading_info": True,
            "dtype" if new else "torch_dtype": torch.float32,
        }
        if is_safe:
            network, report = from_pretrained(auto, folder, use_safetensors=True, **options)
        else:
            with tokenizer_errors(folder, UNREADABLE):
                with torch.device("meta"):
                    kind: Any = type(auto.from_config(config))
                network, report = kind.from_pretrained(None, state_dict=tensors, **options)
    missing = sorted(key for key in report["missing_keys"] if NOT_NEEDED not in key.split("."))
    if missing:
        raise FileFormatError(
            f"{folder}: the weights lack {len(missing)} tensors that a {config.model_type} needs, "
            f"as {missing[0]}, and transformers would make them up at random; fetch the whole "
            "model, or mend config.json."
        )
    return network.eval()


def _read_pickled_weights(folder: Path) -> dict[str, Any]:
    """Return the tensors of all files of weights."""
    import torch

    files = [file for file in weight_files(folder) if file.suffix != ".json"]
    return {
        name: torch.tensor(array)
        for file in files
        for name, array in read_torch_tensors(file).items()
    }


ALWAYS_PARTS, MOST_PARTS, BYTES_A_PART = 5_000, 100_000, 64
"""Limits on modules; networks of hundreds of layers have some thousands."""
ALWAYS_NUMBERS, NUMBERS_A_BYTE = 1 << 24, 2
"""Limits on parameters; none is stored in less than four bits."""


@contextmanager
def check_network_size(folder: Path, size: int) -> Iterator[None]:
    """Raise as soon as a network is built that weights of `size` bytes cannot fill."""
    from torch.nn.modules import module

    parts, numbers, max_numbers = 0, 0, ALWAYS_NUMBERS + NUMBERS_A_BYTE * size
    max_parts = min(MOST_PARTS, ALWAYS_PARTS + size // BYTES_A_PART)
    counted: set[tuple[int, str]] = set()
    # The hooks are called in every thread, and another one may build a network too.
    own_thread = get_ident()

    def refuse(what: str) -> None:
        raise FileFormatError(
            f"{folder / 'config.json'} asks for a network of more than {what}, which its weights "
            f"of {size:,} bytes cannot fill; copy or download the whole folder again."
        )

    def count_part(*_: Any) -> None:
        nonlocal parts
        parts += get_ident() == own_thread
        if parts > max_parts and get_ident() == own_thread:
            refuse(f"{max_parts:,} parts")

    def count_numbers(owner: Any, name: str, parameter: Any) -> None:
        nonlocal numbers
        # Weights from the file replace those that were built.
        if parameter is None or get_ident() != own_thread or (id(owner), name) in counted:
            return
        counted.add((id(owner), name))
        numbers += parameter.numel()
        if numbers > max_numbers:
            refuse(f"{max_numbers:,} numbers")

    hooks = (
        module.register_module_module_registration_hook(count_part),
        module.register_module_parameter_registration_hook(count_numbers),
    )
    try:
        yield
    finally:
        for hook in hooks:
            hook.remove()


_DRIVERS = ("/dev/nvidiactl", "/dev/nvidia0", "/proc/driver/nvidia", "/dev/dxg", "/dev/kfd")
_WINDOWS_DRIVER = "C:/Windows/System32/nvcuda.dll"
PRECISION = {"float32": 2.0**-23, "bfloat16": 2.0**-7}
"""The relative rounding error of each type."""


@cache
def has_gpu() -> bool:
    """Say whether torch can use a GPU; where there is no driver, torch is not imported to ask."""
    if not any(Path(driver).exists() for driver in (*_DRIVERS, _WINDOWS_DRIVER)):
        return False
    try:
        import torch
    except ImportError:
        return False
    return bool(torch.cuda.is_available())


def resolve_dtype(choice: Dtype) -> str:
    """Return the type of numbers: bfloat16 on a GPU and float32 on a CPU, unless one was chosen."""
    if choice != "auto":
        return choice
    return "bfloat16" if has_gpu() else "float32"


def lowercase_tokenizer(tokenizer: Any) -> Any:
    """Make a tokenizer lowercase its text first, as sentence-transformers does, and return it."""
    from tokenizers.normalizers import Lowercase, Sequence

    if not tokenizer.is_fast:
        raise FileFormatError(
            f"do_lower_case is set for {type(tokenizer).__name__}, which cannot be told so; remove "
            "it from sentence_bert_config.json and give small letters."
        )
    fast = tokenizer.backend_tokenizer
    normalizer: Any = fast.normalizer
    present: Any = normalizer if isinstance(normalizer, Sequence) else filter(None, [normalizer])
    steps = [*present]
    if not any(isinstance(step, Lowercase) for step in steps):
        fast.normalizer = Sequence([Lowercase(), *steps])
    return tokenizer
