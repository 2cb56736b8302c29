"""The document about the interface: whole, true, and its examples work."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from pydantic import TypeAdapter

import fairvec
from fairvec.results import Outcome, write_results
from fairvec.results.store import json_schema
from fairvec.web.open_models import OpenModels, open_models
from fairvec.web.openapi import openapi
from fairvec.web.questions.runs import ResultsFolders
from fairvec.web.routes import ROUTES, SHIPPED
from fairvec.web.schemas import Question
from fairvec.web.security import Application
from tests.loops import loop_over
from tests.report.outcomes import a_run
from tests.web.client import ask, explorer

RECORDS: TypeAdapter[Any] = TypeAdapter(Outcome | list[Outcome])
DOCUMENT = openapi()


@pytest.fixture(scope="module")
def app(tmp_path_factory: pytest.TempPathFactory) -> Application:
    top = tmp_path_factory.mktemp("of") / "runs"
    write_results(a_run(), top)
    models = open_models([(name, fairvec.load(name)) for name in (SHIPPED, "glove-hi-small")])
    part = tmp_path_factory.mktemp("written")
    return explorer(OpenModels(models, ResultsFolders((top,)), write_to=part))


def every(part: Any) -> Iterator[dict[str, Any]]:
    """Walk through all objects of a document."""
    if isinstance(part, dict):
        yield part
        for value in part.values():
            yield from every(value)
    elif isinstance(part, list):
        for value in part:
            yield from every(value)


def test_every_question_is_in_it_once() -> None:
    addresses = [route.address for route in ROUTES]
    assert list(DOCUMENT["paths"]) == addresses
    assert len(set(addresses)) == len(addresses)
    for route in ROUTES:
        operation = DOCUMENT["paths"][route.address][route.method.lower()]
        assert operation["summary"] == route.summary
        assert route.summary.endswith(".")
        assert {"200", "401", "403", "422", "429"} <= set(operation["responses"])
    ids = [one["operationId"] for path in DOCUMENT["paths"].values() for one in path.values()]
    assert len(set(ids)) == len(ids)


def test_every_address_of_the_server_is_a_question_or_a_page(app: Any) -> None:
    addresses = {route.path for route in app.inner.routes if route.path.startswith("/api/")}
    assert addresses == set(DOCUMENT["paths"])


def test_every_reference_leads_somewhere() -> None:
    references = [part["$ref"] for part in every(DOCUMENT) if "$ref" in part]
    assert references
    for reference in references:
        part: Any = DOCUMENT
        for step in reference.removeprefix("#/").split("/"):
            part = part[step]
        assert part
    assert "#/$defs" not in json.dumps(DOCUMENT)


def test_the_records_are_those_of_the_documented_schema() -> None:
    documented = json_schema()
    schemas = DOCUMENT["components"]["schemas"]
    assert set(documented["$defs"]) <= set(schemas)
    for name, part in documented["$defs"].items():
        assert json.dumps(part).replace("#/$defs/", "#/components/schemas/") == json.dumps(
            schemas[name]
        )
    questions = {route.request.__name__ for route in ROUTES if route.request}
    assert not questions & set(documented["$defs"])


@pytest.mark.parametrize("route", ROUTES, ids=[route.path for route in ROUTES])
def test_every_example_works_and_its_records_are_records(app: Application, route: Question) -> None:
    operation = DOCUMENT["paths"][route.address][route.method.lower()]
    if route.method == "POST":
        example = operation["requestBody"]["content"]["application/json"]["example"]
        reply = ask(app, route.address, question=example)
    else:
        parameters = operation.get("parameters", [])
        for one in parameters:
            assert "example" in one or not one["required"]
        reply = ask(
            app,
            route.address,
            {one["name"]: one["example"] for one in parameters if "example" in one},
        )
    assert reply.status == 200, reply.body
    for name in route.record_fields:
        RECORDS.validate_python(reply.json[name])


@pytest.mark.parametrize("route", ROUTES, ids=[route.path for route in ROUTES])
def test_a_question_that_is_not_as_documented_is_refused(app: Application, route: Question) -> None:
    if route.request is None:
        return
    wrong = {**route.example, "unknown-field": "1"}
    if route.method == "POST":
        assert ask(app, route.address, question=wrong).status == 422
    else:
        assert ask(app, route.address, wrong).status == 422


def test_it_is_served_and_the_page_about_it_needs_nothing_else(app: Application) -> None:
    assert ask(app, "/openapi.json").json == json.loads(json.dumps(DOCUMENT))
    page = ask(app, "/api").body.decode()
    assert "http" not in page.replace("http-equiv", "")


PAGES = Path(fairvec.__file__).parent / "web/pages"


@loop_over("file", sorted(PAGES.rglob("*")))
def test_no_page_holds_what_the_policy_forbids_or_fetches_from_elsewhere(file: Path) -> None:
    if file.suffix not in (".html", ".js", ".css", ".svg"):
        return
    text = file.read_text(encoding="utf-8")
    fetching = r"""(src=|@import|url\(|from |import\(|fetch\()\s*["'`]?(https?:|//)"""
    assert not re.search(fetching, text), f"{file.name} fetches from elsewhere"
    for way in ("innerHTML", "outerHTML", "document.write", "insertAdjacentHTML", "eval("):
        assert way not in text, f"{file.name} has {way}, by which a word could become a program"
    if file.suffix == ".html":
        assert "<style" not in text
        assert " style=" not in text
        assert " onclick=" not in text
        assert text.count("<script") == text.count('<script type="module" src=')
    assert len(text.splitlines()) <= 500


@pytest.mark.parametrize("file", sorted(PAGES.glob("*.js")), ids=lambda file: str(file.name))
def test_no_script_takes_a_sentence_apart_or_rounds_figures_of_its_own(file: Path) -> None:
    text = file.read_text(encoding="utf-8")
    assert "min-coverage" not in text
    assert not re.search(r"""\.(split|includes|partition)\(["'](\s·\s|\s→\s|p\s|own)""", text)
    # Those two round the text of a slider and of a field for numbers.
    assert "toFixed" not in text or file.stem in ("draw", "change_form", "see_parallel")
