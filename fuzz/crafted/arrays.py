"""Arrays that announce more than a file can hold: npz, npy, safetensors, fastText, transforms."""

import struct
import zipfile
from collections.abc import Callable

from fuzz.cases import Files
from fuzz.crafted.making import content, header, main_file, tensors, with_metadata, zipped

VECTORS = header("(2, 2)") + b"\0" * 16


def _npz(keys: bytes, vectors: bytes = VECTORS) -> bytes:
    return zipped({"keys.npy": keys, "vectors.npy": vectors})


def _one_letter_words() -> bytes:
    """Return a hundred million words in a hundred kilobytes."""
    count = 100_000_000
    return _npz(header(f"({count},)", "'|S1'") + b"a" * count, header(f"({count}, 1)"))


def _same_name(name: bytes) -> bytes:
    """Return an archive of which two arrays have one name: a reader takes either, silently."""
    words = header("(2,)", "'<U1'") + "ab".encode("utf-32-le")
    arrays = {"words.npy": words, "vectors.npy": VECTORS, "twins_1.npy": words}
    return zipped(arrays, zipfile.ZIP_STORED).replace(b"twins_1.npy", name)


def _fasttext(place: int, number: int) -> Callable[[Files, str], Files]:
    def attack(honest: Files, main: str) -> Files:
        data = honest[main]
        return {**honest, main: data[:place] + struct.pack("<i", number) + data[place + 4 :]}

    return attack


def _transform(**changes: object) -> Callable[[Files, str], Files]:
    return lambda honest, main: {**honest, main: with_metadata(honest[main], **changes)}


def _moved_far(honest: Files, main: str) -> Files:
    """Put the largest numbers into the arrays of a transform."""
    data = honest[main]
    start = 8 + int.from_bytes(data[:8], "little")
    return {**honest, main: data[:start] + struct.pack("<d", 1e300) * ((len(data) - start) // 8)}


def _shape(shape: list[int], dtype: str = "F32", end: int = 0) -> bytes:
    return tensors({"embeddings": {"dtype": dtype, "shape": shape, "data_offsets": [0, end]}})


HEADERS = {
    "letterless words": header("(2000000000,)", "'<U0'"),
    "without a close": header("(2,)", "'<U3'", closing=""),
    "of dashes": header("-" * 7000 + "1", "'<U3'"),
    "shape is True": header("True", "'<U3'"),
    "shape holds True": header("(True, 2)", "'<U3'"),
    "letters that are none": header("(2,)", "'<U1'") + b"\xff" * 8,
    "objects": header("(1,)", "'|O'") + b"\x80\x02N.",
    "many brackets": header("(" * 200, "'<U3'"),
    "seventy dimensions": header(f"({'1, ' * 70})", "'<U3'") + b"a\0\0\0",
    "less than none": header("(-1,)", "'<U3'"),
    "more than any": header(f"({10**30},)", "'<U3'"),
    "five thousand digits": header(f"({'9' * 5000},)", "'<U3'"),
}


def _many_matrices() -> bytes:
    each = {"dtype": "F32", "shape": [1, 1]}
    many = {f"layer.{at}": each | {"data_offsets": [4 * at, 4 * at + 4]} for at in range(10_000)}
    return tensors(many, bytes(40_000))


SHAPES = {
    "nothing of endless width": content(_shape([0, 10**30])),
    "seventy dimensions": content(_shape([1] * 70, end=0)),
    "very many dimensions": content(_shape([10**18 - 1] * 100_000)),
    "none of none": content(_shape([0, 0])),
    "a wide nothing": content(_shape([0, 2**62])),
    "a tall nothing": content(_shape([2**62, 0])),
    "long digits": content(_shape([1]).replace(b"[1]", b"[" + b"9" * 5000 + b"]")),
    "very many matrices": main_file(_many_matrices),
    "deep header": main_file(lambda: (20_000).to_bytes(8, "little") + b'{"a":' * 4_000),
}
ON_ARRAYS = {
    "format-npz": {
        **{name: content(_npz(head)) for name, head in HEADERS.items()},
        **{f"vectors {name}": content(_npz(VECTORS, head)) for name, head in HEADERS.items()},
        "one-letter words": main_file(_one_letter_words),
        "two of one name": content(_same_name(b"vectors.npy")),
        "two of one name before a zero": content(_same_name(b"words.npy\0x")),
        "stored": content(zipped({"keys.npy": HEADERS["letterless words"]}, zipfile.ZIP_STORED)),
    },
    "format-npy": {name: content(head) for name, head in HEADERS.items()},
    "format-safetensors": SHAPES,
    "format-native": SHAPES,
    "format-fasttext-bin": {
        # Where the dimensions, the buckets, minn and maxn of the settings stand.
        **{f"dimensions {n}": _fasttext(8, n) for n in (0, -1, 10**9)},
        **{f"buckets {n}": _fasttext(40, n) for n in (0, -1, 2**31 - 1)},
        **{f"minn {n}": _fasttext(44, n) for n in (0, -1, -(10**9))},
        **{f"maxn {n}": _fasttext(48, n) for n in (0, -1, 10**9)},
    },
    "transform": {
        "curvature is no number": _transform(curvature="NaN", geometry='"poincare"'),
        "curvature is endless": _transform(curvature="Infinity", geometry='"poincare"'),
        "curvature is huge": _transform(curvature=1e300, geometry='"poincare"'),
        "curvature is tiny": _transform(curvature=1e-300, geometry='"poincare"'),
        "far away": _moved_far,
        "far away in a ball": lambda honest, main: _transform(geometry='"poincare"', curvature=1.0)(
            _moved_far(honest, main), main
        ),
        "a version without an end": _transform(**{"fairvec-transform": "9" * 5000}),
        "fitted on a number": _transform(fitted_on=5),
        "fitted on numbers": _transform(fitted_on=[1, None, {}]),
        "fitted on letters": _transform(fitted_on="abc"),
        "method is a list": _transform(method=["x"]),
        "settings are a list": _transform(settings=[1]),
        "remarks are text": _transform(remarks="none"),
        "remarks hold a number": _transform(remarks={"a": 5}),
        "guarantees are numbers": _transform(guarantees=[[1], {}]),
        "unmoved are lists": _transform(unmoved=[[1]]),
        "lengths are odd": _transform(lengths={"a": 1}),
        "concept is a number": _transform(concept=10**400),
        "geometry is a list": _transform(geometry=["poincare"]),
        "surrogates": _transform(concept='"\\ud800"', method='"\\udcff"'),
    },
}
