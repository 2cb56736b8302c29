from pydantic import BaseModel

from fairvec.results import category, concept_view, records
from scripts.document_results import DOCUMENT, SCHEMA, document, schema


def test_the_documentation_is_current() -> None:
    assert DOCUMENT.read_text(encoding="utf-8") == document(), (
        "run: python -m scripts.document_results"
    )
    assert SCHEMA.read_text(encoding="utf-8") == schema(), "run: python -m scripts.document_results"


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
