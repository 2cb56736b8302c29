"""Values that a JSON schema allows: what is asked is whole, and odd within its limits."""

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any

from fuzz.mutations.odd_values import TEXTS

Known = Mapping[str, Sequence[Any]]
"""What a field may well say, by its name; under "" what any text may say."""
LONG = 40
ODD = [text for text in TEXTS if "\ud800" not in text and "\udcff" not in text]


def of_schema(
    tree: Mapping[str, Any], schema: Mapping[str, Any], random: Random, known: Known
) -> tuple[dict[str, Any], str]:
    """Return an object of which one field, there or not, says something else that is allowed."""
    if not schema.get("properties"):
        return dict(tree), "nothing to change"
    name = random.choice([*schema["properties"]])
    value = _allowed(schema["properties"][name], schema, random, known, name)
    return {**tree, name: value}, f"{name} is {str(value)[:40]!r}"


def _allowed(
    about: Mapping[str, Any], record: Mapping[str, Any], random: Random, known: Known, name: str
) -> Any:
    def inner(other: Mapping[str, Any], called: str = name) -> Any:
        return _allowed(other, record, random, known, called)

    if "$ref" in about:
        return inner(record["$defs"][about["$ref"].rpartition("/")[2]])
    if "anyOf" in about:
        return inner(random.choice(about["anyOf"]))
    if "enum" in about:
        return random.choice(about["enum"])
    kind = about.get("type")
    if kind == "boolean":
        return random.random() < 0.5
    if kind in ("integer", "number"):
        return _number(about, random)
    if kind == "string":
        return _text(about, random, known, name)
    if kind == "array":
        least, most = about.get("minItems", 0), min(about.get("maxItems", LONG), LONG)
        many = max(least, min(most, random.choice((0, 1, 2, 2, 3, 3, 5, 8, LONG))))
        return [inner(about["items"]) for _ in range(many)]
    if kind == "object" and "properties" in about:
        properties = about["properties"].items()
        needed = about.get("required", ())
        return {
            key: inner(of, key) for key, of in properties if key in needed or random.random() < 0.3
        }
    if kind == "object":
        keys = about.get("propertyNames", {}).get("enum") or known.get(f"{name}.", known[""])
        closed = "enum" in about.get("propertyNames", {}) and random.random() < 0.7
        chosen = keys if closed else random.sample([*keys], random.randrange(min(len(keys), 4) + 1))
        # A setting that is known by its name has values of its own.
        return {key: inner(about["additionalProperties"], f"{name}.{key}") for key in chosen}
    return None


def _number(about: Mapping[str, Any], random: Random) -> float:
    least, most = about.get("minimum", 0), about.get("maximum", 20)
    if about["type"] == "integer":
        return int(random.choice((least, least + 1, random.randint(least, most), min(most, 7))))
    return float(random.choice((least, most, random.uniform(least, most), 1e-300)))


def _text(about: Mapping[str, Any], random: Random, known: Known, name: str) -> str:
    named = [one for one in known.get(name, ()) if isinstance(one, str)]
    # Of a field with names of its own another one is only refused.
    odd = random.random() < (0.03 if named else 0.2)
    text = str(random.choice(ODD if odd and "pattern" not in about else named or known[""]))
    return text[: about.get("maxLength", len(text))].ljust(about.get("minLength", 0), "x")
