from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from fairvec.embedding.formats.kernels import text_kernels as text_lines
from fairvec.embedding.formats.kernels.text_kernels import UNSETTLED
from fairvec.embedding.formats.rows import Block


def written(vectors: NDArray[np.float32]) -> list[str]:
    blocks = [Block(["k"] * len(vectors), vectors)]
    return [
        line[2:] for line in b"".join(text_lines.format_lines(blocks)).decode().split("\n")[:-1]
    ]


def digits(text: str) -> int:
    return len(text.split("e")[0].replace(".", "").replace("-", "").strip("0"))


def random_bits(count: int) -> NDArray[np.float32]:
    bits = np.random.default_rng(5).integers(0, 2**32, count, dtype=np.uint32)
    floats = bits.view(np.float32)
    return floats[np.isfinite(floats)]


def edges() -> NDArray[np.float32]:
    powers = np.float32(2) ** np.arange(-149, 128).astype(np.float32)
    tens = np.array([float(f"1e{power}") for power in range(-45, 39)], dtype=np.float32)
    near = np.concatenate([powers, tens])
    subnormal = np.arange(1, 300, dtype=np.uint32).view(np.float32)
    large = np.float32(3.4028235e38)
    both = np.concatenate([near, np.nextafter(near, np.float32(0)), subnormal, [large, 0]])
    return np.concatenate([both, -both]).astype(np.float32)


def test_a_number_is_the_shortest_that_reads_back() -> None:
    numbers = np.concatenate([random_bits(20_000), edges()])
    for number, text in zip(numbers, written(numbers[:, None]), strict=True):
        assert np.float32(float(text)).tobytes() == number.tobytes(), text
        shortest = np.format_float_scientific(number)
        # numpy also takes a decimal half-way between two floats, trusting all to round to even.
        assert digits(text) == digits(shortest) or _is_half_way(float(shortest)), (text, shortest)


def _is_half_way(number: float) -> bool:
    near = np.float32(number)
    other = np.nextafter(near, np.float32(np.inf if number > float(near) else -np.inf))
    return float(near) != number and abs(float(near) - number) == abs(float(other) - number)


def test_numbers_look_as_python_writes_them() -> None:
    for text in (
        "0.1",
        "-0.0",
        "1.0",
        "123.25",
        "0.0001",
        "1e-05",
        "-1.5e-07",
        "100000.0",
        "1e+20",
    ):
        assert written(np.array([[float(text)]], dtype=np.float32)) == [text]


def test_what_the_loops_leave_open_is_written_by_numpy() -> None:
    vectors = np.array([[0.1, 2.0], [0.3, 1e-40]], dtype=np.float32)
    for key, vector in zip("ab", vectors, strict=True):
        line = text_lines._format_line(key.encode(), vector).decode()
        name, *numbers = line.split()
        assert name == key
        assert np.array(numbers, dtype=np.float64).astype(np.float32).tolist() == vector.tolist()


def test_an_unsettled_line_keeps_its_place(monkeypatch: pytest.MonkeyPatch) -> None:
    vectors = np.array([[0.1], [0.2], [0.3]], dtype=np.float32)

    def leave_the_second_open(
        _keys: object, _key_ends: object, _vectors: object, text: Any, line_ends: Any
    ) -> int:
        text[:12] = np.frombuffer(b"k 0.1\nk 0.3\n", dtype=np.uint8)
        line_ends[:] = [6, UNSETTLED, 12]
        return 12

    monkeypatch.setattr(text_lines, "write_lines", leave_the_second_open)
    assert [float(number) for number in written(vectors)] == [0.1, 0.2, 0.3]
