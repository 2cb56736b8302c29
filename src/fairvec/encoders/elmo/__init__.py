"""ELMo in the layout of AllenNLP and bilm-tf: options.json and weights in HDF5."""

from fairvec.encoders.elmo.folder import read_elmo, recognises
from fairvec.encoders.elmo.model import ElmoModel

__all__ = ["ElmoModel", "read_elmo", "recognises"]
