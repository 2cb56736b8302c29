"""A training that is over at once, and what it leaves."""

from pathlib import Path

from tests.training.texts import write_text

QUICK = ("--dim", 6, "--epochs", 2, "--window", 3, "--min-count", 2, "--threads", 1)


def write_corpus(folder: Path) -> Path:
    """Write the text into a folder of its own, so that all else there was left by a training."""
    (folder / "corpus").mkdir()
    return write_text(folder / "corpus" / "text.txt")


def left(folder: Path) -> set[str]:
    """Return what lies in a folder beside the corpus."""
    return {path.name for path in folder.iterdir()} - {"corpus"}
