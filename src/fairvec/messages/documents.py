"""What was found in documents, in sentences: figures, marks, flags, remarks and the summary."""

from collections.abc import Iterator, Mapping, Sequence

from fairvec.core.format import format_p, format_signed, is_significant, pluralize
from fairvec.languages.people import ROLE_TITLES
from fairvec.results import Interval
from fairvec.results.documents import (
    ALPHA,
    LEVELS,
    Aim,
    DocumentFinding,
    DocumentIdentity,
    DocumentMeasure,
    Level,
    Measure,
    Side,
)

Groups = tuple[str, str]
"""The titles of the groups a and b, as in men and women."""

CODED_GROUPS: Groups = ("those coded masculine", "those coded feminine")
CODED_MADE_FOR = "The lists were made for job advertisements and say nothing about other texts."

_ROLE_TITLES: dict[str, str] = dict(ROLE_TITLES.items())
_CODED = {"a": "masculine", "b": "feminine"}
_AIMS: dict[Aim, str] = {
    "neutral": "made neutral",
    "swap": "changed to those of the other group",
}


def by_role(role: str) -> str:
    """Return " by subject pronouns", or nothing for all roles."""
    return "" if role == "all" else f" by {_ROLE_TITLES[role]}"


def figure_title(measure: Measure, groups: Groups = ("", ""), what: str = "") -> str:
    """Return what a figure is; `what` is the role (after " by"), the word or the aim."""
    a, b = groups
    match measure:
        case "mentions":
            return f"Share of {b} among mentions of people{what}"
        case "near":
            return f"{what}, near {a} against near {b}"
        case "near-overall":
            return "Mean |log2 ratio| of the words near people"
        case "coded":
            return "Masculine less feminine coded words, as a share of both"
        case "leaning":
            return "Mean leaning of describing words and occupations in a model"
        case "terms":
            return f"Terms that can be {what}"


def figure_meaning(measure: Measure, groups: Groups = ("", ""), compared: str = "") -> str:
    """Return what a large, small and neutral value say; `compared` is how a leaning was found."""
    a, b = groups
    match measure:
        case "mentions":
            return f"1: only {b} are mentioned; 0: only {a}; 0.5: both as often."
        case "near":
            return f"Positive: nearer to {a}; negative: nearer to {b}; 1: twice as frequent."
        case "near-overall":
            return (
                "How unevenly words are shared out between the groups; beside it the value that "
                "chance alone would give with so few occurrences."
            )
        case "coded":
            return (
                "1: all coded words are coded masculine; -1: all feminine; 0: as many. "
                + CODED_MADE_FOR
            )
        case "leaning":
            return (
                f"Larger: the words lean to {a} in the model; smaller: to {b}; neutral: as all "
                f"listed words do. By {compared}. It says what the model has learnt, and not "
                "what the text says."
            )
        case "terms":
            return "How many places a rule is certain how to change; 0: none."


def count_sentence(
    counts: tuple[int, int],
    groups: Groups,
    items: tuple[str, str],
    *,
    unit: str,
    informative: int,
    interval: Interval | None,
    p: float | None,
) -> str:
    """Compare how often two groups occur, with the test of equal frequency.

    `items` is what was counted, in the singular and the plural; of the units `informative` have
    more of one group, and no p says that they are too few; the interval is that of the share of b.
    """
    (count_a, count_b), (a, b) = counts, groups
    share = count_b / (count_a + count_b)
    lead = f"{pluralize(count_a + count_b, *items)}: {count_b:,} of {b} ({share:.0%}"
    if interval:
        lead += f"; interval {interval.low:.0%} to {interval.high:.0%}"
    lead += f") and {count_a:,} of {a}"
    if count_a == count_b:
        return f"{lead}: as many of one as of the other."
    if p is None:
        return (
            f"{lead}; too few {unit} have more of one than of the other "
            f"({informative:,}) to tell this from chance."
        )
    if is_significant(p, ALPHA):
        more = a if count_a > count_b else b
        return f"{lead}, more of {more} than chance alone would make (p = {_format_p(p)})."
    return f"{lead}; {_by_chance(p)}"


