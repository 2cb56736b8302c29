"""Reading concept files, and choosing a concept by name."""

from collections.abc import Iterable
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path

from fairvec.errors import UnknownNameError
from fairvec.lexicon.concept import Concept, ConceptHead, Definition
from fairvec.lexicon.problems import Location
from fairvec.lexicon.suite import Language
from fairvec.lexicon.toml_file import parse_toml, read_toml
from fairvec.lexicon.words import Frozen, Id, Text, Word


class ConceptFile(Frozen):
    """The concepts of one language, as a TOML file has them."""

    version: Text
    language: Language
    concepts: dict[Id, ConceptHead]

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


def concept(name: str) -> Concept:
    """Return the concept named `hi/gender`, or with its variant `hi/gender:one-pair`."""
    wanted, _, variant = name.partition(":")
    for each in concepts():
        if each.id == wanted:
            return each.choosing(variant) if variant else each
    raise UnknownNameError("concept", wanted, (each.id for each in concepts()))


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
        case ("concepts", _, _):
            return ConceptHead.model_fields
        case _:
            return ConceptFile.model_fields
