"""Words and a matrix from objects of other libraries: spaCy, pandas, polars, Hugging Face."""

from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, field
from pathlib import PurePath
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from fairvec.core.errors import FileFormatError, SettingError
from fairvec.core.text import short_repr
from fairvec.embedding.formats.delimited import is_count_column
from fairvec.embedding.formats.rows import rows_by_word
from fairvec.encoders.transformer.input_embeddings import (
    description_of,
    ends_are_marked,
    reader_of_pieces,
)


def is_from_package(obj: Any, package: str, *attributes: str) -> bool:
    """Say whether an object's class, or one it is made from, is of a package and has these names.

    So a class of the user's own that builds on one of the package counts too.
    """
    packages = {base.__module__.partition(".")[0] for base in type(obj).__mro__}
    return package in packages and all(hasattr(obj, name) for name in attributes)


def type_label(obj: Any) -> str:
    """Return what an object is, as in list, or Doc2Vec of gensim."""
    kind = type(obj)
    package = kind.__module__.partition(".")[0]
    return kind.__name__ if package in ("builtins", "__main__") else f"{kind.__name__} of {package}"


def sentence_model_name(model: Any) -> str:
    """Return the name of a model of sentences in memory; without one, that of its type.

    Its card knows it once it was published; else the network of its first module has the folder or
    repository that it was loaded from, which in Hugging Face's cache is models--OWNER--NAME.
    """
    places = [getattr(getattr(model, "model_card_data", None), "model_id", None)]
    for module in getattr(model, "children", tuple)():
        config = getattr(getattr(module, "auto_model", None), "config", None)
        places.append(getattr(config, "_name_or_path", None))
    for place in places:
        if isinstance(place, str) and place:
            path = PurePath(place)
            cached = [part for part in path.parts if part.startswith("models--")]
            return cached[-1].rpartition("--")[2] if cached else path.name
    return type(model).__name__


UNKNOWN_TO_NUMPY = ("bfloat16", "float8")


def to_numpy(obj: Any, name: str) -> Any:
    """Return what numpy can read: an array as it is, a tensor as a copy in main memory.

    A copy, because training goes on in a tensor's own numbers. Half precision that numpy does not
    know (bfloat16) becomes float32, which holds all of it.
    """
    if is_from_package(obj, "torch", "detach"):
        return _torch_to_numpy(obj, name)
    if is_from_package(obj, "cupy", "get"):
        return obj.get()
    if is_from_package(obj, "scipy", "toarray"):
        raise SettingError(f"{name}: the matrix is sparse; give matrix.toarray().")
    if isinstance(obj, np.ma.MaskedArray) and np.ma.getmaskarray(obj).any():
        raise FileFormatError(
            f"{name}: {int(np.ma.getmaskarray(obj).sum())} numbers of the matrix are masked; "
            "remove those rows, or fill them with numbers."
        )
    kind = str(getattr(obj, "dtype", ""))
    if isinstance(obj, np.ndarray) and kind.startswith(UNKNOWN_TO_NUMPY):
        return obj.astype(np.float32)
    return obj


def _torch_to_numpy(tensor: Any, name: str) -> NDArray[Any]:
    if str(tensor.device) == "meta":
        raise SettingError(
            f"{name}: the tensor lies on torch's meta device and has no numbers; load its weights "
            "first."
        )
    if str(tensor.layout) != "torch.strided" or tensor.is_quantized:
        raise SettingError(
            f"{name}: the tensor is sparse or quantised; give tensor.to_dense() or "
            "tensor.dequantize()."
        )
    plain = tensor.detach().cpu().resolve_conj().resolve_neg()
    if str(plain.dtype).removeprefix("torch.").startswith(UNKNOWN_TO_NUMPY):
        plain = plain.float()
    return np.array(plain.numpy())


@dataclass(frozen=True, eq=False)
class WordsAndVectors:
    """Words, their vectors, and what a reader of the history should know of them."""

    words: list[str]
    vectors: ArrayLike
    source: str
    notes: dict[str, Any] = field(default_factory=dict)
    name: str = ""
    language: str | None = None


