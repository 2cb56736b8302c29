"""How figures, word lists and languages are written."""

from collections.abc import Iterator

from fairvec.messages import figures as m
from fairvec.results import Interval
from fairvec.results.records import WordScore
from tests.messages.snapshot_files import Case
from tests.results.toys import measured

INTERVAL = Interval(low=-0.413, high=0.629, level=0.95, kind="inverted", method="toy")
SIZE = measured()
DIFFERENCE = SIZE.model_copy(
    update={"convention": SIZE.convention.model_copy(update={"denominator": "none"})}
)


def sentences() -> Iterator[Case]:
    """Give how figures are written."""
    yield "format_interval", "two digits", m.format_interval(INTERVAL)
    for kind, result in (("effect size", SIZE), ("difference", DIFFERENCE)):
        yield "effect_symbol", kind, m.effect_symbol(result)
        yield "format_effect", kind, m.format_effect(result, 0.1234)
        yield "format_plain_effect", kind, m.format_plain_effect(result, 0.1234)
        yield "format_effect_interval", kind, m.format_effect_interval(result, INTERVAL)
    yield "shorten_list", "few", m.shorten_list(["one", "two"])
    yield "shorten_list", "many", m.shorten_list([str(place) for place in range(70)])
    scores = [
        WordScore(role="x", word=f"w{place}", key=f"w{place}", score=float(place))
        for place in range(130)
    ]
    several, few = scores, scores[:3]
    yield "omitted_words_note", "one long list", m.omitted_words_note(several, few)
    yield "omitted_words_note", "two long lists", m.omitted_words_note(several, several)
    yield "omitted_words_note", "none", m.omitted_words_note(few, few)
    together = m.keep_together("It is so (d +0.61, 95 % 0.1 to 1.2).")
    yield "keep_together", "figures", together.replace(m.NO_BREAK, "_")
    for code in ("en", "hi", "ru", "xx", ""):
        yield "language_name", code or "none", m.language_name(code)
    for name in ("cosine", "negative-distance"):
        yield "similarity_heading", name, m.similarity_heading(name)
        yield "format_similarity", name, m.format_similarity(-0.12345, name)
