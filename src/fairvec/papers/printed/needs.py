"""What some cells still need: whoever adds it removes its name here and from the papers' data."""

NEEDS: dict[str, str] = {}