def near_sentence(
    word: str, near: tuple[int, int], only: tuple[int, int], groups: Groups, p: float | None
) -> str:
    """Return in how many sentences that mention `only` a, or only b, a word stands."""
    lead = (
        f"{word!r} stands in {near[0]:,} of {only[0]:,} sentences that mention "
        f"only {groups[0]}, and in {near[1]:,} of {only[1]:,} that mention only {groups[1]}"
    )
    if p is None:
        return f"{lead}; that is too seldom to tell it from chance."
    if is_significant(p, ALPHA):
        return f"{lead} (p = {_format_p(p)} alone)."
    return f"{lead}; {_by_chance(p)}"


def not_among_all(sentence: str, among: str, p_holm: float) -> str:
    """Return the sentence of what is significant alone, and not `among` all words or roles."""
    among_all = f"but not among all {among} asked (p = {_format_p(p_holm)})"
    return f"{sentence.removesuffix('.')}, {among_all}."


def near_overall_sentence(words: int, groups: Groups, mean: float, chance: float) -> str:
    """Return how unevenly all words are shared out, and what chance alone would give."""
    return (
        f"The {pluralize(words, 'word')} near {groups[0]} or {groups[1]} "
        f"{'has' if words == 1 else 'have'} a mean |log2 ratio| of {mean:.2f}; chance "
        f"alone would give {chance:.2f}."
    )


def leaning_sentence(
    model: str,
    known: int,
    unknown: int,
    mean: float,
    baseline: float,
    groups: Groups,
    *,
    unit: str,
    interval: Interval | None,
) -> str:
    """Return how the words of a text lean in a model, beside all listed words (`baseline`)."""
    interval_text = ""
    if interval:
        low, high = (format_signed(end, 3) for end in (interval.low, interval.high))
        interval_text = f" (interval {low} to {high})"
    if interval is None:
        comparison = f"in too few {unit} to tell it from"
    elif interval.contains(baseline):
        comparison = "which could as well be"
    else:
        comparison = f"more to {groups[mean <= baseline]} than"
    subject = (
        "the one describing word or occupation has a leaning"
        if known == 1
        else f"the {known:,} describing words and occupations have a mean leaning"
    )
    return (
        f"In {model} {subject} of {format_signed(mean, 3)}{interval_text}, {comparison} the "
        f"{format_signed(baseline, 3)} of all listed words; "
        f"{pluralize(unknown, 'more is', 'more are')} not known to it."
    )


def aim_name(aim: Aim) -> str:
    """Return what becomes of terms that can be changed."""
    return _AIMS[aim]


def terms_sentence(certain: int, flagged: int, aim: Aim) -> str:
    """Return how many terms a rule is certain how to change, and how many are only flagged."""
    return (
        f"{pluralize(certain, 'term', 'terms')} can be {_AIMS[aim]}, and "
        f"{pluralize(flagged, 'more is', 'more are')} only flagged, as no rule is "
        "certain."
    )


def _format_p(p: float) -> str:
    return format_p(p, level=ALPHA)


def _by_chance(p: float) -> str:
    return f"chance alone could make such a difference (p = {_format_p(p)})."


# Why a word or sentence is marked, and why a change is only flagged.


def mention_reason(group: str, role: str) -> str:
    """Return why a word that names a person is marked."""
    return f"Counted as a mention of {group}, among the {_ROLE_TITLES[role]}."


def coded_reason(word: str, side: Side) -> str:
    """Return why a coded word is marked."""
    return f"Coded {_CODED[side]} in job advertisements ({word}; Gaucher, Friesen & Kay 2011)."


def near_reason(kind: str, role: str, groups: Groups, unknown_to: str = "") -> str:
    """Return why a describing word or an occupation is marked; `unknown_to` names a model."""
    what = "An occupation" if kind == "occupation" else f"A word of {role}"
    counted = f"{what}; where it stands near {groups[0]} or {groups[1]}, that is counted."
    return f"{counted} {unknown_to} does not know it." if unknown_to else counted


def sentence_reason(words: int, mean: float, model: str, baseline: float) -> str:
    """Return how the words of one sentence lean in a model."""
    subject = (
        "The describing word or occupation of this sentence leans"
        if words == 1
        else f"The {words} describing words and occupations of this sentence lean on average"
    )
    return (
        f"{subject} {format_signed(mean, 3)} in {model}; all "
        f"listed words {format_signed(baseline, 3)} on average."
    )


MARKUP_WITHIN = "Markup stands within the words that would change; change them by hand."
MARKUP_IN_PARAGRAPH = (
    "Markup stands within other words of the paragraph that would change, and half a swap would be "
    "wrong."
)
WORD_CUT = "Markup stands within a word nearby, which is not read; change these words by hand."


