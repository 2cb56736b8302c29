"""How a model is read, where its file leaves that open."""

from collections.abc import Sequence
from dataclasses import dataclass
from os import PathLike
from typing import Literal, get_args

from fairvec.embedding.formats.reading import Role
from fairvec.embedding.place import Outside
from fairvec.geometry import Geometry
from fairvec.ground.errors import SettingError
from fairvec.ground.text.shown_values import shown

InvalidUtf8 = Literal["refuse", "replace"]


@dataclass(frozen=True)
class Reading:
    """The options of reading a model, which `load` and every command that opens one share.

    What each means is said in `load`; an option added here has to be there and in
    cli/reading_options.py.
    """

    geometry: str | Geometry | None = None
    curvature: float | None = None
    outside: Outside = "refuse"
    vectors: Role = "target"
    format: str | None = None
    language: str | Sequence[str] | None = None
    invalid_utf8: InvalidUtf8 = "refuse"
    vocabulary: str | PathLike[str] | None = None

    def __post_init__(self) -> None:
        """Refuse a choice that does not exist."""
        for name, choices in (
            ("outside", Outside),
            ("vectors", Role),
            ("invalid_utf8", InvalidUtf8),
        ):
            chosen, known = getattr(self, name), get_args(choices)
            if chosen not in known:
                listed = " or ".join((", ".join(map(repr, known[:-1])), repr(known[-1])))
                raise SettingError(f"{name} must be {listed}, not {shown(chosen)}.")


AS_FOUND = Reading()
"""Nothing asked for: everything as the file or the catalogue says."""
