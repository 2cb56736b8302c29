"""The answers of trainings that are finished, kept so that no training is done twice."""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from hashlib import sha256
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

import numpy as np

from fairvec.benchmarks import ReviewSet
from fairvec.embedding import Embedding
from fairvec.encoders.transformer.device import has_gpu
from fairvec.geometry import FloatArray
from fairvec.ground.disk.files import write_text
from fairvec.ground.errors import MissingExtraError
from fairvec.ground.text.json_text import json_of
from fairvec.ground.text.whole_characters import whole
from fairvec.tasks.sentiment.networks import MeansNetwork, Network

WAY_OF_PREDICTING = 1
"""Counted up whenever networks are trained in another way, so that old answers are not taken."""


@dataclass(frozen=True)
class KeptAnswers:
    """What trainings said, a file each by a hash of all that decides it; without a folder none.

    `decides` is what all of them share, and `about` what sets one apart: its seed, its fold.
    """

    folder: Path | None
    decides: Mapping[str, Any]

    def get(self, about: Mapping[str, Any], size: int) -> FloatArray | None:
        """Return an answer that is kept; one that cannot be read is as good as none."""
        if not (self.folder and (path := self._path(self.folder, about)).is_file()):
            return None
        try:
            answer = np.array(json_of(path.read_bytes())["chances"], float)
        except (ValueError, KeyError, TypeError):
            return None
        right = answer.shape == (size,) and ((answer >= 0) & (answer <= 1)).all()
        return answer if right else None

    def put(self, about: Mapping[str, Any], answer: FloatArray) -> None:
        """Keep an answer, whole or not at all."""
        if self.folder:
            written = {**self.decides, **about, "chances": answer.tolist()}
            write_text(self._path(self.folder, about), json.dumps(written, ensure_ascii=False))

    def _path(self, folder: Path, about: Mapping[str, Any]) -> Path:
        text = json.dumps(whole({**self.decides, **about}), sort_keys=True, ensure_ascii=False)
        return folder / f"{sha256(text.encode()).hexdigest()}.json"


def decides(reviews: ReviewSet, embedding: Embedding, network: Network) -> dict[str, Any]:
    """Return all that decides an answer but what was learnt and asked in one training."""
    content = repr([tuple(review) for review in reviews.reviews])
    by = "scikit-learn" if isinstance(network, MeansNetwork) else "torch"
    try:
        made_by = version(by)
    except PackageNotFoundError as error:
        raise MissingExtraError("Training an LSTM", "encoders") from error
    return {
        "embedding": embedding.content_hash,
        "reviews": sha256(content.encode("utf-8", "surrogatepass")).hexdigest(),
        "language": reviews.language,
        "network": [network.name, asdict(network)],
        "by": [by, made_by, "gpu" if by == "torch" and has_gpu() else "cpu"],
        "way": WAY_OF_PREDICTING,
    }
