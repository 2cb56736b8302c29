"""Reading the papers' data files."""

from functools import cache
from importlib.resources import files

from pydantic import ValidationError

from fairvec.ground.errors import FileFormatError, UnknownNameError
from fairvec.ground.text.toml_text import tables_of
from fairvec.papers.printed.paper import Paper

PAPERS = ("kumar2020", "malik2022", "pestova", "bharti2021")


def parse_paper(text: str, where: str = "paper") -> Paper:
    """Return the paper that `text` (TOML) describes; `where` names it in errors."""
    try:
        return Paper.model_validate(tables_of(text, where, FileFormatError))
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        place = ".".join(str(part) for part in first["loc"])
        problem = first["msg"].removeprefix("Value error, ")
        raise FileFormatError(f"{where}{', ' if place else ''}{place}: {problem}.") from None


@cache
def paper(name: str) -> Paper:
    """Return the paper of this name, or raise UnknownNameError with the nearest names."""
    if name not in PAPERS:
        raise UnknownNameError("paper", name, PAPERS)
    file = files("fairvec.papers") / "data" / f"{name}.toml"
    return parse_paper(file.read_text(encoding="utf-8"), f"{name}.toml")
