"""ELMo in the layout of AllenNLP and bilm-tf: options.json and weights in HDF5."""

from fairvec.encoders.elmo.model import ElmoModel, read_elmo, recognises

__all__ = ["ElmoModel", "read_elmo", "recognises"]
