"""The page's colours where others choose between light and dark: a notebook, a site, a system."""

from collections.abc import Mapping
from functools import cache

from fairvec.report.figures.style_sheet import style_sheet

ROOT = "fairvec-shown"
"""The class round all that is shown within the page of somebody else; no rule reaches out of it."""

_PREFIX = "--fairvec-"
_LIGHT = (
    '[data-jp-theme-light="true"]',
    "body.vscode-light",
    '[data-theme="light"]',
    '[data-md-color-scheme="default"]',
)
_DARK = (
    '[data-jp-theme-light="false"]',
    "body.vscode-dark",
    'html[theme="dark"]',
    '[data-theme="dark"]',
    '[data-md-color-scheme="slate"]',
)


def named(name: str) -> str:
    """Return a colour of the page as others may choose it; alone it is the light one."""
    return f"var({_PREFIX}{name.removeprefix('--')}, {style_sheet().light[name]})"


@cache
def chosen() -> Mapping[str, str]:
    """Return every name of the style sheet with a value that whoever shows it chooses."""
    light = style_sheet().light
    return {name: named(name) if _is_colour(light[name]) else light[name] for name in light}


@cache
def theme() -> str:
    """Return the rules that choose: the system's wish, over it what the page round it says."""
    light, dark = (_declared(colours) for colours in (style_sheet().light, style_sheet().dark))
    return "\n".join(
        [
            f".{ROOT} {{ {light} }}",
            f"@media screen and (prefers-color-scheme: dark) {{ .{ROOT} {{ {dark} }} }}",
            f"{', '.join(f'{place} .{ROOT}' for place in _LIGHT)} {{ {light} }}",
            f"@media screen {{ {', '.join(f'{place} .{ROOT}' for place in _DARK)} {{ {dark} }} }}",
        ]
    )


def _declared(colours: Mapping[str, str]) -> str:
    some = {name: value for name, value in colours.items() if _is_colour(value)}
    scheme = f"color-scheme: {colours['color-scheme']};"
    return " ".join([f"{_PREFIX}{name[2:]}: {value};" for name, value in some.items()] + [scheme])


def _is_colour(value: str) -> bool:
    return value.startswith("#")
