"""Where a transformer is run, and in which type of numbers."""

from functools import cache
from pathlib import Path

from fairvec.encoders.choices import Numbers

_DRIVERS = ("/dev/nvidiactl", "/dev/nvidia0", "/proc/driver/nvidia", "/dev/dxg", "/dev/kfd")
_WINDOWS_DRIVER = "C:/Windows/System32/nvcuda.dll"

PRECISION = {"float32": 2.0**-23, "bfloat16": 2.0**-7}
"""The relative rounding of each type."""


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


def numbers_taken(asked: Numbers) -> str:
    """Return the type of numbers: bfloat16 on a GPU and float32 on a CPU, unless one was chosen."""
    if asked != "auto":
        return asked
    return "bfloat16" if has_gpu() else "float32"
