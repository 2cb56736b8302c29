"""A tokenizer that reads small letters only."""

from typing import Any

from fairvec.ground.errors import FileFormatError


def lowered(tokenizer: Any) -> Any:
    """Return the tokenizer, made to lower its text first, as sentence-transformers makes it."""
    from tokenizers.normalizers import Lowercase, Sequence

    if not tokenizer.is_fast:
        raise FileFormatError(
            f"do_lower_case is set for {type(tokenizer).__name__}, which cannot be told so; remove "
            "it from sentence_bert_config.json and give small letters."
        )
    inner = tokenizer.backend_tokenizer
    before: Any = inner.normalizer
    in_sequence: Any = before if isinstance(before, Sequence) else filter(None, [before])
    steps = [*in_sequence]
    if not any(isinstance(step, Lowercase) for step in steps):
        inner.normalizer = Sequence([Lowercase(), *steps])
    return tokenizer