def from_vocabulary(vocabulary: Any, matrix: ArrayLike, source: str, name: str) -> WordsAndVectors:
    """Return the words of a list with its rows, or of a dict with the rows that it names."""
    if isinstance(vocabulary, str | bytes | Set) or not isinstance(vocabulary, Iterable):
        why = " has no order" if isinstance(vocabulary, Set) else " is no list of words"
        raise SettingError(
            f"{name}: {type_label(vocabulary)}{why}; give the words in the order of the rows, or a "
            "dict from each word to its row."
        )
    if isinstance(vocabulary, Mapping):
        return from_row_index(vocabulary, matrix, source, name)
    # A list of numpy's array holds plain text, which the array itself does not give.
    words = vocabulary.tolist() if isinstance(vocabulary, np.ndarray) else list(vocabulary)
    if words and isinstance(words[0], list | tuple | float | np.ndarray | np.floating):
        raise SettingError(
            f"{name}: {words[0]!r} stands where a word should; give (words, matrix), the words "
            "first."
        )
    return WordsAndVectors(words, matrix, source)


def from_row_index(
    rows: Mapping[Any, Any], matrix: ArrayLike, source: str, name: str
) -> WordsAndVectors:
    """Return words with the row of each as the source declares it; several words may share one.

    The history counts rows that no word names, and names two words where a row is shared.
    """
    array = np.asarray(matrix)
    if array.ndim != 2:
        raise FileFormatError(
            f"{name}: the vectors have shape {array.shape}; give a matrix with a row for each word."
        )
    indexed = rows_by_word(rows.items(), len(array), name)
    if indexed.rows == list(range(len(array))):
        return WordsAndVectors(indexed.words, array, source)
    return WordsAndVectors(indexed.words, array[indexed.rows], source, indexed.notes)


WORD_MARKS = ("##", "Ġ", "▁")


def is_tokenizer(obj: Any) -> bool:
    """Say whether an object is a tokenizer of transformers or tokenizers."""
    return any(
        is_from_package(obj, package, "get_vocab") for package in ("transformers", "tokenizers")
    )


def input_vectors(tokenizer: Any, model: Any, name: str) -> WordsAndVectors:
    """Return the pieces of a vocabulary that begin a word, under their plain form, with their rows.

    Left out, and counted in the history, are pieces that go on inside a word (##ing) or hold part
    of a letter, special tokens, and all but the first of pieces with one plain form. A piece that
    begins a word may be no whole word: a vocabulary does not tell "hou" of "house" from a word.
    """
    matrix = np.asarray(to_numpy(_input_matrix(model, name), name))
    description = description_of(tokenizer)
    if ends_are_marked(description):
        raise SettingError(
            f"{name}: this vocabulary marks where words end and not where they begin, so whole "
            "words cannot be told from endings; make word vectors with 'fairvec distil'."
        )
    parse_piece = reader_of_pieces(description)
    vocabulary = sorted(tokenizer.get_vocab().items(), key=lambda item: item[1])
    if description == "{}" and any(mark in token for token, _ in vocabulary for mark in WORD_MARKS):
        raise SettingError(
            f"{name}: the tokenizer {type(tokenizer).__name__} does not say which of its marks "
            "begin a word; open the fast one (use_fast=True)."
        )
    special = {*getattr(tokenizer, "all_special_tokens", ()), *_added(tokenizer)}
    rows: dict[str, int] = {}
    inside = specials = beyond = repeated = 0
    collision = ""
    for token, row in vocabulary:
        piece = parse_piece(token)
        if token in special:
            specials += 1
        elif not 0 <= row < len(matrix):
            beyond += 1
        elif piece.continues or not piece.whole_letters:
            inside += 1
        elif piece.letters in rows:
            repeated += 1
            collision = collision or piece.letters
        else:
            rows[piece.letters] = row
    notes = {
        "pieces inside words left out": inside,
        "special tokens left out": specials,
        "tokens without a row left out": beyond,
        "pieces left out as repeated": repeated,
        "such as": collision,
    }
    nonempty_notes = {note: value for note, value in notes.items() if value}
    path = str(getattr(tokenizer, "name_or_path", "") or "")
    title = path.rstrip("/").rpartition("/")[2]
    return WordsAndVectors(
        [*rows], matrix[[*rows.values()]], ("input embeddings"), nonempty_notes, title
    )


def _input_matrix(model: Any, name: str) -> Any:
    layer = model.get_input_embeddings() if hasattr(model, "get_input_embeddings") else model
    matrix = getattr(layer, "weight", layer)
    if getattr(matrix, "ndim", 0) != 2:
        raise SettingError(
            f"{name}: {type(model).__name__} has no matrix of input embeddings; give the model, or "
            "the matrix itself, beside its tokenizer."
        )
    return matrix


