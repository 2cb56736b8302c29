from fairvec.experiments.audit.test_words import restrict_to_tests
from fairvec.lexicon import Test, select_tests
from tests import toys


def test_lists_in_a_language_without_templates_are_looked_up_too() -> None:
    embedding = toys.embedding()
    lists = Test(**toys.WORDS, language="fr")  # type: ignore[arg-type]
    part = restrict_to_tests(embedding.with_languages("fr"), select_tests([lists]))
    assert sorted(part.keys) == sorted(word for words in toys.WORDS.values() for word in words)
