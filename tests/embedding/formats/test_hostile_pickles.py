"""Pickles that try to run code."""

import pickle
import pickletools
import struct
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from fairvec.core.errors import FileFormatError, UnsafeFileError
from fairvec.embedding.formats.base import ReadOptions
from fairvec.embedding.formats.gensim import Gensim
from fairvec.embedding.formats.pickles.objects import Stub
from fairvec.embedding.formats.pickles.unpickler import load_pickle
from tests.embedding.pickles import called, called_by_stack, pushed, whole
from tests.loops import loop_over

# --- A pickle of each common hostile kind; where it can be shown, plain pickle falls for it first


def touch(sentinel: Path) -> str:
    return f"touch '{sentinel}'"


def write(sentinel: Path) -> str:
    return f"open({str(sentinel)!r}, 'w').close()"


Hostile = Callable[[Path], bytes]

# Each of these creates the sentinel when plain pickle loads it.
THAT_WORK: dict[str, tuple[Hostile, str]] = {
    "os.system": (lambda s: whole(called("os", "system", touch(s))), "os.system"),
    "posix.system": (lambda s: whole(called("posix", "system", touch(s))), "posix.system"),
    "eval": (lambda s: whole(called("builtins", "eval", write(s))), "builtins.eval"),
    "eval of Python 2": (
        lambda s: whole(called("__builtin__", "eval", write(s)), 2),
        "__builtin__.eval",
    ),
    "exec": (lambda s: whole(called("builtins", "exec", write(s))), "builtins.exec"),
    "open": (lambda s: whole(called("builtins", "open", str(s), "w")), "builtins.open"),
    "io.open": (lambda s: whole(called("io", "open", str(s), "w")), "io.open"),
    "subprocess": (
        lambda s: whole(called("subprocess", "check_call", ["touch", str(s)])),
        "subprocess.check_call",
    ),
    "nested pickle": (
        lambda s: whole(
            called("_pickle", "loads", whole(called("os", "system", touch(s)))),
        ),
        "_pickle.loads",
    ),
    "an instance by INST": (
        lambda s: b"(" + pushed(touch(s)) + b"ios\nsystem\n.",
        "os.system",
    ),
    "an instance by OBJ": (
        lambda s: whole(b"(cos\nsystem\n" + pushed(touch(s)) + b"o", 1),
        "os.system",
    ),
    "a stacked name": (
        lambda s: whole(called_by_stack("os", "system", touch(s))),
        "os.system",
    ),
    "a dotted stacked name": (
        lambda s: whole(called_by_stack("shutil", "os.system", touch(s))),
        "shutil.os.system",
    ),
    "a harmless first object": (
        lambda s: whole(pushed(["word"]) + b"0" + called("os", "system", touch(s))),
        "os.system",
    ),
    "a function called through the state of an object": (
        lambda s: whole(
            called("collections", "OrderedDict")
            + pushed("key")
            + called("os", "system", touch(s))
            + b"s"
        ),
        "os.system",
    ),
    "partial": (
        lambda s: whole(
            b"cfunctools\npartial\n" + b"cos\nsystem\n" + pushed(touch(s)) + b"\x86R" + b")R"
        ),
        "functools.partial",
    ),
    "pathlib": (
        lambda s: whole(b"cpathlib\nPath.touch\n" + called("pathlib", "Path", str(s)) + b"\x85R"),
        "pathlib.Path.touch",
    ),
    "numpy.save": (
        lambda s: whole(called("numpy", "savetxt", str(s), [1.0])),
        "numpy.savetxt",
    ),
    "a map that is listed": (
        lambda s: whole(
            b"cbuiltins\nlist\ncbuiltins\nmap\ncos\nsystem\n" + pushed([touch(s)]) + b"\x86R\x85R"
        ),
        "builtins.map",
    ),
}

