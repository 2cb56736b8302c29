import pytest

from fairvec.core.errors import SettingError
from fairvec.core.memory import format_size, parse_size


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("500MB", 500_000_000),
        ("2GiB", 2 * 1024**3),
        ("1.5 gb", 1_500_000_000),
        (" 64kib ", 65536),
        ("0.5TB", 500_000_000_000),
        ("4096", 4096),
        ("12B", 12),
    ],
)
def test_sizes_are_read_as_people_write_them(text: str, expected: int) -> None:
    assert parse_size(text) == expected


@pytest.mark.parametrize("text", ["", "MB", "-1GB", "1,5GB", "0MB", "2 GiBs", "1e9", "nan", "٣MB"])
def test_what_is_no_size_is_refused(text: str) -> None:
    with pytest.raises(SettingError, match="no size of memory; say it like 500MB"):
        parse_size(text)


@pytest.mark.parametrize("digits", [20, 400, 5000])
def test_a_size_that_no_machine_has_is_refused_in_few_letters(digits: int) -> None:
    with pytest.raises(SettingError, match="no size of memory") as caught:
        parse_size("9" * digits)
    assert len(str(caught.value)) < 400


def test_sizes_are_said_as_people_say_them() -> None:
    sizes = (3, 20_000, 999_499, 999_500, 2_400_000, 999_000_000, 2_460_000_000)
    assert [format_size(size) for size in sizes] == [
        "1 kB",
        "20 kB",
        "999 kB",
        "1 MB",
        "2 MB",
        "999 MB",
        "2.5 GB",
    ]
