"""Opening a model from a command."""

from typing import Any

from fairvec.cli.console import progress_bar
from fairvec.embedding import Embedding, load


def opened(model: str, **how: Any) -> Embedding:
    """Return the model, with a bar while it is read or fetched; `how` are the settings of load."""
    with progress_bar(f"reading {model}") as progress:
        return load(model, progress=progress, **how)