# These reach for something that is refused before it is used.
THAT_REACH = [
    ("builtins", "getattr"),
    ("builtins", "__import__"),
    ("builtins", "compile"),
    ("builtins", "globals"),
    ("builtins", "type"),
    ("builtins", "setattr"),
    ("builtins", "object.__subclasses__"),
    ("subprocess", "Popen"),
    ("codecs", "decode"),
    ("_codecs", "decode"),
    ("codecs", "open"),
    ("copyreg", "__newobj__"),
    ("copyreg", "__reduce_ex__"),
    ("copyreg", "add_extension"),
    ("copyreg", "_reconstructor.__globals__"),
    ("importlib", "import_module"),
    ("operator", "attrgetter"),
    ("operator", "methodcaller"),
    ("types", "CodeType"),
    ("types", "FunctionType"),
    ("marshal", "loads"),
    ("pickle", "loads"),
    ("runpy", "run_path"),
    ("pty", "spawn"),
    ("webbrowser", "open"),
    ("ctypes", "CDLL"),
    ("numpy", "load"),
    ("numpy", "fromfile"),
    ("numpy", "memmap"),
    ("numpy", "dtype.__setstate__"),
    ("numpy", "ndarray.__setstate__"),
    ("numpy.testing._private.utils", "runstring"),
    ("numpy.testing", "rundocs"),
    ("numpy.f2py.crackfortran", "getlincoef"),
    ("numpy.ctypeslib", "load_library"),
    ("numpy.randomly", "named"),
    ("joblib.numpy_pickle", "NumpyArrayWrapper"),
    ("torch._utils", "_rebuild_tensor_v2"),
    ("torch.storage", "_load_from_bytes"),
    ("sklearn.linear_model", "LogisticRegression"),
    ("gensimulation", "run"),
    ("glove_codes", "run"),
    ("glove_code.src.glove", "logging.os.system"),
    ("gensim.utils", "os.system"),
    ("gensim.models.word2vec", "Word2Vec.load"),
    ("gensim", "utils.pickle.loads"),
    ("gensim..utils", "unpickle"),
    ("__main__", "trim_rule"),
]


@pytest.fixture
def sentinel(tmp_path: Path) -> Path:
    return tmp_path / "was-run"


@pytest.mark.parametrize("kind", THAT_WORK)
def test_a_working_attack_is_refused_by_name_and_runs_nothing(
    kind: str, sentinel: Path, tmp_path: Path
) -> None:
    build, name = THAT_WORK[kind]
    file = tmp_path / "model.kv"
    file.write_bytes(build(sentinel))

    made = pickle.loads(file.read_bytes())
    if hasattr(made, "close"):
        made.close()
    assert sentinel.exists(), "the control must show that the attack works"
    sentinel.unlink()

    with pytest.raises(UnsafeFileError, match="never runs code") as refused:
        Gensim().read(file, ReadOptions())
    assert f" {name};" in str(refused.value)
    assert "model.kv" in str(refused.value)
    assert not sentinel.exists()


@loop_over("build", [called, called_by_stack])
@loop_over(("module", "name"), THAT_REACH)
def test_every_other_name_is_refused_before_it_is_used(
    module: str, name: str, build: Callable[..., bytes], sentinel: Path, tmp_path: Path
) -> None:
    file = tmp_path / "model.kv"
    file.write_bytes(whole(build(module, name, touch(sentinel))))
    with pytest.raises(UnsafeFileError, match="never runs code") as refused:
        load_pickle(file)
    assert f" {module}.{name};" in str(refused.value)
    assert not sentinel.exists()


@pytest.mark.parametrize("build", [called, called_by_stack])
@pytest.mark.parametrize(
    ("module", "name"),
    [
        ("gensim.utils", "unpickle"),
        ("gensim.utils", "check_output"),
        ("glove_code.src.utils", "unpickle"),
        ("builtins", "hash"),
    ],
)
def test_a_function_of_gensim_becomes_a_shell_that_does_nothing(
    module: str, name: str, build: Callable[..., bytes], sentinel: Path, tmp_path: Path
) -> None:
    hostile = tmp_path / "inner.pkl"
    hostile.write_bytes(whole(called("os", "system", touch(sentinel))))
    file = tmp_path / "model.kv"
    file.write_bytes(whole(build(module, name, str(hostile))))
    made = load_pickle(file)
    assert isinstance(made, Stub)
    assert made.path == f"{module}.{name}"
    assert not sentinel.exists()


@pytest.mark.parametrize("reference", [b"Pname\n", pushed("name") + b"Q"])
def test_objects_kept_outside_the_file_are_refused(reference: bytes, tmp_path: Path) -> None:
    file = tmp_path / "model.kv"
    file.write_bytes(whole(reference))
    with pytest.raises(UnsafeFileError, match="outside itself"):
        load_pickle(file)


