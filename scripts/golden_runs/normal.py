"""What may differ between two runs of one program, taken out of what they show: nothing else is."""

import re
from collections.abc import Mapping

LIBRARIES = (
    "python numpy scipy scikit-learn sklearn numba llvmlite pydantic torch transformers tokenizers "
    "gensim h5py safetensors dask distributed starlette uvicorn pymorphy3 pandas model2vec"
)
_NAMES = "|".join(map(re.escape, LIBRARIES.split()))
_NUMBER = r"\d+(?:\.\d+)+[\w.+-]*"
_TIME = r"\d+ (?:s|min \d+ s|h \d+ min)"
RULES = (
    # "versions":{"fairvec":"0.1.0","numpy":"2.4.6"}: which libraries are named is kept.
    (re.compile(rf'("(?:fairvec|{_NAMES})": ?)"{_NUMBER}"'), r'\1"<version>"'),
    (re.compile(rf"\b({_NAMES}) {_NUMBER}", re.IGNORECASE), r"\1 <version>"),
    # Progress is told when ten seconds are over, and only then.
    (re.compile(rf"^.*: (?:\d+ % )?after {_TIME}(?:, this step about {_TIME} more)?\n", re.M), ""),
    (re.compile(r"[\d.]+M pairs a second, \d+ (?:s|min|h) left"), "<speed>"),
    (re.compile(r'("(?:milli)?seconds": ?)[\d.e+-]+'), r'\1"<seconds>"'),
    (re.compile(r"http://127\.0\.0\.1:\d+"), "<address>"),
    (re.compile(r"token=[\w-]+"), "token=<token>"),
)


def normal(text: str, version: str, folders: Mapping[str, str]) -> str:
    """Return a text without versions, times and paths.

    Args:
        text: What was shown or written.
        version: Of fairvec, as it prints it.
        folders: What to call each path; where one is within another the longer one counts.
    """
    for path in sorted(folders, key=len, reverse=True):
        text = text.replace(path, f"<{folders[path]}>")
    text = re.sub(rf"(?<![\d.]){re.escape(version)}(?![\d.]*\d)", "<version>", text)
    for rule, put in RULES:
        text = rule.sub(put, text)
    return text
