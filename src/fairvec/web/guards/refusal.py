"""Why a request is not answered."""

from dataclasses import dataclass, field


@dataclass(frozen=True)
class Refusal:
    """A status of HTTP and one sentence: what, which and the remedy."""

    status: int
    reason: str
    headers: dict[str, str] = field(default_factory=dict)
