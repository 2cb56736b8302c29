"""A picture: one figure of the page that shows itself in a notebook and stands alone in a file."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from xml.etree.ElementTree import Element, fromstring, tostring

from fairvec.ground.disk.files import write_text
from fairvec.ground.errors import SettingError, refusal_of
from fairvec.ground.text.one_line import on_one_line
from fairvec.report.figures.colours import ROOT, chosen, theme
from fairvec.report.figures.style_sheet import style_sheet
from fairvec.report.figures.styled import write_styles

ENDING = ".svg"
_NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def fit_for_xml(text: str) -> str:
    """Return the text with a mark in the place of what no XML may hold, such as a zero byte."""
    return _NOT_XML.sub("\ufffd", text)


def parsed(markup: str) -> Element:
    """Return a drawing as elements."""
    return fromstring(fit_for_xml(markup))  # noqa: S314  (drawn and escaped by report.plots)


@dataclass(frozen=True)
class Picture:
    """A figure; `drawn` are its elements with the classes of the page's style sheet.

    A notebook shows it in its own colours, light or dark; `save` writes an SVG that needs no style
    sheet, no font and no script, for a paper or a slide.
    """

    title: str
    width: int
    height: int
    drawn: str = field(repr=False)

    def svg(self, *, dark: bool = False) -> str:
        """Return it as an SVG that stands alone, on light paper or on dark."""
        sheet = style_sheet()
        return self._styled(sheet.dark if dark else sheet.light)

    def save(self, path: Path | str, *, dark: bool = False) -> Path:
        """Write it to a file .svg, whole or not at all."""
        file = Path(path)
        if file.suffix.lower() != ENDING:
            raise SettingError(
                f"{path}: a picture is saved as SVG; name a file that ends in {ENDING}."
            )
        try:
            write_text(file, f'<?xml version="1.0" encoding="utf-8"?>\n{self.svg(dark=dark)}\n')
        except OSError as error:
            raise SettingError(
                f"{path}: the picture cannot be written ({refusal_of(error)}); name another file."
            ) from error
        return file

    def inline(self) -> str:
        """Return it as an SVG whose colours are those of the place that shows it."""
        return self._styled(chosen())

    def _repr_svg_(self) -> str:
        return self.svg()

    def _repr_html_(self) -> str:
        return f'<div class="{ROOT}"><style>{theme()}</style>{self.inline()}</div>'

    def __str__(self) -> str:
        """Return what is drawn, in one line."""
        return on_one_line(f"{self.title} ({self.width} by {self.height} pixels)")

    def _styled(self, colours: Mapping[str, str]) -> str:
        root = parsed(self.drawn)
        write_styles(root, colours)
        for name, value in (
            ("xmlns", "http://www.w3.org/2000/svg"),
            ("width", str(self.width)),
            ("height", str(self.height)),
            ("viewBox", f"0 0 {self.width} {self.height}"),
            ("font-family", style_sheet().light["--sans"].replace('"', "'")),
            ("role", "img"),
            ("style", "max-width:100%;height:auto"),
        ):
            root.set(name, value)
        return tostring(root, encoding="unicode")
