"""Text and numbers as LaTeX reads them."""

from unicodedata import category, name

from fairvec.ground.numbers import FROM_SUPERSCRIPTS, MINUS
from fairvec.ground.text.one_line import on_one_line

_ESCAPES = {
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    # By number, because not every encoding of a font has a name for them.
    "`": r"\symbol{96}",
    '"': r"\symbol{34}",
    # Two of them would become one long one.
    "-": "-{}",
    "'": "'{}",
    ",": ",{}",
    **{sign: f"\\{sign}" for sign in "&%$#_{}"},
}
_JOINED = ("-", "'", ",")
_PLAIN = {"LATIN", "MODIFIER", "FEMININE", "MASCULINE"}


def escaped(text: str) -> str:
    """Return text that LaTeX sets as it is: one line, no sign with a meaning of its own."""
    line = on_one_line(text)
    return "".join(
        sign if sign in _JOINED and line[at + 1 : at + 2] != sign else _ESCAPES.get(sign, sign)
        for at, sign in enumerate(line)
    )


def first_cell(text: str) -> str:
    r"""Return text that may begin a row: after \\ a [ would begin an option, and a * be one."""
    return f"{{}}{text}" if text[:1] in ("[", "*") else text


def mathematics(text: str) -> str:
    """Return a number as mathematics, so that any LaTeX can set its signs and powers."""
    if not text:
        return ""
    plain = text.replace(MINUS, "-").replace("\N{NO-BREAK SPACE}", "")
    mantissa, times, power = plain.partition("×10")
    power = power.translate(FROM_SUPERSCRIPTS)
    return rf"${mantissa}\times10^{{{power}}}$" if times else f"${plain}$"


def scripts(text: str) -> list[str]:
    """Return the scripts off the Latin one in a text, as in Devanagari, in their order."""
    letters = (sign for sign in text if not sign.isascii() and category(sign)[0] == "L")
    found = (name(sign, "other").split()[0] for sign in letters)
    return [script.capitalize() for script in dict.fromkeys(found) if script not in _PLAIN]


def engine(text: str) -> str:
    """Return which LaTeX can set a text, as a comment; empty if any of today can."""
    found = scripts(text)
    if not found:
        return ""
    if found == ["Cyrillic"]:
        return r"% Cyrillic: XeLaTeX or LuaLaTeX, or pdfLaTeX with \usepackage[T2A]{fontenc}."
    return (
        rf"% {' and '.join(found)}: XeLaTeX or LuaLaTeX, \usepackage{{fontspec}} and a "
        r"\setmainfont that has the letters; pdfLaTeX has none."
    )
