"""Sentences that stand before a run."""

from collections.abc import Iterator

from fairvec.messages import remarks as m
from tests.messages.snapshot_files import Case


def sentences() -> Iterator[Case]:
    """Give every remark before a run."""
    yield "coverage_remedy", "a model", m.coverage_remedy("lower the limit")
    yield "other_languages_note", "two", m.other_languages_note("glove", ["hi"], ["mr", "ne"])
    fits = {"caliskan2017": 1.0, "bolukbasi2016": 0.876}
    yield "suites_chosen_note", "two", m.suites_chosen_note("glove", fits)
    yield "same_lists_note", "two", m.same_lists_note("a/one", ["b/one", "c/one"])
    yield "unknown_language_note", "two", m.unknown_language_note(["xx", "yy"], ["en", "hi", "ru"])
    yield "UNTOLD_LANGUAGE", "always", m.UNTOLD_LANGUAGE
    yield "no_suite_in", "two", m.no_suite_in("fr, de")
    yield "no_suite_of_script", "Greek", m.no_suite_of_script("Greek", "en")
    for kind, languages, coverage, keys in (
        ("no word", "", 0.0, ""),
        ("some words, in a language", "en", 0.314, ""),
        ("other keys", "en", 0.01, m.key_examples(["1", "2", "3"], tagged=False)),
    ):
        message = m.no_suite_fits(languages, "caliskan2017", coverage, keys)
        yield "no_suite_fits", kind, message
    yield "key_examples", "tagged", m.key_examples(["man_NN", "woman_NN"], tagged=True)
    yield "NOTHING_MEASURED", "always", m.NOTHING_MEASURED
    yield "faults_note", "one", m.faults_note(1, 4, "toy/one", "It broke.")
    for skipped in (0, 1, 2):
        yield "skipped_rows_note", str(skipped), m.skipped_rows_note(skipped)
    yield "fitted_on_note", "some", m.fitted_on_note(["he", "she", "man"], 2)
    yield "not_kept_note", "two", m.not_kept_note(["curvature", "history"])
    yield "missing_benchmarks_note", "en", m.missing_benchmarks_note("glove", "ws353")
    yield "composed_words_note", "several", m.composed_words_note("fasttext", 12)
    yield "among_cut", "a cut", m.among_cut(20_000)
    yield "cut_model_note", "a cut", m.cut_model_note("glove", 20_000)
    yield "holdout_note", "one of an encoder", m.holdout_note("en/gender", 1, 1)
    yield "holdout_note", "several", m.holdout_note("en/gender", 20, 4, "glove")
    yield "holdout_note", "apart", m.holdout_note("en/gender", 20, 4, "glove", apart=True)
    for of_words in (True, False):
        kind = "words" if of_words else "sentences"
        yield "default_method_note", kind, m.default_method_note("leace", of_words)
    yield "block_by_block_note", "8 GB", m.block_by_block_note("glove", "8.0 GB")
    for kind, right, distances, p in (
        ("too few on their side", 0.6, (0.1, 0.2), 0.01),
        ("by chance", 0.9, (0.1, 0.2), 0.4),
        ("nearer", 0.9, (0.1, 0.2), 0.01),
        ("farther", 0.9, (0.2, 0.1), 0.01),
    ):
        message = m.noun_gender_sentence(right, distances, p, fewest=0.75, alpha=0.05)
        yield "noun_gender_sentence", kind, message
    yield "OWN_LEANINGS", "always", m.OWN_LEANINGS
    yield "DRAWN_AS_IT_IS", "always", m.DRAWN_AS_IT_IS
    yield "components_note", "two", m.components_note(0.412, 0.133)
    yield "disc_note", "some", m.disc_note(0.612)
