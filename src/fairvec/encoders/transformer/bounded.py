"""How large a network may become while it is built: what a few words of config.json ask for.

A file of weights of some kB may stand beside a configuration of a million layers, or of a few that
nothing in the file fills and that would be made up at random.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import get_ident
from typing import Any

from fairvec.ground.errors import FileFormatError

ALWAYS_PARTS, MOST_PARTS, BYTES_A_PART = 5_000, 100_000, 64
"""Modules of a network; those of hundreds of layers have some thousands."""
ALWAYS_NUMBERS, NUMBERS_A_BYTE = 1 << 24, 2
"""Nobody writes a number in less than four bits."""


@contextmanager
def bounded(folder: Path, size: int) -> Iterator[None]:
    """Raise while a network is built that weights of `size` bytes cannot fill."""
    from torch.nn.modules import module

    parts, numbers, left = 0, 0, ALWAYS_NUMBERS + NUMBERS_A_BYTE * size
    most = min(MOST_PARTS, ALWAYS_PARTS + size // BYTES_A_PART)
    met: set[tuple[int, str]] = set()
    # The hooks are called in every thread, where somebody else may build a network of their own.
    here = get_ident()

    def refuse(what: str) -> None:
        raise FileFormatError(
            f"{folder / 'config.json'} asks for a network of more than {what}, which its weights "
            f"of {size:,} bytes cannot fill; copy or download the whole folder again."
        )

    def count_part(*_: Any) -> None:
        nonlocal parts
        parts += get_ident() == here
        if parts > most and get_ident() == here:
            refuse(f"{most:,} parts")

    def count_numbers(owner: Any, name: str, parameter: Any) -> None:
        nonlocal numbers
        # What is read from the file takes the place of what was built.
        if parameter is None or get_ident() != here or (id(owner), name) in met:
            return
        met.add((id(owner), name))
        numbers += parameter.numel()
        if numbers > left:
            refuse(f"{left:,} numbers")

    hooks = (
        module.register_module_module_registration_hook(count_part),
        module.register_module_parameter_registration_hook(count_numbers),
    )
    try:
        yield
    finally:
        for hook in hooks:
            hook.remove()
