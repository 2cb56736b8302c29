"""Pairs of lists that share words in every way that joint tests must regroup."""

SHAPES = {
    "apart": [("abc", "def"), ("ghi", "jkl")],
    "one word shared": [("abc", "def"), ("agh", "ijk")],
    "one word on opposite sides": [("abc", "def"), ("ghi", "ajk")],
    "lists shared": [("abc", "def"), ("abc", "ghi"), ("def", "ghi")],
    "unequal lists": [("ab", "cdef"), ("abg", "ch"), ("ijk", "al")],
    "a list of one word": [("a", "bcdef"), ("ab", "ghi"), ("cg", "ja")],
    "a chain": [("ab", "cd"), ("ce", "fg"), ("fh", "ia")],
}
