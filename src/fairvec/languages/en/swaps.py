"""English swaps that depend on the words around: her is his or him."""

from fairvec.languages.people import SwapByContext

ENDINGS = ("'s", "'d", "'ll", "’s", "’d", "’ll")
"""What a word may have at its end and still be swapped: king's, he'd, she'll."""

HIS, HER, HIM, HERS = "his", "her", "him", "hers"

AFTER_AN_OBJECT = frozenset({
    "a", "an", "the", "this", "that", "these", "those", "some", "any", "all", "both", "each",
    "every", "no", "another", "such", "i", "you", "he", "she", "it", "we", "they", "me", "him",
    "them", "who", "whom", "whose", "which", "what", "how", "my", "your", "his", "our", "their",
    "its", "about", "above", "across", "after", "against", "along", "among", "around", "as", "at",
    "back", "before", "behind", "below", "beneath", "beside", "between", "beyond", "by",
    "despite", "down", "during", "except", "for", "from", "in", "including", "inside", "into",
    "like", "near", "of", "off", "on", "onto", "out", "outside", "over", "since", "through",
    "throughout", "to", "toward", "towards", "under", "until", "up", "upon", "via", "with",
    "within", "without", "and", "but", "nor", "so", "yet", "because", "if", "though", "although",
    "unless", "when", "whenever", "where", "wherever", "while", "whether", "than", "once", "am",
    "is", "are", "was", "were", "be", "been", "being", "has", "have", "had", "having", "do",
    "does", "did", "would", "shall", "should", "could", "must", "again", "ago", "alone", "also",
    "always", "anymore", "away", "ever", "even", "forever", "here", "however", "immediately",
    "instead", "just", "never", "not", "often", "quickly", "soon", "there", "together", "too",
    "twice", "well", "according", "becoming", "become", "come", "due", "find", "get", "go",
    "know", "make", "saying", "take", "using",
})  # fmt: skip
"""What follows him more often than his: told her that, saw her in."""


def masculine_of_her(following: str | None) -> str:
    """Return what stands for her before a word: him before one of the list or a line's end, or his.

    No sentence is parsed. Before a name or a noun it is his, also where it should have been him
    (gave her money). Of 67,575 of his and him in English Wikipedia, each taken for her, it finds
    97 % again: 99 % of his and 80 % of him.
    """
    return HIM if following is None or following.lower() in AFTER_AN_OBJECT else HIS


SWAPS = (SwapByContext((HIS, HER), ((HIM, HER), (HERS, HIS)), HER, masculine_of_her),)
