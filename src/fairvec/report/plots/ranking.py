"""Words in order of their numbers: all as a heap of dots, and those at the ends one by one."""

from collections import Counter
from collections.abc import Callable, Sequence
from math import floor

from markupsafe import Markup

from fairvec.ground.numbers import counted, number
from fairvec.report.plots.forest import forest_axis
from fairvec.report.plots.scale import Scale, scale_of
from fairvec.report.plots.svg import element, percent
from fairvec.results import WordScore

HEIGHT, ROW = 76.0, 18
"""The heap of all words, and the row of one of them."""
HEAPS = 80
"""How many heaps fit along the axis: dots of neighbouring ones part on a phone."""
DOT = 2.4
MOST_DOTS = 800
"""More words than these are drawn as bars, one a heap."""


def ranking_scale(words: Sequence[WordScore]) -> Scale:
    """Return one axis for the numbers of all words."""
    return scale_of([word.score for word in words], ticks=5, whole_steps=False)


def ranking_heap(
    words: Sequence[WordScore],
    scale: Scale,
    describe: Callable[[WordScore], str],
    *,
    centred: bool,
    about: str,
) -> Markup:
    """Draw a dot for every word, heaped where words have much the same number.

    Of very many words each heap is a bar as high as it has words.
    """
    wide = (scale.high - scale.low) / HEAPS
    heaps = [floor(word.score / wide) for word in words]  # none lies on both sides of 0
    if len(words) > MOST_DOTS:
        marks = _bars(Counter(heaps), wide, scale, centred=centred)
    else:
        marks = _dots(words, heaps, wide, scale, describe, centred=centred)
    return element(
        "svg",
        *_zero(scale, HEIGHT),
        *marks,
        class_="heap",
        width="100%",
        height=HEIGHT,
        role="img",
        aria_label=about,
    ) + forest_axis(scale)


def _dots(
    words: Sequence[WordScore],
    heaps: Sequence[int],
    wide: float,
    scale: Scale,
    describe: Callable[[WordScore], str],
    *,
    centred: bool,
) -> list[Markup]:
    step = min(2 * DOT, (HEIGHT - 2 * DOT) / max(Counter(heaps).values()))
    risen: Counter[int] = Counter()
    dots = []
    for word, heap in zip(words, heaps, strict=True):
        dots.append(
            element(
                "circle",
                element("title", Markup.escape(describe(word))),
                class_=_way(word.score, centred=centred),
                cx=percent(scale.at((heap + 0.5) * wide)),
                cy=round(HEIGHT - DOT - risen[heap] * step, 1),
                r=DOT,
            )
        )
        risen[heap] += 1
    return dots


def _bars(heaps: Counter[int], wide: float, scale: Scale, *, centred: bool) -> list[Markup]:
    most = max(heaps.values())
    bars = []
    for heap, count in sorted(heaps.items()):
        middle, height = (heap + 0.5) * wide, round((HEIGHT - 1) * count / most, 1)
        ends = " to ".join(number(end, 3) for end in (heap * wide, (heap + 1) * wide))
        bars.append(
            element(
                "rect",
                element("title", Markup.escape(f"{counted(count, 'word')}: {ends}")),
                class_=_way(middle, centred=centred),
                x=percent(scale.at(heap * wide)),
                y=round(HEIGHT - height, 1),
                width=percent(80 / HEAPS),
                height=height,
            )
        )
    return bars


def ranking_row(score: float, scale: Scale, *, centred: bool) -> Markup:
    """Draw a word's number as a dot, with a line to it from 0 where that is the centre."""
    middle, here = ROW / 2, percent(scale.at(score))
    zero = percent(scale.at(0.0))
    stem = element("line", class_="interval", x1=zero, x2=here, y1=middle, y2=middle)
    return element(
        "svg",
        *_zero(scale, ROW),
        *([stem] if centred else []),
        element("circle", class_="dot filled", cx=here, cy=middle, r=3),
        class_=f"track {_way(score, centred=centred)}",
        width="100%",
        height=ROW,
        aria_hidden="true",
    )


def _way(score: float, *, centred: bool) -> str:
    """Return the colour of a number: without a centre all have the same."""
    return "even" if not centred or not score else "positive" if score > 0 else "negative"


def _zero(scale: Scale, height: float) -> list[Markup]:
    if not scale.low <= 0 <= scale.high:
        return []
    place = percent(scale.at(0.0))
    return [element("line", class_="zero", x1=place, x2=place, y2=height)]
