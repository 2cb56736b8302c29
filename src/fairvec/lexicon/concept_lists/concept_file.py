"""Reading concept files, and choosing a concept by name or by the path of one's own file."""

import re
from collections.abc import Iterable
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path

from pydantic import field_validator

from fairvec.ground.disk.at_hand import is_file
from fairvec.ground.disk.piped import HANDED
from fairvec.ground.errors import LexiconError, UnknownNameError
from fairvec.lexicon.concept_lists.concept import Concept, ConceptHead
from fairvec.lexicon.concept_lists.definition import Definition
from fairvec.lexicon.linting.problems import Location
from fairvec.lexicon.suite_lists.suite import Language, Waiver
from fairvec.lexicon.toml_file import parse_toml, read_toml
from fairvec.lexicon.words import Frozen, Id, Text, Word

_OWN_FILE = re.compile(rf"(.+\.toml|{HANDED})(?:/([^/:]*))?(?::([^:]*))?", re.DOTALL)
"""A file, the name of a concept if it holds several, and a variant: my.toml/gender:pairs."""


class ConceptFile(Frozen):
    """The concepts of one language, as a TOML file has them."""

    version: Text
    language: Language
    concepts: dict[Id, ConceptHead]

    @field_validator("concepts")
    @classmethod
    def _some(cls, concepts: dict[str, ConceptHead]) -> dict[str, ConceptHead]:
        if not concepts:
            raise ValueError("must not be empty: a concept begins with [concepts.NAME]")
        return concepts

    def all(self) -> tuple[Concept, ...]:
        """Return the concepts, each in its default variant."""
        return tuple(
            Concept(
                **{field: getattr(head, field) for field in ConceptHead.model_fields},
                id=f"{self.language}/{name}",
                version=self.version,
                language=self.language,
                variant=head.default,
            )
            for name, head in self.concepts.items()
        )


def parse_concepts(text: str, where: str = "concepts") -> tuple[Concept, ...]:
    """Return the concepts that `text` (TOML) describes; `where` names it in errors."""
    return parse_toml(text, where, ConceptFile, _known_keys).all()


def read_concepts(path: str | Path | Traversable) -> tuple[Concept, ...]:
    """Return the concepts in the TOML file at `path`."""
    return parse_concepts(read_toml(path, "concept"), str(path))


@cache
def concepts() -> tuple[Concept, ...]:
    """Return the concepts that come with fairvec, by id, each in its default variant."""
    folder = files("fairvec.lexicon") / "data" / "concepts"
    found = (each for file in folder.iterdir() for each in read_concepts(file))
    return tuple(sorted(found, key=lambda each: each.id))


def concept(name: str | Path) -> Concept:
    """Return the concept named `hi/gender`, or with its variant `hi/gender:one-pair`.

    One of one's own is named by its file: `my.toml`, `my.toml:one-pair`, and `my.toml/gender` or
    `my.toml/gender:one-pair` where the file holds several.
    """
    if own := _OWN_FILE.fullmatch(str(name)):
        file, wanted, variant = own.groups(default="")
        found = _of_file(file, wanted)
    else:
        wanted, _, variant = str(name).partition(":")
        found = _shipped(wanted)
    return found.choosing(variant) if variant else found


def shipped_namesake(own: Concept) -> bool:
    """Return whether a shipped concept has this id and is another: results name it by its id."""
    return any(each.id == own.id and each != own for each in concepts())


def _shipped(wanted: str) -> Concept:
    found = {each.id: each for each in concepts()}
    if wanted not in found:
        if is_file(wanted):
            raise LexiconError(
                f"{wanted} is a file whose name does not end in .toml; call a file of concepts so."
            )
        hint = "A concept of your own is chosen by the path of its .toml file."
        raise UnknownNameError("concept", wanted, found, hint=hint)
    return found[wanted]


def _of_file(file: str, wanted: str) -> Concept:
    found = {each.id.partition("/")[2]: each for each in read_concepts(file)}
    for name in (name for name, each in found.items() if shipped_namesake(each)):
        raise LexiconError(
            f"{file}: {found[name].id} is a concept that comes with fairvec and has other words; "
            f'call yours [concepts.my-{name}] and give it the category = "{name}".'
        )
    if wanted:
        if wanted not in found:
            raise UnknownNameError(f"concept in {file}", wanted, found)
        return found[wanted]
    if len(found) > 1:
        raise LexiconError(
            f"{file} holds {len(found)} concepts; choose one: "
            f"{' or '.join(f'{file}/{name}' for name in found)}."
        )
    return next(iter(found.values()))


def _known_keys(location: Location) -> Iterable[str]:
    match location:
        case (
            ("concepts", _, "variants" | "keep", _, "words", _, _)
            | ("concepts", _, "variants" | "keep", _, "pairs" | "sets", _, _, _)
            | ("concepts", _, "specific", _, _)
            | ("concepts", _, "equalise", _, _, _)
        ):
            return Word.model_fields
        case ("concepts", _, "variants" | "keep", _, _):
            return Definition.model_fields
        case ("concepts", _, "waivers", _, _):
            return Waiver.model_fields
        case ("concepts", _, _):
            return ConceptHead.model_fields
        case _:
            return ConceptFile.model_fields
