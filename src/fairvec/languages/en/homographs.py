"""Listed English words that are other words in their place."""

import re

_BEFORE_NOUN = re.compile(
    r"(?:^|[^\w'’-])(?:an?|the|th[ai]t|this|th[eo]se|each|every|no|any|some|one|my|your|his|her|its|our|"
    r"their|what|which|another|\w+['’]s)(?: (?!(?:and|or|to|not|will|would|shall|should|must|can|"
    r"cannot|could|may|might|do|does|did|\w+n['’]t|\w+['’](?:ll|d))(?![\w'’-]))[\w'’-]+){0,2} $",
    re.IGNORECASE,
)
_AFTER_VERB = re.compile(
    r" (?:an?|the|this|that|these|those|my|your|his|her|its|our|their)(?!\w)", re.I
)


def is_homograph(text: str, start: int, end: int) -> bool:
    """Whether the word is man as a verb, with an object and no article before: man the phones."""
    return (
        text[start:end].lower() == "man"
        and _AFTER_VERB.match(text, end) is not None
        and _BEFORE_NOUN.search(text, max(0, start - 60), start) is None
    )
