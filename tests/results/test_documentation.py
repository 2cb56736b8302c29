import json
import re
from pathlib import Path
from typing import Any

import pydantic
from pydantic import BaseModel

from fairvec.results import records
from fairvec.results import records as category
from fairvec.results import records as concept_view
from scripts.document_results import DOCUMENT, SCHEMA, document, schema

PINS = (Path(__file__).parents[2] / "constraints.txt").read_text(encoding="utf-8")


def test_the_documentation_is_current() -> None:
    assert DOCUMENT.read_text(encoding="utf-8") == document(), (
        "run: python -m scripts.document_results"
    )


def test_the_schema_is_current() -> None:
    written = SCHEMA.read_text(encoding="utf-8")
    assert meaning(json.loads(written)) == meaning(json.loads(schema())), (
        "run: python -m scripts.document_results"
    )
    if re.search(rf"^pydantic=={re.escape(pydantic.VERSION)}$", PINS, re.MULTILINE):
        assert written == schema(), "run: python -m scripts.document_results"


def meaning(part: Any) -> Any:
    """Return a JSON Schema as every pydantic means it: older ones say some things more or less."""
    if isinstance(part, list):
        return [meaning(each) for each in part]
    if not isinstance(part, dict):
        return part
    said = {name: meaning(each) for name, each in part.items()}
    if len(said.get("allOf", ())) == 1:
        said |= said.pop("allOf")[0]
    if said.get("enum") == [said.get("const")]:
        del said["enum"]
    if said.get("additionalProperties") is True:  # which goes without saying
        del said["additionalProperties"]
    return said


def test_every_field_is_described() -> None:
    kinds = [
        kind
        for module in (records, concept_view, category)
        for kind in vars(module).values()
        if isinstance(kind, type) and issubclass(kind, BaseModel)
    ]
    undescribed = [
        f"{kind.__name__}.{name}"
        for kind in kinds
        for name, field in kind.model_fields.items()
        if not field.description
    ]
    assert undescribed == []
