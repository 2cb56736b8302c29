"""The process in which the cells of one tutorial run, told them and telling what they gave as JSON.

Python cells share their names, as in a notebook, and the value of a last expression is shown.
"""

import ast
import io
import json
import os
import subprocess
import sys
import traceback
from contextlib import redirect_stdout
from typing import Any


def python_output(code: str, names: dict[str, Any], place: str) -> tuple[str, str]:
    """Run a cell, and return what it printed and, of its last value, the HTML if there is any."""
    tree = ast.parse(code, filename=place)
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    html = ""
    printed = io.StringIO()
    with redirect_stdout(printed):
        exec(compile(tree, place, "exec"), names)  # noqa: S102 - running the text is the purpose
        if isinstance(last, ast.Expr):
            value = eval(compile(ast.Expression(last.value), place, "eval"), names)  # noqa: S307 - the same
            if draws := getattr(value, "_repr_html_", None):
                html = draws()
            elif value is not None:
                print(repr(value))
    return printed.getvalue(), html


def shell_output(code: str, exit_code: int) -> str:
    """Run a cell's commands, and return what they printed on either stream."""
    ended = subprocess.run(  # noqa: S603 - running the text is the purpose
        ["bash", "-c", f"set -eo pipefail\n{code}"],  # noqa: S607 - the reader's own shell
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
        env=os.environ | {"COLUMNS": "100"},
    )
    if ended.returncode != exit_code:
        raise RuntimeError(f"exit code {ended.returncode}, not {exit_code}:\n{ended.stdout}")
    return ended.stdout + (f"[exit code {exit_code}]\n" if exit_code else "")


def main() -> None:
    """Run the cells that standard input lists until one fails, and write what each gave."""
    request = json.load(sys.stdin)
    names: dict[str, Any] = {"__name__": "__main__"}
    outputs = []
    for cell in request["cells"]:
        place = f"{request['name']}, cell of line {cell['line']}"
        try:
            if cell["language"] == "sh":
                text, html = shell_output(cell["code"], cell["exit_code"]), ""
            else:
                text, html = python_output(cell["code"], names, place)
        except BaseException:  # whatever a cell raises, SystemExit too, is its failure
            outputs.append({"failed": f"{place}:\n{traceback.format_exc()}"})
            break
        outputs.append({"text": text, "html": html})
    json.dump(outputs, sys.stdout)


if __name__ == "__main__":
    main()
