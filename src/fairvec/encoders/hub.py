"""Models of the Hugging Face hub: fetched only where that is asked for in so many words."""

import re
from pathlib import Path

from fairvec.ground.errors import DownloadError, MissingExtraError
from fairvec.ground.text.shown_values import LONGEST_NAME, shown

HUB_NAME = re.compile(r"[\w.-]+/[\w.-]+")
"""How a model of the hub is named: owner/name."""

FETCHED = ("*.json", "*.txt", "*.model", "*.safetensors", "*/config.json", "*/*.safetensors")
"""What may be fetched: settings, tokenizers and weights that hold no program."""


def hub_folder(name: str, *, download: bool) -> Path:
    """Return the folder of a model of the hub on this machine; fetch it if that is asked for."""
    try:
        from huggingface_hub import snapshot_download
    except ImportError:
        raise MissingExtraError(f"Finding {name} of the Hugging Face hub", "encoders") from None
    try:
        return Path(
            snapshot_download(name, local_files_only=not download, allow_patterns=[*FETCHED])
        )
    except Exception as error:  # the hub's own errors are of many kinds
        first = str(error).strip().splitlines()[0] if str(error).strip() else ""
        reason = f"{type(error).__name__}: {first}"
        remedy = (
            "check the name and the connection" if download else "say --download (download=True)"
        )
        raise DownloadError(
            f"{shown(name, LONGEST_NAME)} is no folder, and no model of that name of the Hugging "
            f"Face hub could be had {'from there' if download else 'on this machine'} ({reason}); "
            f"{remedy}."
        ) from None
