"""The modules that modules.json lists, each with its folder; what is not known is refused."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path, PurePosixPath
from typing import Any

from fairvec.encoders.model_folder import json_in, object_if_any
from fairvec.ground.disk.at_hand import is_file
from fairvec.ground.errors import FileFormatError, UnsafeFileError
from fairvec.ground.text.shown_values import shown

LIST = "modules.json"
KNOWN = ("Transformer", "StaticEmbedding", "Pooling", "Dense", "Normalize", "Dropout")
_OWNER = "sentence_transformers."
_TRANSFORMERS = ("bert", "roberta", "distilbert", "camembert", "albert", "xlm-roberta", "xlnet")


@dataclass(frozen=True)
class ListedModule:
    """One module: its kind and its folder."""

    kind: str
    folder: Path

    @cached_property
    def config(self) -> dict[str, Any]:
        """What its config.json says, empty if it has none."""
        return object_if_any(self.folder / "config.json")

    @cached_property
    def transformer_file(self) -> Path | None:
        """The file that says how sentence-transformers calls the transformer, if there is one."""
        names = [self.folder / f"sentence_{name}_config.json" for name in _TRANSFORMERS]
        return next((path for path in names if is_file(path)), None)

    def refuse(self, name: str, value: Any) -> FileFormatError:
        """Say that a setting of this module would change vectors in a way not known here."""
        return FileFormatError(
            f"{self.folder}: the module {self.kind} has {name} = {shown(value)}, which is not "
            "followed here; choose a pooling to read the plain transformer, or hand "
            "sentence-transformers itself over as a function."
        )

    def expect(self, said: Mapping[str, Any], name: str, *allowed: Any) -> None:
        """Raise unless a setting is left out, empty or one of those allowed."""
        value = said.get(name)
        if value and value not in allowed:
            raise self.refuse(name, value)


def modules_of(folder: Path) -> list[ListedModule]:
    """Return the modules in their order."""
    listed = json_in(folder / LIST)
    try:
        pairs = [(str(each["type"]), str(each.get("path", ""))) for each in listed]
    except (TypeError, KeyError, AttributeError, RecursionError) as error:
        raise FileFormatError(
            f"{folder / LIST} is not a list of modules with type and path; copy or download it "
            "again."
        ) from error
    if not pairs:
        raise FileFormatError(f"{folder / LIST} lists no module; copy or download it again.")
    return [ListedModule(_kind(folder, kind), _inside(folder, path)) for kind, path in pairs]


def _kind(folder: Path, named: str) -> str:
    kind = named.rpartition(".")[2]
    if not named.startswith(_OWNER) or kind not in KNOWN:
        raise UnsafeFileError(
            f"{folder / LIST} asks for the module {named}, and only {', '.join(KNOWN)} of "
            "sentence-transformers are known here; choose a pooling to read the plain transformer, "
            "or hand sentence-transformers itself over as a function."
        )
    return kind


def _inside(folder: Path, path: str) -> Path:
    parts = PurePosixPath(path)
    if parts.is_absolute() or ".." in parts.parts:
        raise UnsafeFileError(
            f"{folder / LIST} points outside its folder ({shown(path)}); mend it."
        )
    try:
        (folder / parts).lstat()
    except FileNotFoundError:
        pass  # a module without settings may have no folder
    except (OSError, ValueError) as error:  # a name too long for a disk, or with a zero byte
        raise FileFormatError(
            f"{folder / LIST} names the folder {shown(path)}, which cannot be read "
            f"({getattr(error, 'strerror', error)}); mend it."
        ) from error
    return folder / parts