# What to know before reading.


def names_remark(swapped: bool, languages: Sequence[str]) -> str:
    """Return whether a swap changes first names, which have counterparts in these languages."""
    if swapped:
        return "A swap changes first names that have a counterpart too (--swap-names)."
    return (
        f"First names are kept: they have counterparts in {', '.join(languages)} alone "
        "(--swap-names)."
    )


def no_rules_remark(language: str) -> str:
    """Return why no changes were proposed in a language."""
    return f"There are no rules to rewrite the language {language!r}."


def cut_remarks(most: int, marks: int, changes: int) -> Iterator[str]:
    """Give what was cut where more than `most` marks or changes were found."""
    if marks > most:
        yield f"Only the first {most:,} places are marked; all are counted."
    if changes > most:
        yield f"Only the first {most:,} changes are listed."


def copies_remark(copies: int) -> str:
    """Return how many documents repeat another."""
    return (
        f"{pluralize(copies, 'document repeats', 'documents repeat')} another, and all "
        "together counts each text once."
    )


def together_only_remark(most: int) -> str:
    """Return that of more than so many documents words near people are counted in all alone."""
    return (
        f"There are more than {most} documents: what stands near whom is said of all together only."
    )


def pages_remark(listed: int, total: int, file: str) -> str:
    """Return how many documents the page lists, where the file of records has all."""
    return f"The report lists the first {listed:,} of {total:,} documents; {file} holds all."


def shared_remarks(remarks: Sequence[tuple[str, Sequence[str]]]) -> list[str]:
    """Return the remarks about several documents, each once, with their name or number."""
    named: dict[str, list[str]] = {}
    for document, about in remarks:
        for remark in about:
            named.setdefault(remark, []).append(document)
    return [
        f"{of[0]}: {remark}" if len(of) == 1 else f"{len(of):,} documents: {remark}"
        for remark, of in named.items()
    ]


def applied_lines(path: str, documents: int, changes: int, left_out: int) -> list[str]:
    """Return how many changes were made in a new version, and how many met another one."""
    many = f"{documents:,} documents" if documents > 1 else "one document"
    lines = [f"{path}: {many}, {pluralize(changes, 'change', 'changes')} made."]
    if left_out:
        met = pluralize(left_out, "change meets", "changes meet")
        lines.append(f"{met} another one at the same place; the first was made.")
    return lines


# Findings, one a line.


def finding_message(candidates: Sequence[str], new: Sequence[str], reason: str) -> str:
    """Return what could stand in a place, or why it is reported; `new` is what a rule would write.

    Without a stop at its end, because a rule's id follows.
    """
    if new:
        words = " or ".join(candidates) or " ... ".join(dict.fromkeys(new))
        return f"Gender-neutral alternative: {words}"
    if candidates:
        return f"Possible gender-neutral alternative: {' or '.join(candidates)}"
    return reason.removesuffix(".")


def finding_line(found: DocumentFinding) -> str:
    """Return a finding as linters print it: place, level, message and rule."""
    end = f"{found.end_line}:" if found.end_line != found.line else ""
    place = f"{found.file}:{found.line}:{found.column}-{end}{found.end_column}"
    return f"{place}  {found.level}  {found.message}  [{found.rule}]"


def findings_summary(levels: Mapping[Level, int], fixable: int, documents: int) -> str:
    """Return how many findings there are, of which levels, and how many can be fixed."""
    total = sum(levels.values())
    where = pluralize(documents, "document", "documents")
    if not total:
        return f"No findings in {where}."
    of_levels = ", ".join(
        pluralize(count, level, f"{level}s")
        for level in reversed(LEVELS)
        if (count := levels.get(level, 0))
    )
    fix = f"--fix changes {fixable:,}" if fixable else "none can be fixed"
    return f"{pluralize(total, 'finding', 'findings')} in {where} ({of_levels}); {fix}."


def rule_lines(row: tuple[str, str, str, str], sentence: str, why: str) -> Iterator[str]:
    """Give what a rule finds, and why; `row` has its id, its kind, its word and the neutral one."""
    id, kind, word, neutral = row
    yield f"{id} ({kind})" if id != kind else id
    if word:
        yield f"  {word}: " + (f"gender-neutral alternative: {neutral}" if neutral else "flagged")
    yield f"  {sentence}"
    if why:
        yield f"  {why}"
    yield f"  Switch it off with --off {id}, or beside a word with a comment: fairvec: ignore {id}"


