"""How far a training is: a bar on a terminal, plain lines elsewhere."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from fairvec.cli.console import ProgressCallback, duration, err, print_note, progress_bar
from fairvec.training.encode import EncodedCorpus
from fairvec.training.gensim_training import PassProgress
from fairvec.training.glove.glove import EpochProgress
from fairvec.training.train import ProgressCallbacks


@contextmanager
def training_progress() -> Iterator[ProgressCallbacks]:
    """Yield what a training tells how far it is."""
    with progress_bar("reading") as draw:
        text = _Text(draw)
        yield ProgressCallbacks(
            reading=lambda file, done, total: draw(done, total, f"reading {file.name}"),
            words=text.read,
            counting=text.counted,
            epoch=_epoch(draw),
            predicting=_predicting(draw),
        )


class _Text:
    """What is told of a text: its words when they are read, and again when they are counted."""

    def __init__(self, draw: ProgressCallback) -> None:
        self.draw, self.kept = draw, 0

    def read(self, corpus: EncodedCorpus) -> None:
        self.kept = int(corpus.counts.sum())
        print_note(
            f"{corpus.seen:,} words read; {len(corpus.words):,} different ones are kept, which are "
            f"{self.kept / corpus.seen:.1%} of the text"
        )

    def counted(self, done: int, total: int) -> None:
        self.draw(done, total, "counting")
        # What is counted are places, and the ends of lines have some too.
        if done == total:
            print_note(f"{self.kept:,} words counted")


def _epoch(draw: ProgressCallback) -> Callable[[EpochProgress], None]:
    def epoch(done: EpochProgress) -> None:
        text = format_epoch(done)
        draw(done.epoch, done.epochs, text)
        if not err.is_terminal:
            print_note(text)

    return epoch


def _predicting(draw: ProgressCallback) -> PassProgress:
    def predicting(number: int, passes: int) -> None:
        text = f"epoch {number} of {passes}" if number else "reading the vocabulary"
        draw(max(0, number - 1), passes, text)
        if not err.is_terminal:
            print_note(text)

    return predicting


def format_epoch(done: EpochProgress) -> str:
    """Say how far a training of GloVe is, how it goes and how long it takes still."""
    return (
        f"{done.words:,} words, epoch {done.epoch} of {done.epochs}: loss {done.loss:.5f}, "
        f"{done.pairs_a_second / 1e6:.1f}M pairs a second, {duration(done.seconds_left)} left"
    )
