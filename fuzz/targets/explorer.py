"""The explorer that requests are put to: shipped models beside small and degenerate ones."""

from collections.abc import Mapping, Sequence
from dataclasses import fields, replace
from functools import cache
from pathlib import Path
from typing import Any, get_args, get_type_hints

import numpy as np

from fairvec.embedding import Embedding, load
from fairvec.lexicon import shipped_concepts, shipped_suites
from fairvec.mitigation import DEBIASERS
from fuzz.honest import SPACES, model

WRITE_TO = "made"
SHIPPED = ("glove-en-small", "glove-hi-small")
SHORT_WORDS = 60
"""So many words of each model are asked for."""


@cache
def opened() -> Mapping[str, Embedding]:
    """Return the models that are open, by name: of some nothing can be measured."""
    flat = model()
    rows = np.array(flat.vectors)
    hard = {
        "zeros": np.zeros_like(rows),
        "alike": np.ones_like(rows),
        "huge": rows / np.abs(rows).max() * np.float32(1e38),
        "tiny": rows * np.float32(1e-40),
    }
    keys = [*flat.keys]
    return {
        **{name: load(name) for name in SHIPPED},
        "small": flat,
        "ball": model(SPACES[1]),
        "balls": model(SPACES[2]),
        **{name: Embedding(keys, made, SPACES[0], name) for name, made in hard.items()},
        "one": Embedding(keys[:1], rows[:1], SPACES[0], "one"),
    }


@cache
def explorer(runs: Path) -> Any:
    """Return the application; nobody has to wait who asks much in a second."""
    from fairvec.web.open_models import OpenModel, OpenModels
    from fairvec.web.questions.runs import ResultsFolders
    from fairvec.web.security import RateLimit
    from tests.web.client import explorer as guarded

    models = [OpenModel(name, name, one) for name, one in opened().items()]
    app: Any = guarded(OpenModels(models, ResultsFolders((runs,)), write_to=Path(WRITE_TO)))
    return replace(app, pace=RateLimit(a_second=1e9, at_once=1e9))


@cache
def known_values() -> dict[str, Sequence[Any]]:
    """Return what questions may well say, by the name of the field."""
    names = [*opened()]
    tests = [f"{suite.id}/{test.name}" for suite in shipped_suites() for test in suite.tests]
    about = [concept.id for concept in shipped_concepts()]
    words = [key for one in opened().values() for key in one.keys[:SHORT_WORDS]]
    found: dict[str, Sequence[Any]] = {
        "": words,
        **dict.fromkeys(("model", "other", "models"), names),
        **dict.fromkeys(("tests", "sources", "about"), tests),
        **dict.fromkeys(("concept", "axes", "shade"), about),
        "method": [method.name for method in DEBIASERS],
        "name": ["runs/results.jsonl"],
        "file": ["debiased.fairvec", "a.vec", "b.csv", "here.vec", "c.vec.gz", "d.npz", "x.html"],
        "settings.": sorted({name for one in DEBIASERS for name in _settings(one)}),
    }
    for method in DEBIASERS:
        for field, hint in get_type_hints(method).items():
            chosen = [value for value in get_args(hint) if isinstance(value, str)]
            here = f"settings.{field}"
            found[here] = [*found.get(here, ()), *chosen]
    return found


def _settings(method: Any) -> list[str]:
    return [field.name for field in fields(method)]


class CapturedLog:
    """Keeps the errors that the explorer did not foresee, which it would write to its log."""

    def __init__(self) -> None:
        self.errors: list[BaseException] = []

    def __enter__(self) -> "CapturedLog":
        from fairvec.web import app as answers
        from fairvec.web import security as guarded

        self._told = [(each, each.report_fault) for each in (answers, guarded)]
        for each, _ in self._told:
            setattr(each, "report_fault", self._note)  # noqa: B010 - it is not exported
        return self

    def __exit__(self, *_: object) -> None:
        for each, listener in self._told:
            setattr(each, "report_fault", listener)  # noqa: B010 - see above

    def _note(self, error: BaseException, _: str) -> str:
        self.errors.append(error)
        return "not foreseen"