def _added(tokenizer: Any) -> list[str]:
    """Return the tokens that were added to the vocabulary of a tokenizer."""
    if hasattr(tokenizer, "get_added_vocab"):
        return [*tokenizer.get_added_vocab()]
    if hasattr(tokenizer, "get_added_tokens_decoder"):
        return [
            added_token.content for added_token in tokenizer.get_added_tokens_decoder().values()
        ]
    return []


# spaCy's vectors, in which many words may share a row.


MANY_LANGUAGES = "xx"
"""How spaCy calls a pipeline that is of no one language."""


def spacy_vectors(obj: Any, name: str) -> WordsAndVectors:
    """Return the words and vectors of a pipeline, a vocabulary or a table of vectors of spaCy.

    A pruned pipeline gives rare words the vector of a common one: the history says how many words
    share a row, and names two of them.
    """
    vocabulary = getattr(obj, "vocab", obj)
    table = getattr(vocabulary, "vectors", vocabulary)
    strings = getattr(vocabulary, "strings", None)
    if strings is None:
        raise SettingError(
            f"{name}: spaCy's {type(obj).__name__} holds numbers for words and not their letters; "
            "give the pipeline (nlp)."
        )
    if "floret" in str(getattr(table, "mode", "")):
        raise SettingError(
            f"{name}: floret vectors have no list of words; give the words that you want with "
            "their vectors, {word: nlp.vocab[word].vector}."
        )
    rows: dict[str, int] = {}
    for key, row in table.key2row.items():
        try:
            word = strings[key]
        except KeyError as error:
            raise FileFormatError(
                f"{name}: the vectors hold a word that spaCy's strings do not know ({error}); give "
                "the pipeline (nlp) that they belong to."
            ) from error
        if word:
            rows[word] = int(row)
    if not rows:
        raise FileFormatError(
            f"{name}: the pipeline has no vectors; small pipelines of spaCy have none: take one "
            "whose name ends in _md or _lg."
        )
    found = from_row_index(rows, to_numpy(table.data, name), "vectors of spaCy", name)
    meta = getattr(obj, "meta", {})
    title = f"{meta.get('lang', '')}_{meta['name']}" if meta.get("name") else ""
    language = meta.get("lang") if meta.get("lang") != MANY_LANGUAGES else None
    return WordsAndVectors(found.words, found.vectors, found.source, found.notes, title, language)


PANDAS = "DataFrame of pandas"
FEWEST_NUMBERED = 3
"""Fewer rows than these may be numbered 0, 1 or 1, 2 by chance."""
INDEX_TEXT = "set the words as its index, frame.set_index('word')"


def pandas_frame(frame: Any, name: str) -> WordsAndVectors:
    """Return the words of the index, or else of the first column of text, with all other columns.

    A second column of text is refused, and so are numbers written as text.
    """
    if getattr(frame.index, "nlevels", 1) > 1:
        raise SettingError(f"{name}: the table has an index of several levels; {INDEX_TEXT}.")
    names = [str(column_name) for column_name in frame.columns]
    columns = [frame.iloc[:, position] for position in range(len(names))]
    index = list(frame.index)
    words = index if any(isinstance(word, str) for word in index) else None
    return _from_columns(words, names, columns, name, PANDAS)


def polars_frame(frame: Any, name: str) -> WordsAndVectors:
    """Return the words of the first column of text with all other columns."""
    columns = frame.get_columns()
    return _from_columns(
        None, [column.name for column in columns], columns, name, ("DataFrame of polars")
    )


