"""Who is mentioned: how often, by which kinds of words, and how sure that is."""

from collections.abc import Iterator

from fairvec.ground.level import significant
from fairvec.ground.numbers import counted, p_value
from fairvec.lexicon.people import ROLE_TITLES, PeopleLists
from fairvec.results import DocumentFigure, DocumentIdentity
from fairvec.tasks.documents.measures.holm_corrected import holm_corrected
from fairvec.tasks.documents.measures.texts import ALPHA, Texts, TwoCounts, two_counts


def mention_figures(
    of: DocumentIdentity, texts: Texts, lists: PeopleLists
) -> tuple[DocumentFigure, ...]:
    """Return the share of group b among the mentions of people, in all and by role.

    share = mentions of b / (mentions of a and of b); 1: only b, 0: only a, 0.5: both as often. Its
    interval is over units (paragraphs of one document, or documents), and p asks by exact sign
    flips of a - b, unit by unit, whether the two are mentioned equally often. Roles without a
    mention are left out; they are corrected for one another, and the whole, which is one question,
    is not.
    """
    whole = [*_figures(of, texts, lists, ("all",))]
    roles = tuple(_figures(of, texts, lists, tuple(ROLE_TITLES)))
    alone = (figure.model_copy(update={"p_holm": figure.p}) for figure in whole)
    return (*alone, *holm_corrected(roles, "roles"))


def _figures(
    of: DocumentIdentity, texts: Texts, lists: PeopleLists, roles: tuple[str, ...]
) -> Iterator[DocumentFigure]:
    people = [
        tuple(each for each in text.found if each.entry.kind == "person") for text in texts.texts
    ]
    for role in roles:
        chosen = [
            tuple(each for each in found if role in ("all", each.entry.role)) for found in people
        ]
        counts = two_counts(texts.with_units(chosen))
        if counts is None:
            continue
        by = "" if role == "all" else f" by {ROLE_TITLES[role]}"  # type: ignore[index]
        yield DocumentFigure(
            document=of,
            measure="mentions",
            what=role,
            title=f"Share of {lists.groups[1]} among mentions of people{by}",
            value=counts.share,
            neutral=0.5,
            meaning=(
                f"1: only {lists.groups[1]} are mentioned; 0: only {lists.groups[0]}; 0.5: both as "
                "often."
            ),
            count_a=counts.a,
            count_b=counts.b,
            unit=texts.unit,
            interval=counts.interval,
            p=counts.p,
            sentence=sentence_of_counts(
                counts, lists.groups, texts.unit, (f"mention{by}", f"mentions{by}")
            ),
            source=lists.source,
        )


def sentence_of_counts(
    counts: TwoCounts, groups: tuple[str, str], unit: str, items: tuple[str, str]
) -> str:
    """Say how two counts compare, and whether chance alone could have made it so."""
    a, b = groups
    lead = f"{counted(counts.a + counts.b, *items)}: {counts.b:,} of {b} ({counts.share:.0%}"
    if ends := counts.interval:
        lead += f"; interval {ends.low:.0%} to {ends.high:.0%}"
    lead += f") and {counts.a:,} of {a}"
    if counts.a == counts.b:
        return f"{lead}: as many of one as of the other."
    if counts.p is None:
        return (
            f"{lead}; too few {unit} have more of one than of the other ({counts.uneven:,}) to "
            "tell this from chance."
        )
    p = p_value(counts.p, level=ALPHA)
    more = a if counts.a > counts.b else b
    if significant(counts.p, ALPHA):
        return f"{lead}, more of {more} than chance alone would make (p = {p})."
    return f"{lead}; chance alone could make such a difference (p = {p})."
