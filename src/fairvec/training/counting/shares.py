"""How a limit of memory is shared out: so much for the text, so much for rows."""

from dataclasses import dataclass, replace

from fairvec.ground.errors import SettingError
from fairvec.ground.machine.memory import in_words

LARGEST_BLOCK = 2**31 - 1
"""Places of a block, and of the words beside it, are numbered by 32 bits."""

BYTES_A_TOKEN = 8
"""A number of the text, and a place of it."""

BYTES_A_PAIR = 24
"""A column and a count, where they are added up and where they wait to be written."""

BYTES_A_WORD = 80
"""Where the places and the rows of a word begin and end, and how long its row may become."""

BYTES_A_WORD_AND_THREAD = 36
"""What stands around a word is added up in a row as long as the vocabulary."""

MOST_RUNS = 64
"""So many runs are merged at once at the most, as each is read in its own places of the disk."""


@dataclass(frozen=True)
class Shares:
    """What fits into memory: places of a block, bytes of a span of rows, runs merged, threads."""

    block: int
    span: int
    runs: int
    threads: int

    @property
    def beside_a_connection(self) -> "Shares":
        """What fits where a connection to a cluster keeps half of the memory."""
        return replace(self, span=self.span // 2, runs=max(2, self.runs // 2))


def shares_of(memory: int, vocabulary: int, window: int, threads: int) -> Shares:
    """Share a limit of memory out: what the vocabulary takes, then half for text, half for rows.

    A large vocabulary leaves room for fewer threads; one that takes more than half is refused.
    """
    room = memory // 2 // max(1, vocabulary) - BYTES_A_WORD
    threads = min(threads, room // BYTES_A_WORD_AND_THREAD)
    if threads < 1:
        least = 2 * vocabulary * (BYTES_A_WORD + BYTES_A_WORD_AND_THREAD)
        raise SettingError(
            f"Counting {vocabulary:,} words takes {in_words(least)} of memory at least, and "
            f"{in_words(memory)} are allowed; raise the limit, or keep fewer words."
        )
    # What was given back is not at once free for others: an eighth stays unused for that.
    usable = memory - memory // 8
    left = usable - vocabulary * (BYTES_A_WORD + threads * BYTES_A_WORD_AND_THREAD)
    span = left // 2 // (threads + 1)
    return Shares(
        block=max(1, min(LARGEST_BLOCK, left // 2 // BYTES_A_TOKEN) - 2 * window),
        span=span,
        runs=max(2, min(MOST_RUNS, 2 * span // (BYTES_A_PAIR * vocabulary))),
        threads=threads,
    )
