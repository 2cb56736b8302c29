"""Values at which readers break: numbers at the edges of types, and text that acts."""

from random import Random
from typing import Any

INTEGERS = (
    *(0, 1, -1, 2, 7, 64, 65, 127, 128, 255, 256, 32_767, 65_535, 65_536, 10**6),
    *(2**31 - 1, 2**31, 2**32 - 1, 2**32, 2**53 + 1, 2**62, 2**63 - 1, 2**63, 2**64, 10**30),
    *(-(2**31), -(2**63), -(10**30)),
)
FLOATS = ("nan", "inf", "-inf", "1e308", "-1e308", "1e-320", "-0.0", "1e38", "1e-200", "1e400")
HUGE = "9" * 5000
"""More digits than Python turns into a number by itself."""
DEEP, LONG = "@deep@", "@long@"
"""Stand for what no writer of JSON can write: put into the text after it is written."""
SCRIPT = "<script>owned"
TEXTS = (
    *("", " ", "\x00", "\n", "\x1b[2J\x1b]0;owned\x07", "\x9b31m", "\u202eabc", "\u2028", "\ufeff"),
    *(
        "=1+1",
        "+1",
        "-1",
        "@x",
        "[x]",
        "=cmd|' /C x'!A1",
        "\\input{x}",
        "a|b",
        "[x](y)",
        f"{SCRIPT}()</script>",
        "{{7*7}}",
        "[red]x[/red]",
        "%s%n",
    ),
    *("../../beside/x", "/dev/null", "..%2f..%2fx", "C:\\x", "con", ".", "..", "~", "-", "--help"),
    *(
        "\ud800",
        "\udcff",
        "e\u0301" * 20,
        "a" * 5000,
        "नमस्ते",
        "слово",
        "\U0001f600",
        "nan",
        "1e999",
    ),
    *(
        "http://127.0]0.1/x",
        "http://[::1",
        "file:///etc/passwd",
        "python:os:system",
        "True",
        "null",
    ),
)


def odd_integer(random: Random) -> int:
    """Return a whole number at the edge of some type, or just beside it."""
    return random.choice(INTEGERS) + random.choice((0, 0, 0, 1, -1))


def odd_number_text(random: Random) -> str:
    """Return a number as text, which may be no number of any type."""
    way = random.randrange(6)
    if way == 0:
        return HUGE
    return random.choice(FLOATS) if way < 3 else str(odd_integer(random))


def odd_value(random: Random) -> Any:
    """Return a value of any type that JSON has, and two that it has not."""
    return random.choice(
        (
            lambda: None,
            lambda: random.choice((True, False)),
            lambda: odd_integer(random),
            lambda: odd_integer(random),
            lambda: float(random.choice(FLOATS)),
            lambda: random.choice(TEXTS),
            lambda: random.choice(TEXTS),
            lambda: random.choice(([], {}, [[]], {"": {}}, [None], [0] * 70, {"x": [1, "a"]})),
            lambda: DEEP,
            lambda: LONG,
        )
    )()
