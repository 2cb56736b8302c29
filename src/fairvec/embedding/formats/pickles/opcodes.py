"""The instructions of pickles, protocols 0 to 5: what follows each in the file and what it does.

`pickletools` of the standard library describes them. Left out, and so refused: the registry of
extensions, buffers kept outside the file, and calls by keyword, which no model needs.
"""

NOTHING, LINE, TWO_LINES, COUNT_1, COUNT_4, COUNT_8, UNKNOWN = 0, 20, 21, 11, 14, 18, 99
"""What follows an instruction; 1, 2, 4 and 8 are that many bytes, a count tells its own length."""

PLAIN, NUMBER, TEXT, LONG, LINE_NUMBER, LINE_FLOAT = 1, 2, 3, 4, 5, 6
EMPTY, TUPLE_OF, TUPLE, LIST, DICT, FROZENSET = 7, 8, 9, 10, 11, 12
APPEND, APPENDS, SETITEM, SETITEMS, ADDITEMS, BUILD = 13, 14, 15, 16, 17, 18
CALL, OBJ, INST, STACK_GLOBAL, REFERENCE = 19, 20, 21, 22, 23
MARK, POP, POP_MARK, DUP, GET, PUT, MEMOIZE, NONE, FRAME, STOP = (
    24,
    25,
    26,
    27,
    28,
    29,
    30,
    31,
    32,
    33,
)

KNOWN: tuple[tuple[bytes, int, int, int], ...] = (
    (b"N\x88\x89", NOTHING, PLAIN, 8),
    (b"c", TWO_LINES, PLAIN, 8),
    (b"P", LINE, PLAIN, 8),
    (b"K", 1, NUMBER, 40),
    (b"M", 2, NUMBER, 40),
    (b"J", 4, NUMBER, 40),
    (b"G", 8, NUMBER, 32),
    (b"\x8a", COUNT_1, LONG, 40),
    (b"\x8b", COUNT_4, LONG, 40),
    (b"IL", LINE, LINE_NUMBER, 40),
    (b"F", LINE, LINE_FLOAT, 32),
    (b"UC\x8c", COUNT_1, TEXT, 64),
    (b"TBX", COUNT_4, TEXT, 64),
    (b"\x8e\x8d\x96", COUNT_8, TEXT, 64),
    (b"SV", LINE, TEXT, 64),
    (b"]", NOTHING, EMPTY, 80),
    (b"}", NOTHING, EMPTY, 88),
    (b"\x8f", NOTHING, EMPTY, 240),
    (b")\x85\x86\x87", NOTHING, TUPLE_OF, 64),
    (b"t", NOTHING, TUPLE, 64),
    (b"l", NOTHING, LIST, 80),
    (b"d", NOTHING, DICT, 88),
    (b"\x91", NOTHING, FROZENSET, 240),
    (b"a", NOTHING, APPEND, 0),
    (b"e", NOTHING, APPENDS, 0),
    (b"s", NOTHING, SETITEM, 0),
    (b"u", NOTHING, SETITEMS, 0),
    (b"\x90", NOTHING, ADDITEMS, 0),
    (b"b", NOTHING, BUILD, 0),
    (b"R\x81", NOTHING, CALL, 250),
    (b"o", NOTHING, OBJ, 250),
    (b"i", TWO_LINES, INST, 250),
    (b"\x93", NOTHING, STACK_GLOBAL, 8),
    (b"Q", NOTHING, REFERENCE, 8),
    (b"(", NOTHING, MARK, 8),
    (b"0", NOTHING, POP, 0),
    (b"1", NOTHING, POP_MARK, 0),
    (b"2", NOTHING, DUP, 8),
    (b"h", 1, GET, 8),
    (b"j", 4, GET, 8),
    (b"g", LINE, GET, 8),
    (b"q", 1, PUT, 16),
    (b"r", 4, PUT, 16),
    (b"p", LINE, PUT, 16),
    (b"\x94", NOTHING, MEMOIZE, 16),
    (b"\x80", 1, NONE, 0),
    (b"\x95", 8, FRAME, 0),
    (b".", NOTHING, STOP, 0),
)
"""Instructions, what follows them, what they do, and about how many bytes of memory that takes."""

OF_RUNS = (0x8C, 0x68, 0x6A)
"""What the runs of plain_runs begin with."""


def _table(column: int, otherwise: int) -> list[int]:
    found = [otherwise] * 256
    for row in KNOWN:
        for instruction in row[0]:
            found[instruction] = int(row[column])
    return found


FORMS, ACTS, COSTS = _table(1, UNKNOWN), _table(2, NONE), _table(3, 0)