@pytest.mark.parametrize(
    "target",
    [
        b"ccollections\nOrderedDict\n",
        b"cnumpy\ndtype\n",
        b"cnumpy.core.multiarray\n_reconstruct\n",
        b"cgensim.models.keyedvectors\nKeyedVectors\n",
        b"cbuiltins\nobject\n",
    ],
)
@pytest.mark.parametrize("state", [{"_build": 1, "__call__": 1}, (None, {"_build": 1, "get": 1})])
def test_a_pickle_cannot_change_what_its_names_mean(
    target: bytes, state: object, tmp_path: Path
) -> None:
    file = tmp_path / "model.kv"
    file.write_bytes(whole(target + pushed(state) + b"b"))
    with pytest.raises(FileFormatError):
        load_pickle(file)
    good = tmp_path / "good.kv"
    good.write_bytes(pickle.dumps(np.arange(3.0), 2))
    assert load_pickle(good).tolist() == [0.0, 1.0, 2.0]


# --- Pickles that forge what an allowed name would rebuild ---


def forged_array(dtype: str, dtype_state: object, shape: object, content: object) -> bytes:
    return whole(
        called("numpy._core.multiarray", "_reconstruct", None, (0,), b"b")
        + b"("
        + pushed(1)
        + pushed(shape)
        + called("numpy", "dtype", dtype, False, True)
        + pushed(dtype_state)
        + b"b"
        + pushed(False)
        + pushed(content)
        + b"tb"
    )


PLAIN = (3, "<", None, None, None, -1, -1, 0)


@pytest.mark.parametrize(
    "forged",
    [
        # Pointers: objects whose flags claim that they are plain bytes.
        forged_array("O8", (3, "|", None, None, None, -1, -1, 0), (1,), struct.pack("<q", 4242)),
        # A record with an object inside, again claiming to be plain bytes.
        forged_array("V8", (3, "|", None, ("a",), {"a": 1}, 8, 1, 0), (1,), b"\0" * 8),
        forged_array("f8", (3, "<", None, ("a",), {"a": 1}, 8, 1, 0), (1,), b"\0" * 8),
        forged_array("f8", (3, "<", ("f8", 4), None, None, 8, 1, 0), (1,), b"\0" * 8),
        forged_array("f4", PLAIN, (1000,), b"\0" * 4),
        forged_array("f4", PLAIN, (2**62, 4), b""),
        forged_array("f4", PLAIN, (-1,), b"\0" * 4),
        forged_array("f4", PLAIN, 1, b"\0" * 4),
        forged_array("f4", PLAIN, (1,), [1.0]),
        forged_array("f4,O8", PLAIN, (1,), b"\0" * 12),
        forged_array("M8[ns]", PLAIN, (1,), b"\0" * 8),
    ],
)
def test_a_forged_array_is_refused_before_memory_is_touched(forged: bytes, tmp_path: Path) -> None:
    assert list(pickletools.genops(forged)), "the forgery must be a well-formed pickle"
    file = tmp_path / "model.kv"
    file.write_bytes(forged)
    with pytest.raises(FileFormatError, match=r"model\.kv"):
        load_pickle(file)


def test_an_array_does_not_move_with_the_bytes_it_was_made_from(tmp_path: Path) -> None:
    growing = b"\x96" + struct.pack("<Q", 8) + struct.pack("<d", 1.5) + b"q\xc8"
    element = b"cnumpy\ndtype\nX\x02\x00\x00\x00f8\x85R"
    array = b"cnumpy._core.numeric\n_frombuffer\n(" + growing + element + b"K\x01\x85V" + b"C\ntR"
    lengthen = b"h\xc8(" + b"K\x07" * 5000 + b"e0"
    file = tmp_path / "model.kv"
    file.write_bytes(whole(b"]" + array + b"a" + lengthen, 5))
    (rebuilt,) = load_pickle(file)
    assert rebuilt.value.tolist() == [1.5]


@pytest.mark.parametrize(
    "instructions",
    [
        called("_codecs", "encode", "text", "rot13"),
        called("_codecs", "encode", "text", "zlib_codec"),
        called("builtins", "bytes", 10**12),
        called("builtins", "bytearray", 10**12),
        called("builtins", "list", "text"),
        called("builtins", "tuple", 7),
    ],
)
def test_harmless_calls_take_only_harmless_arguments(instructions: bytes, tmp_path: Path) -> None:
    file = tmp_path / "model.kv"
    file.write_bytes(whole(instructions))
    with pytest.raises(FileFormatError, match="not a whole pickle"):
        load_pickle(file)


def test_reconstructing_anything_but_a_shell_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "model.kv"
    arguments = b"(cbuiltins\ndict\ncbuiltins\nobject\nNt"
    file.write_bytes(whole(b"ccopyreg\n_reconstructor\n" + arguments + b"R"))
    with pytest.raises(FileFormatError, match="only instances"):
        load_pickle(file)
