"""Folders of encoders: transformers, sentence-transformers, model2vec, ELMo, debiased ones."""

import json
import warnings
from collections.abc import Iterator
from pathlib import Path

from fuzz.cases import Files, Target
from fuzz.crafted import crafted_for
from fuzz.honest import CONCEPT, SUITE, files_in
from fuzz.places import placed
from fuzz.shell import ran_in

DESCRIPTION = "model/fairvec-encoder.json"
SENTENCES = ("the king", "a queen of maths")
REPLY = "reply.json"
REPLIES = (
    {"data": [{"index": 1, "embedding": [1, 2.5]}, {"index": 0, "embedding": [-1, 3]}]},
    {"data": [{"index": at, "embedding": "AACAPwAAAEA="} for at in (0, 1)], "model": "small"},
)


def encoders(folder: Path) -> Iterator[Target]:
    """Give a target for replies of endpoints, and for each kind of folder if the extra is there."""
    yield Target(
        name="encoder-endpoint",
        run=_read_reply,
        honest=[{REPLY: json.dumps(reply).encode()} for reply in REPLIES],
        covers=["encoder endpoint"],
    )
    try:
        import h5py  # noqa: F401 - is it there?
        import torch
        import transformers  # noqa: F401 - is it there?
    except ImportError:
        return
    torch.set_num_threads(1)
    from fairvec.encoders.open import KINDS

    made = _made(folder)
    for name in (kind.name.replace("-", "_") for kind in KINDS):
        if name not in made:
            continue  # the law of the registries says so
        yield Target(
            name=f"encoder-{name}",
            run=_read,
            honest=made[name],
            covers=[f"encoder {name}"],
            seconds=20,
        )
    honest = _debiased(folder / "debiased", made["model2vec"][0])
    yield Target(
        name="encoder-debiased",
        run=_read_debiased,
        honest=[honest],
        crafted=crafted_for("encoder-debiased", honest, DESCRIPTION),
        covers=["encoder debiased"],
        fixed=frozenset(name for name in honest if name.startswith("base/")),
        seconds=20,
    )


def _read_reply(folder: Path) -> None:
    """Read the reply to two texts, and what it says if it is a refusal."""
    from fairvec.core.errors import EncoderError
    from fairvec.encoders.endpoint.protocol import ReplyError, error_message, read_embeddings

    content = (folder / REPLY).read_bytes()
    try:
        read_embeddings(content, 2, 2)
    except ReplyError as error:
        message = error_message(content)
        raise EncoderError(f"The server {error}; {message or 'check it'}.") from None


def _read_debiased(folder: Path) -> None:
    from fairvec.encoders.base import EncoderOptions
    from fairvec.experiments.debiasing.files import open_debiased_encoder
    from fairvec.languages.sentences import Sentence

    encoder = open_debiased_encoder(folder / "model", EncoderOptions(keep=False))
    encoder.encode([Sentence.alone(text) for text in SENTENCES])


def _debiased(folder: Path, base: Files) -> Files:
    """Debias an encoder; where it lies is said so that it is found in the folder of any case."""
    words = {"toy.toml": SUITE, "mine.toml": CONCEPT}
    base = {f"base/{name.removeprefix('model/')}": data for name, data in base.items()}
    folder.mkdir()
    placed({**base, **words}, folder)
    answer = ran_in(
        folder,
        *("debias", "base", "--language", "en", "--concept", "mine.toml", "-s", "toy.toml"),
        *("--no-keep", "-o", "model"),
    )
    if answer.code:
        raise SystemExit(answer.err)
    made = {
        name: (folder / name).read_bytes() for name in (DESCRIPTION, "model/transform.safetensors")
    }
    description = json.loads(made[DESCRIPTION]) | {"encoder": "base"}
    return {**base, **made, DESCRIPTION: json.dumps(description).encode()}


def _read(folder: Path) -> None:
    from fairvec.encoders.open import open_encoder
    from fairvec.languages.sentences import Sentence

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        encoder = open_encoder(folder / "model", keep=False)
        encoder.pieces(["king"])
        encoder.encode([Sentence.alone(text) for text in SENTENCES])


def _made(folder: Path) -> dict[str, list[Files]]:
    """Write tiny encoders of every kind, as the tests do."""
    from tests.encoders.elmo.toys import toy_elmo
    from tests.encoders.tiny_transformers import tiny

    kinds: dict[str, list[Files]] = {}
    for place, make in (
        ("transformer", lambda where: tiny("Bert", where)),
        ("elmo", toy_elmo),
        ("model2vec", _model2vec),
        ("sentence_transformers", _sentence_transformer),
    ):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            make(folder / place / "model")
        kinds[place] = [files_in(folder / place)]
    return kinds


def tiny_encoder(folder: Path) -> Files:
    """Return the files of an encoder as `encoder`; none without the extra."""
    try:
        _model2vec(folder / "encoder")
    except ImportError:
        return {}
    return files_in(folder)


def _model2vec(folder: Path) -> None:
    import numpy as np
    from model2vec import StaticModel

    from tests.encoders.tiny_transformers import tokenizer_of

    tokens = tokenizer_of("pieces", framed=False)
    rows = np.random.default_rng(0).normal(size=(tokens.get_vocab_size(), 6)).astype(np.float32)
    config = {"model_type": "model2vec", "architectures": ["StaticModel"]}
    StaticModel(rows, tokens, config=config).save_pretrained(folder)


def _sentence_transformer(folder: Path) -> None:
    from sentence_transformers import SentenceTransformer
    from sentence_transformers.sentence_transformer import modules

    from tests.encoders.tiny_transformers import WIDTH, tiny

    transformer = modules.Transformer(str(tiny("Bert", folder.parent.parent / "inner")))
    parts = [transformer, modules.Pooling(WIDTH, "mean"), modules.Dense(WIDTH, 6)]
    SentenceTransformer(modules=parts, device="cpu").save(str(folder))
