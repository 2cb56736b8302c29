"""What is kept of every run: text where it is short, packed where it is long."""

import lzma
import shutil
from pathlib import Path

FOLDER = Path(__file__).parent / "reference"
PLAIN = 32_000
"""Outputs of more characters are packed."""


def read(run: str, folder: Path = FOLDER) -> dict[str, str]:
    """Return what is kept of a run, by the names of its outputs."""
    home, found = folder / run, {}
    for file in sorted(home.rglob("*")):
        if file.is_file():
            content, name = file.read_bytes(), file.relative_to(home).as_posix()
            if name.endswith(".xz"):
                content, name = lzma.decompress(content), name.removesuffix(".xz")
            found[name] = content.decode("utf-8")
    return found


def write(run: str, outputs: dict[str, str], folder: Path = FOLDER) -> None:
    """Keep these outputs of a run, and no others; what is the same is not written again."""
    if read(run, folder) == outputs:
        return
    shutil.rmtree(folder / run, ignore_errors=True)
    for name, text in outputs.items():
        file, content = folder / run / name, text.encode("utf-8")
        file.parent.mkdir(parents=True, exist_ok=True)
        if len(text) > PLAIN:
            packed = lzma.compress(content, check=lzma.CHECK_CRC32, preset=9 | lzma.PRESET_EXTREME)
            file.with_name(f"{file.name}.xz").write_bytes(packed)
        else:
            file.write_bytes(content)
