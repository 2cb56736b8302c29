"""Numbers in sentences."""


def counted(number: int, one: str, several: str) -> str:
    """Return a number with what is counted, as in 1 row and 2,000 rows."""
    return f"{number:,} {one if number == 1 else several}"