def _from_columns(
    words: list[Any] | None, names: list[str], columns: Sequence[Any], name: str, source: str
) -> WordsAndVectors:
    numbers, word_column, integer_columns = [], "", []
    for label, column in zip(names, columns, strict=True):
        kind = _kind(column)
        if kind in "fiub":
            numbers.append(_numbers(column))
            integer_columns += [(label, numbers[-1])] if kind in "iu" else []
        elif words is None and kind == "text":
            words, word_column = _column_values(column), label
        else:
            raise FileFormatError(_column_error(label, column, kind, word_column, name))
    if words is None:
        indexed = f"{INDEX_TEXT}, or " if source == PANDAS else ""
        raise SettingError(
            f"{name}: the table holds no words; {indexed}let its first column be the words."
        )
    if not numbers:
        raise FileFormatError(
            f"{name}: the table has words and no column of numbers; give one column a dimension."
        )
    for row, word in enumerate(words):
        if not isinstance(word, str | bytes):
            raise FileFormatError(
                f"{name}, row {row + 1}: {word!r} stands where a word should; remove that row, or "
                "write the word as text."
            )
    if len(integer_columns) < len(numbers):
        _refuse_counts(integer_columns, name)
    notes = {"words of column": word_column} if word_column else {}
    return WordsAndVectors(words, np.column_stack(numbers), source, notes)


def _refuse_counts(integer_columns: Sequence[tuple[str, NDArray[Any]]], name: str) -> None:
    """Refuse whole numbers beside floats that count words or rows: they would drown the vectors."""
    for label, column in integer_columns:
        rows = np.arange(len(column))
        numbered = len(column) >= FEWEST_NUMBERED and (
            np.array_equal(column, rows) or np.array_equal(column, rows + 1)
        )
        if numbered or is_count_column(label):
            what = "the numbers of rows" if numbered else "counts"
            raise FileFormatError(
                f"{name}: the column {label!r} holds {what} beside the floats of vectors; drop it, "
                "or convert it to floats if it is one of their dimensions."
            )


def _column_error(label: str, column: Any, kind: str, word_column: str, name: str) -> str:
    if kind == "rows":
        return (
            f"{name}: the column {label!r} holds a whole vector in each cell; give (words, matrix) "
            f"with np.stack(frame[{label!r}]) as the matrix."
        )
    if kind == "objects":
        return (
            f"{name}: the column {label!r} holds Python objects; convert it to floats first, "
            "or drop it."
        )
    if kind != "text":
        return (
            f"{name}: the column {label!r} holds {column.dtype}, which are no numbers of a vector; "
            "drop that column."
        )
    first = next((str(value) for value in _column_values(column) if not _is_missing(value)), "")
    if _is_numeric_text(first):
        comma = " with a decimal comma" if "," in first else ""
        return (
            f"{name}: the column {label!r} holds numbers written as text{comma}, such as "
            f"{first!r}; convert them to floats first."
        )
    where = f"the column {word_column!r}" if word_column else "the index"
    return (
        f"{name}: the column {label!r} holds text, such as {short_repr(first, 40)}, beside the "
        f"words of {where}; drop the one that is not wanted."
    )


def _is_numeric_text(text: str) -> bool:
    try:
        float(text.strip().replace(",", ".", 1))
    except ValueError:
        return False
    return True


def _kind(column: Any) -> str:
    """Return numpy's letter for a column's numbers, "text", "rows" of numbers, or else "?".

    Numbers that are stored as Python objects are distinguished, since they can be converted.
    """
    kind = str(getattr(column.dtype, "kind", ""))
    if kind and kind in "fiub":
        return kind
    for letter, types in (("f", ("Float", "Boolean")), ("i", ("Int", "UInt"))):
        if not kind and str(column.dtype).startswith(types):
            return letter  # polars
    if kind in ("c", "M", "m"):
        return "?"
    values = [value for value in _column_values(column) if not _is_missing(value)]
    if values and all(isinstance(value, str | bytes) for value in values):
        return "text"
    if values and all(
        hasattr(value, "__len__") and not isinstance(value, str | bytes) for value in values
    ):
        return "rows"
    return "objects" if kind == "O" else "?"


def _is_missing(value: Any) -> bool:
    # Comparing pandas' NA with itself raises.
    if hasattr(value, "__len__"):
        return False  # an array has no one answer to whether it equals itself
    return value is None or type(value).__name__ in ("NAType", "NaTType") or value != value


def _column_values(column: Any) -> list[Any]:
    values: list[Any] = column.to_list()
    return values


def _numbers(column: Any) -> NDArray[Any]:
    """Return a column as an array; a missing number becomes NaN, which is refused with its word."""
    array = np.asarray(column.to_numpy())
    if array.dtype.kind in "fiub":
        return array
    values = [_number(value) for value in _column_values(column)]
    return np.array(values, dtype=np.float64)


def _number(value: Any) -> float:
    try:
        return float(value)
    except (TypeError, ValueError):
        return float("nan")
