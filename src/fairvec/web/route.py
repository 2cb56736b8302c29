"""One question that the interface answers: where, what it takes, who answers, what it means."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from fairvec.web.questions import WireQuestion


@dataclass(frozen=True)
class AskedRoute:
    """A question's address under /api/, its kind, the function that answers it, and one line.

    With `question` the function is called with the open models and the question, without one with
    the models alone. `example` is a question that works with glove-en-small, which is shipped.
    `records` names the fields of the answer that hold records of the results' schema.
    """

    path: str
    answer: Callable[..., Mapping[str, Any]]
    meaning: str
    question: type[WireQuestion] | None = None
    method: Literal["GET", "POST"] = "GET"
    example: Mapping[str, Any] = field(default_factory=dict)
    records: tuple[str, ...] = ()

    @property
    def address(self) -> str:
        """The path as it is asked."""
        return f"/api/{self.path}"
