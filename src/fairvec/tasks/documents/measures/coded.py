"""Gender-coded words, as job advertisements have them."""

from fairvec.lexicon.people import CodedWords
from fairvec.results import DocumentFigure, DocumentIdentity, Interval
from fairvec.tasks.documents.measures.mentions import sentence_of_counts
from fairvec.tasks.documents.measures.texts import Texts, two_counts

MADE_FOR = "The lists were made for job advertisements and say nothing about other texts."


def coded_figures(
    of: DocumentIdentity, texts: Texts, lists: CodedWords | None
) -> tuple[DocumentFigure, ...]:
    """Return how much more of the coded words are coded masculine than feminine.

    value = (masculine - feminine) / (masculine + feminine): the difference of the two shares. 1:
    all masculine, -1: all feminine, 0: as many. None where nothing is coded or there is no list.
    """
    counts = two_counts(texts.with_units([text.coded for text in texts.texts]))
    if counts is None or lists is None:
        return ()
    ends = counts.interval
    said = sentence_of_counts(
        counts, ("those coded masculine", "those coded feminine"), texts.unit, "coded words"
    )
    return (
        DocumentFigure(
            document=of,
            measure="coded",
            what="all",
            title="Masculine less feminine coded words, as a share of both",
            value=(counts.a - counts.b) / (counts.a + counts.b),
            neutral=0.0,
            meaning=(
                "1: all coded words are coded masculine; -1: all feminine; 0: as many. " + MADE_FOR
            ),
            count_a=counts.a,
            count_b=counts.b,
            unit=texts.unit,
            interval=ends
            and Interval(
                low=1 - 2 * ends.high, high=1 - 2 * ends.low, level=ends.level, method=ends.method
            ),
            p=counts.p,
            p_holm=counts.p,
            sentence=f"{said} {MADE_FOR}",
            source=lists.source,
        ),
    )
