"""One test in close-up: its words, and which of them carry the effect."""

from fairvec.ground.numbers import number, signed, whole
from fairvec.ground.text.capitals import titled
from fairvec.ground.text.enumerations import listed
from fairvec.report.sections.arrange import grouped
from fairvec.report.words.effects import is_difference, plain_effect_of
from fairvec.report.words.shortened import some
from fairvec.results import GroupCoverage, Result, WordScore


def about_word(word: WordScore) -> str:
    """Return all that is known of one word, for its dot."""
    known = [
        word.word,
        word.transliteration,
        f"“{word.gloss}”" * bool(word.gloss),
        f"found as {word.key}" * (word.key != word.word),
        f"leans {signed(word.score, 3)}",
        f"without it d = {number(word.without)}" if word.without is not None else "",
    ]
    return " · ".join(part for part in known if part)


def about_influence(result: Result) -> str:
    """Return how much the effect hangs on single words."""
    without = [word.without for word in result.words if word.without is not None]
    if not without:
        return ""
    turning = [w.word for w in result.words if (w.without or 0.0) * result.effect < 0]
    noun, what = ("pair", "the difference") if is_difference(result) else ("word", "d")
    low, high = (plain_effect_of(result, end) for end in (min(without), max(without)))
    tail = (
        f"no single {noun} reverses it"
        if not turning
        else f"leaving out {listed(turning, 'or')} reverses it"
        if len(turning) <= 3
        else f"each of {whole(len(turning))} {noun}s alone reverses it"
    )
    return f"With any one {noun} left out {what} stays between {low} and {high}; {tail}."


def most_influential(result: Result, count: int = 5) -> list[WordScore]:
    """Return the words whose absence moves the effect most."""
    known = [word for word in result.words if word.without is not None]
    return sorted(known, key=lambda word: -abs((word.without or 0.0) - result.effect))[:count]


def list_titles(result: Result) -> dict[str, str]:
    """Return the names of the lists by their roles."""
    return {group.role: group.title for group in result.coverage}


def about_missing(group: GroupCoverage) -> list[str]:
    """Return the entries that do not count, by the reason why."""
    by_reason = grouped(group.missing, lambda word: group.missing[word] or "missing")
    return [f"{titled(reason)}: {some(words)}" for reason, words in by_reason.items()]


def about_spellings(group: GroupCoverage) -> dict[str, list[str]]:
    """Return the entries found under another spelling by the rule that found them."""
    rules = dict.fromkeys(group.matched, "") | group.how
    return {
        rule.replace("+", " and ") or "other spelling": [
            f"{word} → {group.matched.get(word, word)}" for word in words
        ]
        for rule, words in grouped(rules, lambda word: rules[word]).items()
    }
