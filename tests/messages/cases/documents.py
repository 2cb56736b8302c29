"""Sentences about documents."""

from collections.abc import Iterator

from fairvec.languages.people import people_lists
from fairvec.messages import documents as m
from fairvec.results import Interval
from fairvec.results.documents import DocumentFinding, Level
from tests.messages.snapshot_files import Case
from tests.results.toys import figure

PEOPLE = {code: people_lists(code).groups for code in ("en", "hi", "ru")}
AB = PEOPLE["en"]
SHARE = Interval(low=0.25, high=0.75, level=0.95, kind="bootstrap", method="toy")
LEANING = SHARE.model_copy(update={"low": -0.03, "high": 0.02})


def finding() -> DocumentFinding:
    """Return a finding."""
    return DocumentFinding(
        start=0,
        end=8,
        reason="It has a word for all.",
        file="advert.txt",
        line=3,
        column=52,
        end_line=3,
        end_column=60,
        level="warning",
        rule="en.salesman",
        kind="en.job",
        message="Gender-neutral alternative: salesperson",
        text="salesman",
        source_line="Ask the salesman.",
    )


def sentences() -> Iterator[Case]:
    """Give every sentence about documents."""
    yield "by_role", "all roles", m.by_role("all")
    yield "by_role", "one role", m.by_role("subject-pronoun")
    titles = {"mentions": " by titles", "near": "kind", "terms": m.aim_name("swap")}
    for measure in ("mentions", "near", "near-overall", "coded", "leaning", "terms"):
        for language, groups in PEOPLE.items():
            yield (
                "figure_title",
                f"{measure}, {language}",
                m.figure_title(measure, groups, titles.get(measure, "")),
            )
        yield "figure_meaning", measure, m.figure_meaning(measure, AB, "cosine with the pairs")
    for aim in ("neutral", "swap"):
        yield "aim_name", aim, m.aim_name(aim)
        for certain, flagged in ((0, 0), (1, 1), (2, 1_000)):
            yield (
                "terms_sentence",
                f"{aim}, {certain} and {flagged}",
                m.terms_sentence(certain, flagged, aim),
            )
    for kind, counts, interval, p in (
        ("significant, more of a", (9, 1), SHARE, 0.004),
        ("significant, more of b", (1, 1_200), SHARE, 0.05),
        ("by chance", (5, 3), SHARE, 0.31),
        ("equal", (4, 4), SHARE, 1.0),
        ("too few units", (1, 0), None, None),
    ):
        yield (
            "count_sentence",
            kind,
            m.count_sentence(
                counts,
                AB,
                ("mention", "mentions"),
                unit="paragraphs",
                informative=3,
                interval=interval,
                p=p,
            ),
        )
    for kind, p in (("too seldom", None), ("significant", 0.01), ("by chance", 0.4)):
        yield "near_sentence", kind, m.near_sentence("kind", (4, 1_000), (9, 2_000), AB, p)
    yield "not_among_all", "words", m.not_among_all("It is so (p = 0.04 alone).", "words", 0.2)
    for words in (1, 2):
        yield "near_overall_sentence", str(words), m.near_overall_sentence(words, AB, 0.51, 0.4)
    for kind, known, unknown, mean, interval in (
        ("one word, too few units", 1, 1, 0.1, None),
        ("could be as well", 5, 2, 0.01, LEANING),
        ("more to a", 5, 0, 0.05, LEANING.model_copy(update={"low": 0.02, "high": 0.08})),
        ("more to b", 5, 0, -0.05, LEANING.model_copy(update={"low": -0.08, "high": -0.02})),
    ):
        yield (
            "leaning_sentence",
            kind,
            m.leaning_sentence(
                "glove", known, unknown, mean, 0.004, AB, unit="documents", interval=interval
            ),
        )
    yield "mention_reason", "title", m.mention_reason(AB[0], "title")
    for side in ("a", "b"):
        yield "coded_reason", side, m.coded_reason("lead*", side)
    yield "near_reason", "occupation", m.near_reason("occupation", "", AB)
    yield "near_reason", "describing, unknown", m.near_reason("describing", "looks", AB, "glove")
    for words in (1, 3):
        yield "sentence_reason", str(words), m.sentence_reason(words, 0.02, "glove", -0.01)
    for name in ("MARKUP_WITHIN", "MARKUP_IN_PARAGRAPH", "WORD_CUT", "CODED_MADE_FOR"):
        yield name, "always", str(getattr(m, name))
    yield "CODED_GROUPS", "always", m.CODED_GROUPS
    yield "names_remark", "swapped", m.names_remark(True, ["en"])
    yield "names_remark", "kept", m.names_remark(False, ["en", "xx"])
    yield "no_rules_remark", "a language", m.no_rules_remark("fr")
    yield "cut_remarks", "both", m.cut_remarks(20_000, 30_000, 30_000)
    for copies in (1, 2):
        yield "copies_remark", str(copies), m.copies_remark(copies)
    yield "together_only_remark", "200", m.together_only_remark(200)
    yield "pages_remark", "1,000 of 2,000", m.pages_remark(1_000, 2_000, "document.jsonl")
    remarks = [("a.txt", ["Both."]), ("b.txt", ["Both.", "One."])]
    yield "shared_remarks", "two", m.shared_remarks(remarks)
    yield "applied_lines", "one document", m.applied_lines("new.txt", 1, 1, 1)
    yield "applied_lines", "several", m.applied_lines("new", 3, 12, 2)
    for kind, candidates, new in (
        ("certain", ("salesperson",), ("salesperson",)),
        ("certain, several words", (), ("they", "wait")),
        ("flagged", ("sibling", "relative"), ()),
        ("flagged without a word", (), ()),
    ):
        yield "finding_message", kind, m.finding_message(candidates, new, "It says a sex.")
    yield "finding_line", "of one line", m.finding_line(finding())
    over_lines = finding().model_copy(update={"end_line": 4, "end_column": 3})
    yield "finding_line", "over two lines", m.finding_line(over_lines)
    counted: tuple[tuple[dict[Level, int], int, int], ...] = (
        ({}, 0, 1),
        ({"suggestion": 1}, 0, 1),
        ({"suggestion": 14, "warning": 10, "error": 1_000}, 10, 3),
    )
    for levels, fixable, documents in counted:
        yield (
            "findings_summary",
            f"{levels}",
            m.findings_summary(levels, fixable, documents),
        )
    row = ("en.salesman", "en.job", "salesman", "salesperson")
    yield "rule_lines", "a word", m.rule_lines(row, "Jobs.", "A reason.")
    yield "rule_lines", "a kind", m.rule_lines(("en.job", "en.job", "", ""), "Jobs.", "")
    yield "fixed_line", "one", m.fixed_line(1, 1)
    yield "fixed_line", "many", m.fixed_line(1_200, 3)
    yield "few_mentions", "none", m.few_mentions(None, AB)
    yield "few_mentions", "some", m.few_mentions(figure(count_a=3, count_b=1), AB)
    one = figure()
    yield "document_heading", "one", m.document_heading(one.document)
    together = one.document.model_copy(update={"name": ""})
    yield "document_heading", "all together", m.document_heading(together)
    yield "document_summary", "nothing found", m.document_summary(one.document, [], AB)
    near = {"measure": "near", "what": "kind", "p": 0.01, "sentence": "A word."}
    figures = [
        figure(what="all", sentence="Of all."),
        figure(what="title", count_a=3, count_b=1, value=0.25),
        *(figure(**near, p_holm=0.001 * place) for place in range(1, 13)),
        figure(measure="near-overall", sentence="In all."),
        figure(measure="coded", sentence="Coded."),
        figure(measure="leaning", sentence="Leaning."),
        figure(measure="terms", sentence="Terms."),
    ]
    yield "document_summary", "everything found", m.document_summary(one.document, figures, AB)
    unclear = [figure(**near, p_holm=0.4)]
    yield "document_summary", "no word clear", m.document_summary(one.document, unclear, AB)
    mentions = [("a.txt", (3, 1)), ("b.txt", (0, 0))]
    yield "mention_lines", "one silent", m.mention_lines(mentions, AB[1])
    many = [(f"{place}.txt", (1, place)) for place in range(42)]
    yield "mention_lines", "many", m.mention_lines(many, AB[1])
