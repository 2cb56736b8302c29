"""The heads of arrays mean here what they mean to numpy."""

import io

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes

from fairvec.embedding.formats.numpy_files import read_array, read_array_header, read_shape
from tests.embedding.crafted.parts import npy

KINDS = st.sampled_from(["<f2", "<f4", ">f8", "<i8", "|u1", "|b1", "<U3", "|S5", ">U2", "<c8"])


@given(KINDS, array_shapes(min_dims=0, max_dims=3, min_side=0, max_side=4), st.booleans())
def test_an_array_comes_back_as_numpy_reads_it(
    kind: str, shape: tuple[int, ...], columns_first: bool
) -> None:
    values = np.arange(np.prod(shape)).reshape(shape).astype(kind)
    values = np.asfortranarray(values) if columns_first else values
    file = io.BytesIO()
    np.save(file, values)
    file.seek(0)
    header = read_array_header(file)
    assert header.offset == file.tell()
    found = read_array(file, header)
    assert found.dtype == values.dtype
    assert found.shape == values.shape
    np.testing.assert_array_equal(found, values)
    assert file.read() == b""


@pytest.mark.parametrize(
    "text",
    [
        "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }",
        "{'shape':(2,3),'fortran_order':False,'descr':'<f4'}",
        '{"descr": "<f4", "fortran_order": False, "shape": (2L, 3L)}',
        "  { 'descr': '<f4' , 'shape': ( 2 , 3 , ), 'fortran_order': False , }  ",
    ],
)
def test_order_and_spaces_are_free(text: str) -> None:
    assert read_shape(io.BytesIO(npy(text))) == ((2, 3), np.dtype("<f4"))


def test_numbers_that_are_cut_short_are_an_error() -> None:
    file = io.BytesIO()
    np.save(file, np.zeros((100, 100)))
    cut = io.BytesIO(file.getvalue()[:-1])
    with pytest.raises(EOFError):
        read_array(cut, read_array_header(cut))
