"""The few words of SVG that the plots need."""

from markupsafe import Markup, escape


def element(name: str, *children: str, **attributes: str | float) -> Markup:
    """Return one SVG element, its attributes escaped and empty ones left out.

    Children are SVG already, or escaped text; `class_` stands for class and `x_y` for x-y.
    """
    written = "".join(
        f' {key.rstrip("_").replace("_", "-")}="{escape(_short(value))}"'
        for key, value in attributes.items()
        if value != ""
    )
    inside = Markup("").join(children)
    return Markup(f"<{name}{written}>{inside}</{name}>" if inside else f"<{name}{written}/>")  # noqa: S704  (all parts are escaped above)


def percent(place: float) -> str:
    """Return a horizontal place as SVG writes it."""
    return f"{place:g}%"


def _short(value: str | float) -> str:
    return value if isinstance(value, str) else f"{value:g}"
