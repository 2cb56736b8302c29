"""Whether what a user names is an encoder: asked of every model, so nothing heavy is loaded."""

from pathlib import Path

from fairvec.catalogue import names
from fairvec.embedding.archive import SUFFIXES as ARCHIVE_SUFFIXES
from fairvec.embedding.recognise import suggested
from fairvec.encoders.hub import HUB_NAME
from fairvec.ground.disk.at_hand import is_file, is_folder, is_there
from fairvec.ground.outside.plugins import PREFIX


def names_an_encoder(source: str) -> bool:
    """Return whether a text names an encoder rather than a file or model of word vectors.

    A folder does not hide a model of the catalogue: it is named as ./NAME then.
    """
    path = Path(source)
    if source in names() and not is_file(path):
        return False
    if is_there(source) or suggested(path) or path.suffix.lower() in ARCHIVE_SUFFIXES:
        return is_folder(source)
    return source.startswith(PREFIX) or HUB_NAME.fullmatch(source) is not None
