"""Figures of benchmarks in records from before a record said what kind of figure it holds."""

from typing import Any

_USES = {
    "similarity": {
        "title": "Word similarity",
        "place": 0,
        "plain": "word similarity",
        "family": "similarity",
    },
    "analogy": {
        "title": "Word analogy",
        "place": 1,
        "plain": "word analogy",
        "family": "analogy",
    },
    "sembias": {
        "title": "SemBias",
        "place": 2,
        "plain": "definitions in SemBias",
        "family": "definitions",
    },
}
"""The three kinds that there were; later ones are in the records themselves."""


def with_use(record: dict[str, Any]) -> dict[str, Any]:
    """Return a record of an early benchmark with what its figure is; any other as it stands."""
    test = record.get("test")
    if not isinstance(test, dict) or "use" in test or test.get("kind") not in _USES:
        return record
    unwanted = test["kind"] == "sembias" and "/definition" not in str(test.get("id"))
    use = {**_USES[test["kind"]], "wanted": "less" if unwanted else "more"}
    return {**record, "test": {**test, "use": use}}
