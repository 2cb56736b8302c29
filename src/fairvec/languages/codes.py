"""How the languages of an embedding are named."""

import re
from collections.abc import Iterable, Sequence
from typing import Any

from fairvec.ground.errors import SettingError
from fairvec.ground.text.shown_values import shown

CODE = re.compile(r"[a-z]{2,3}")


def language_codes(said: str | Sequence[str]) -> tuple[str, ...]:
    """Return the languages that are named, each once; a name is a code such as en."""
    given: Any = said
    several = isinstance(given, Iterable) and not isinstance(given, str | bytes)
    codes: tuple[Any, ...] = tuple(dict.fromkeys(given)) if several else (given,)
    for code in codes or ("",):
        if not isinstance(code, str) or not CODE.fullmatch(code):
            raise SettingError(
                f"A language is named by its code such as en, hi or ru, not {shown(code, 40)}."
            )
    return codes
