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
from fairvec.ground.text.json_text import json_of
from fairvec.ground.text.shown_values import LONGEST_TEXT, shown
from fairvec.languages.codes import language_codes

VERSION = "1"


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
            f"{_said(written)}; upgrade fairvec or write the file again."
        )
    try:
        return Metadata(
            written["name"],
            geometry(written["geometry"], float(written["curvature"])),
            written.get("licence", ""),
            written.get("origin", ""),
            _steps(json_of(written.get("history", "[]"), lenient=True)),
            language_codes(written["language"].split(" ")) if "language" in written else (),
        )
    except (FairvecError, KeyError, TypeError, ValueError) as error:
        raise FileFormatError(
            f"{path.name} has damaged metadata ({in_brief(error)}); write or download it again."
        ) from error


def _said(written: Mapping[str, str]) -> str:
    version = written.get("fairvec", "none")
    return version if len(version) <= LONGEST_TEXT else shown(version, LONGEST_TEXT)


def _steps(said: Any) -> tuple[Step, ...]:
    if not isinstance(said, list):
        raise ValueError("the history is no list of steps")
    for step in said:
        match step:
            case {"action": str(), "details": dict()}:
                continue
        raise ValueError(f"{shown(step)} is no step of a history")
    return tuple(Step(step["action"], step["details"]) for step in said)


def native_metadata(path: Path) -> Metadata:
    """Return what the `.fairvec` file at `path` says about itself, without opening its vectors."""
    return parse_metadata(path, open_tensors(path).metadata)
