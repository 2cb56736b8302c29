"""Multi-class hard debiasing: hard debiasing of a concept with more than two sides."""

from dataclasses import dataclass
from typing import ClassVar

from fairvec.ground.settings import Count
from fairvec.mitigation.hard import HardDebiasing


@dataclass(frozen=True)
class MultiClassHard(HardDebiasing):
    """Take the k directions in which sets of several words differ out of neutral words.

    B are the first k principal components of the defining sets (judaism, christianity, islam), each
    centred at its mean; neutralise and equalise are the steps of hard debiasing, whose formulas
    hold for sets of any size. Afterwards a neutral word is as far from each word of a set as from
    the others.

    Two things differ from the published program. It neutralises a list of stereotypes only, and
    here every word moves that is not specific. Its k is 1 unless told otherwise; but the words of a
    set come to lie on a sphere in B, and on a line that is two points, so that two of three words
    would become one: k is 2 here, and 1 is refused for sets of three.

    Manzini, Lim, Tsvetkov & Black (2019), Black is to Criminal as Caucasian is to Police: Detecting
    and Removing Multiclass Bias in Word Embeddings, NAACL-HLT, 615-621; arXiv:1904.04047.
    """

    name: ClassVar[str] = "multiclass-hard"

    k: Count = 2
