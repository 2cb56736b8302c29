"""A transform runs any kind of move by what the move says of itself."""

import ast
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import ClassVar, Self

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from fairvec.embedding import Embedding
from fairvec.geometry import Euclidean, FloatArray, Geometry, Poincare
from fairvec.mitigation import Transform, transform
from fairvec.mitigation.moves import Loop, Move, Rows


@dataclass(frozen=True, eq=False)
class Shrinking(Move):
    """A move that nobody has registered: it notes how it was run."""

    name: ClassVar[str] = "shrinking"
    work: ClassVar[int] = 4
    rows_at_a_time: ClassVar[int] = 7

    strength: float
    given: list[int] = field(default_factory=list)
    looped: list[int] = field(default_factory=list)

    @property
    def dimensions(self) -> int:
        return 3

    def rows(self, rows: FloatArray) -> FloatArray:
        self.given.append(len(rows))
        return np.asarray(rows * (1 - self.strength))

    def loop(self, geometry: Geometry, lengths: str) -> Loop | None:
        def first_half(rows: Rows, out: Rows, still: NDArray[np.intp]) -> list[slice]:
            half = len(rows) // 2
            self.looped.append(half)
            out[:half] = rows[:half] * (1 - self.strength)
            out[still] = rows[still]
            return [slice(half, len(rows))]

        return None if geometry.curvature or lengths != "free" else first_half

    def tensors(self) -> dict[str, FloatArray]:
        return {}

    @classmethod
    def from_tensors(cls, tensors: Mapping[str, FloatArray], strength: float) -> Self:
        return cls(strength)


@settings(deadline=None)
@given(
    count=st.integers(1, 60),
    worth=st.integers(0, 400),
    ball=st.booleans(),
    stays=st.sets(st.integers(0, 59)),
)
def test_a_move_of_another_kind_is_run_as_it_asks(
    count: int, worth: int, ball: bool, stays: set[int]
) -> None:
    space: Geometry = Poincare(1.0) if ball else Euclidean()
    vectors = np.random.default_rng(count).uniform(-0.5, 0.5, size=(count, 3))
    model = Embedding([f"w{row}" for row in range(count)], vectors, space, "toy")
    move = Shrinking(0.5)
    change = Transform(
        "toy", {"strength": 0.5}, "toy", (), frozenset(), space, move,
        unmoved=frozenset(f"w{row}" for row in stays),
    )  # fmt: skip
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(transform, "WORTH_COMPILING", worth)
        moved = change.transform(model).vectors
    by_loop = not ball and count * 3 >= worth // 4
    assert move.looped == ([count // 2] if by_loop else [])
    left = count - sum(move.looped)
    assert move.given == [7] * (left // 7) + [left % 7] * (left % 7 > 0)
    expected = space.exp0(space.log0(vectors) / 2)
    kept = [row for row in stays if row < count]
    expected[kept] = vectors[kept]
    np.testing.assert_allclose(moved, expected, atol=1e-12)


def test_a_transform_knows_no_kind_of_move() -> None:
    tree = ast.parse(Path(transform.__file__).read_text(encoding="utf-8"))
    known = {node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    ours = {module for module in known if module and module.startswith("fairvec.mitigation")}
    assert ours == {"fairvec.mitigation.moves"}