def fixed_line(changes: int, files: int) -> str:
    """Return how many changes were made in files."""
    return f"{pluralize(changes, 'change', 'changes')} made in {pluralize(files, 'file', 'files')}."


def few_mentions(figure: DocumentMeasure | None, groups: Groups) -> str:
    """Return who is mentioned where there is too little text for statistics."""
    if figure is None:
        return "Nobody of either group is mentioned."
    counts = f"{groups[0]} {figure.count_a:,}, {groups[1]} {figure.count_b:,}"
    return f"Mentions: {counts}; too little text for statistics."


# The summary in the terminal.

_MOST_WORDS = 10
_MOST_DOCUMENTS = 40


def document_heading(of: DocumentIdentity) -> str:
    """Return the name and size of a document, or of all in a language together."""
    if not of.name:
        return (
            f"All documents in {of.language} together: {pluralize(of.words, 'word')}, "
            f"{pluralize(of.sentences, 'sentence')}"
        )
    return (
        f"{of.name}: {pluralize(of.words, 'word', 'words')}, "
        f"{pluralize(of.sentences, 'sentence', 'sentences')}, "
        f"{pluralize(of.paragraphs, 'paragraph', 'paragraphs')}, language {of.language}"
    )


def document_summary(
    of: DocumentIdentity, figures: Sequence[DocumentMeasure], groups: Groups
) -> Iterator[str]:
    """Give the lines about one document, or about all together."""
    a, b = groups
    yield document_heading(of)
    yield "Who is mentioned"
    mentions = [one for one in figures if one.measure == "mentions"]
    if not mentions:
        yield "  Nobody of either group is mentioned."
    for one in mentions:
        if one.what == "all":
            yield f"  {one.sentence}"
        else:
            counts = f"{a} {one.count_a:,}, {b} {one.count_b:,} ({one.value:.0%})"
            yield f"    {_ROLE_TITLES[one.what]}: {counts}"
    yield "What stands near whom"
    yield from _near_lines(figures)
    for measure, title in (("coded", "Coded words"), ("leaning", "What leans in the model")):
        for one in figures:
            if one.measure == measure:
                yield title
                yield f"  {one.sentence}"
    yield "What could be changed"
    terms = [one for one in figures if one.measure == "terms"]
    for one in terms:
        yield f"  {one.sentence}"
    if not terms:
        yield "  No rules were asked; see the remarks."


def _near_lines(figures: Sequence[DocumentMeasure]) -> Iterator[str]:
    near = [one for one in figures if one.measure == "near"]
    tested = [one for one in near if one.p_holm is not None]
    clear = [one for one in tested if one.p_holm is not None and is_significant(one.p_holm, ALPHA)]
    if not near:
        yield "  No sentences of both groups with describing words or occupations to compare."
    elif not clear:
        yield (
            f"  No word stands near one group more than chance alone could make, among "
            f"{len(tested):,} that could be tested ({len(near):,} found)."
        )
    for one in sorted(clear, key=lambda each: each.p_holm or 0)[:_MOST_WORDS]:
        yield f"  {one.sentence}"
    if len(clear) > _MOST_WORDS:
        yield f"  {_and_more(len(clear) - _MOST_WORDS)}"
    for one in figures:
        if one.measure == "near-overall":
            yield f"  {one.sentence}"


def mention_lines(mentions: Sequence[tuple[str, tuple[int, int]]], group: str) -> Iterator[str]:
    """Give the share of group b in the mentions of each of several documents."""
    yield f"Each document ({group} of all mentions)"
    shares = [
        f"  {name}: {b:,} of {a + b:,} ({b / (a + b):.0%})" for name, (a, b) in mentions if a + b
    ]
    yield from shares[:_MOST_DOCUMENTS]
    if len(shares) > _MOST_DOCUMENTS:
        yield f"  {_and_more(len(shares) - _MOST_DOCUMENTS)}"
    if silent := len(mentions) - len(shares):
        many = pluralize(silent, "document mentions", "documents mention")
        yield f"  {many} nobody of either group."


def _and_more(number: int) -> str:
    return f"and {number:,} more; -o OUT keeps them all."
