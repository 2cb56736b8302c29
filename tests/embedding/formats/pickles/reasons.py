"""What the refusal of each attack says, so that none is refused by chance."""

from tests.embedding.formats.pickles.attacks import ATTACKS
from tests.embedding.formats.pickles.repeated import FORGED, REPEATED

DEEP, HEAVY = "its parts lie inside one another too deep", "one of its keys is too large"
COSTLY = "it asks for far more memory than a file of its size holds"
LONG, CUT = "it holds a number of too many digits", "it ends before its parts do"
MISSING = "it uses what it has not made"
STRANGE = "it holds an instruction that pickles of models do not"
SHAPE, NO_TYPE = "an array has a shape that no array has", "hold neither numbers nor text"
NAME, NOT_TEXT = "a name is not text", "is not text in UTF-8"

BY_BEGINNING = {
    "memo number": MISSING,
    "deep": DEEP,
    "doubled": HEAVY,
    "colliding": FORGED,
    "bytes of": CUT,
    "empty": NO_TYPE,
    "number of": LONG,
}
OTHERWISE = {
    "deep frozen sets": HEAVY,
    "doubled scalar": "a single value is neither a number nor text",
    "doubled word": NOT_TEXT,
    "doubled lists as word": NOT_TEXT,
    "doubled number of balls": "balls, which are no equal parts",
    "doubled n-grams": "n-grams of shape (1, 2) and length ((((",
    "doubled element type": NAME,
    "doubled byte order": NAME,
    "doubled shape": SHAPE,
    "doubled length of a side": SHAPE,
    "a word that holds itself": NOT_TEXT,
    "rows without columns": "holds 1 key but vectors of shape (1099511627776, ...)",
    "words without letters": "index_to_key is an array of 2 dimensions",
    "keys of numbers": FORGED,
    "long number of a million digits": LONG,
    "float of a million digits": LONG,
    "row of 600 digits": "does not give each row to one word",
    "word of 4301 digits": LONG,
    "word of a huge number": LONG,
    "text of no file": CUT,
    "bytearray of no file": CUT,
    "frame of no file": CUT,
    "frame in a frame": "its frames cut its parts",
    "frame that cuts a text": "its frames cut its parts",
    "sets of nothing": COSTLY,
    "dicts of nothing": COSTLY,
    "shells of nothing": COSTLY,
    "extension": STRANGE,
    "outer buffer": STRANGE,
    "call by keyword": STRANGE,
    "unknown instruction": STRANGE,
    "lists copied": COSTLY,
    "sets copied": COSTLY,
    "dicts copied": COSTLY,
    "texts encoded": COSTLY,
    "arrays of one list": COSTLY,
    "states copied": COSTLY,
    "states of many parts": COSTLY,
    "type of many parts": "an array has no proper type",
    "calls with many arguments": "it makes a call with too many arguments",
    "objects with many arguments": "it makes a call with too many arguments",
    "endless name": "under an endless name",
    "classes without end": "more classes than any model has",
    "one long key again and again": HEAVY,
    "sides without end": SHAPE,
    "shape of huge numbers": SHAPE,
    "negative shape": SHAPE,
    "shape past a word": "an array of shape (4294967296, 4294967296) has 0 bytes",
    "keys of no dimension": "index_to_key is an array of 0 dimensions",
    "keys of two dimensions": "index_to_key is an array of 2 dimensions",
    "letters that are none": "letters that Unicode does not have",
    "half a letter": "surrogates not allowed",
    "n-grams without end": "length 1 to 1000000000",
    "n-grams of a long word": "has 3000000 letters, too many for n-grams",
    "line without end": CUT,
}


def reason_for(attack: str) -> str:
    """Return words that the refusal of an attack must have."""
    if attack in OTHERWISE:
        return OTHERWISE[attack]
    return next(said for begin, said in BY_BEGINNING.items() if attack.startswith(begin))


HOSTILE = {name: (reason_for(name), attack) for name, attack in ATTACKS.items()} | REPEATED
"""By name: what the refusal says, and the attack."""
