"""What a `.fairvec` file says about itself."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from fairvec.embedding.embedding import Step
from fairvec.geometry import Geometry, geometry
from fairvec.ground.errors import FairvecError, FileFormatError, in_brief
from fairvec.ground.safetensors_layout import open_tensors
from fairvec.ground.strict_json import json_of
from fairvec.languages.codes import language_codes

VERSION = "1"
LISTS = ("fitted_on", "composed")
"""Details of a step that are lists of words."""


@dataclass(frozen=True)
class Metadata:
    """The name, space, rights, origin, past and languages of an embedding."""

    name: str
    geometry: Geometry
    licence: str = ""
    origin: str = ""
    history: tuple[Step, ...] = ()
    languages: tuple[str, ...] = ()

    def written(self) -> dict[str, str]:
        """Return the metadata as the text that safetensors can hold."""
        steps = [{"action": s.action, "details": dict(s.details)} for s in self.history]
        return {
            "fairvec": VERSION,
            "name": self.name,
            "geometry": self.geometry.name,
            "curvature": repr(float(self.geometry.curvature)),
            "licence": self.licence,
            "origin": self.origin,
            "history": json.dumps(steps, ensure_ascii=False, default=str),
        } | ({"language": " ".join(self.languages)} if self.languages else {})


def parse_metadata(path: Path, written: Mapping[str, str]) -> Metadata:
    """Return the metadata of a file from the text in its header."""
    if written.get("fairvec") != VERSION:
        raise FileFormatError(
            f"{path.name} is not in version {VERSION} of fairvec's format but in "
            f"{written.get('fairvec', 'none')}; upgrade fairvec or write the file again."
        )
    try:
        steps = json_of(written.get("history", "[]"))
        return Metadata(
            written["name"],
            geometry(written["geometry"], float(written["curvature"])),
            written.get("licence", ""),
            written.get("origin", ""),
            tuple(map(_step, steps)),
            language_codes(written["language"].split(" ")) if "language" in written else (),
        )
    except (FairvecError, KeyError, TypeError, ValueError) as error:
        raise FileFormatError(
            f"{path.name} has damaged metadata ({in_brief(error)}); write or download it again."
        ) from error


def _step(told: Any) -> Step:
    """Return a step, having looked at what others will take for granted of it."""
    action, details = told["action"], told["details"]
    if not isinstance(action, str) or not isinstance(details, dict):
        raise ValueError("a step of its history has no action and details")
    for name in LISTS:
        words = details.get(name, [])
        if not isinstance(words, list) or not all(isinstance(word, str) for word in words):
            raise ValueError(f"its history gives {name} that is no list of words")
    return Step(action, details)


def native_metadata(path: Path) -> Metadata:
    """Return what the `.fairvec` file at `path` says about itself, without opening its vectors."""
    return parse_metadata(path, open_tensors(path).metadata)
