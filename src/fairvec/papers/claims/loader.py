"""Reading the papers' files of claims."""

from functools import cache
from importlib.resources import files
from typing import Self

from pydantic import ValidationError, model_validator

from fairvec.ground.errors import FileFormatError, UnknownNameError
from fairvec.ground.text.toml_text import tables_of
from fairvec.papers.claims.claim import Claim
from fairvec.papers.printed.loader import PAPERS, paper
from fairvec.papers.printed.paper import Paper
from fairvec.papers.printed.schema import PrintedEntry


class _File(PrintedEntry):
    claims: tuple[Claim, ...] = ()

    @model_validator(mode="after")
    def _check_ids(self) -> Self:
        ids = [claim.id for claim in self.claims]
        for one in ids:
            if ids.count(one) > 1:
                raise ValueError(f"the id {one!r} is that of {ids.count(one)} claims")
        return self


def parse_claims(text: str, about: Paper, where: str = "claims") -> tuple[Claim, ...]:
    """Return the claims that `text` (TOML) makes about a paper; `where` names it in errors."""
    try:
        found = _File.model_validate(tables_of(text, where, FileFormatError)).claims
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        place = ".".join(str(part) for part in first["loc"])
        problem = first["msg"].removeprefix("Value error, ")
        raise FileFormatError(f"{where}{', ' if place else ''}{place}: {problem}.") from None
    for claim in found:
        try:
            claim.check(about)
        except (ValueError, UnknownNameError) as error:
            said = str(error)
            stop = "" if said.endswith((".", "?")) else "."
            raise FileFormatError(f"{where}, claim {claim.id}: {said}{stop}") from None
    return found


@cache
def claims_of(name: str) -> tuple[Claim, ...]:
    """Return the claims of the paper of this name; none where no file of them is written."""
    about = paper(name)
    file = files("fairvec.papers") / "data" / "claims" / f"{name}.toml"
    if not file.is_file():
        return ()
    return parse_claims(file.read_text(encoding="utf-8"), about, f"claims/{name}.toml")


def claims_about(some: Paper) -> tuple[Claim, ...]:
    """Return the claims of a paper that is one of ours; of any other, or of a part of one, none."""
    return claims_of(some.id) if some.id in PAPERS and some == paper(some.id) else ()
