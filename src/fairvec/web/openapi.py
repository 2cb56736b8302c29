"""The interface as an OpenAPI 3.1 document, made of the questions and the records themselves."""

from collections.abc import Mapping
from inspect import cleandoc
from typing import Any

from pydantic.json_schema import models_json_schema

from fairvec.results.store import json_schema
from fairvec.version import __version__
from fairvec.web.routes import ROUTES
from fairvec.web.schemas import Question

PLACE = "#/components/schemas/"
RECORD = "Record"
REFUSED = {
    "400": "The request is malformed.",
    "401": "The token is missing or old.",
    "403": "A page of another site asks.",
    "404": "Nothing has this name.",
    "408": "The question did not arrive in time.",
    "409": "The model's file was written to while it was open.",
    "413": "The question is too large.",
    "415": "A question is not sent as application/json.",
    "421": "Another server was meant.",
    "422": "The question cannot be answered as it is.",
    "429": "Too many questions in a second.",
    "500": "A fault of fairvec.",
    "503": "Too many questions at once, or a file cannot be read.",
}
ABOUT = (
    "What the page of `fairvec explore` asks, for programs too. Send the token that was printed as "
    "`Authorization: Bearer TOKEN`. Every refusal is one sentence in the field `error`. Fields "
    "that hold records follow the schema of results.jsonl."
)


def openapi() -> dict[str, Any]:
    """Return the document about every question in ROUTES."""
    return {
        "openapi": "3.1.0",
        "info": {"title": "fairvec explore", "version": __version__, "description": ABOUT},
        "servers": [{"url": "/"}],
        "security": [{"token": []}, {"cookie": []}],
        "paths": {route.address: {route.method.lower(): _operation(route)} for route in ROUTES},
        "components": {
            "schemas": _schemas(),
            "responses": {
                status: {"description": meaning, "content": _json({"$ref": f"{PLACE}Refused"})}
                for status, meaning in REFUSED.items()
            },
            "securitySchemes": {
                "token": {"type": "http", "scheme": "bearer"},
                "cookie": {"type": "apiKey", "in": "cookie", "name": "fairvec-PORT"},
            },
        },
    }


def _operation(route: Question) -> dict[str, Any]:
    """Return the operation of one question."""
    operation: dict[str, Any] = {
        "operationId": route.path.replace("/", "-"),
        "summary": route.summary,
        "responses": {
            "200": {"description": "The answer.", "content": _json(_answer(route))},
            **{status: {"$ref": f"#/components/responses/{status}"} for status in REFUSED},
        },
    }
    if route.request is None:
        return operation
    about = cleandoc(route.request.__doc__ or "")
    if route.method == "POST":
        content = _json({"$ref": f"{PLACE}{route.request.__name__}"})
        content["application/json"]["example"] = dict(route.example)
        operation["requestBody"] = {"required": True, "description": about, "content": content}
    else:
        operation["description"] = about
        operation["parameters"] = _parameters(route)
    return operation


def _parameters(route: Question) -> list[dict[str, Any]]:
    schema = route.request.model_json_schema() if route.request else {}
    return [
        {
            "name": name,
            "in": "query",
            "required": name in schema.get("required", ()),
            "schema": relocate_refs(kind),
            **({"example": route.example[name]} if name in route.example else {}),
        }
        for name, kind in schema["properties"].items()
    ]


def _answer(route: Question) -> dict[str, Any]:
    """Return the schema of an answer: an object, whose records follow the documented schema."""
    record = {"$ref": PLACE + RECORD}
    # Null if it is still being computed, or if the lists make no test.
    either = {"oneOf": [record, {"type": "array", "items": record}, {"type": "null"}]}
    properties = dict.fromkeys(route.record_fields, either)
    return {"type": "object", **({"properties": properties} if properties else {})}


def _schemas() -> dict[str, Any]:
    kinds = [route.request for route in ROUTES if route.request is not None]
    _, questions = models_json_schema([(kind, "validation") for kind in dict.fromkeys(kinds)])
    record = {name: part for name, part in json_schema().items() if name != "$schema"}
    schemas = {**questions.get("$defs", {}), **record.pop("$defs"), RECORD: record}
    refusal = {"type": "object", "required": ["error"], "properties": {"error": {"type": "string"}}}
    return {**relocate_refs(dict(sorted(schemas.items()))), "Refused": refusal}


def _json(schema: Mapping[str, Any]) -> dict[str, Any]:
    return {"application/json": {"schema": dict(schema)}}


def relocate_refs(part: Any) -> Any:
    """Return a part of a JSON Schema whose references point into the document's components."""
    if isinstance(part, dict):
        return {name: relocate_refs(value) for name, value in part.items()}
    if isinstance(part, list):
        return [relocate_refs(value) for value in part]
    if isinstance(part, str) and part.startswith("#/$defs/"):
        return PLACE + part.removeprefix("#/$defs/")
    return part
