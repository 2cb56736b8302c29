"""Which poolings a folder of sentence-transformers names."""

from fairvec.encoders.sentence_transformer.modules import ListedModule

_FLAGS = {
    "pooling_mode_cls_token": "cls",
    "pooling_mode_max_tokens": "max",
    "pooling_mode_mean_tokens": "mean",
    "pooling_mode_mean_sqrt_len_tokens": "mean_sqrt_len_tokens",
    "pooling_mode_weightedmean_tokens": "weightedmean",
    "pooling_mode_lasttoken": "lasttoken",
}
"""In the order in which they stand side by side."""


def pooling_modes(module: ListedModule, prompt: str) -> tuple[str, ...]:
    """Return the poolings, whose vectors stand side by side."""
    said = module.config
    if prompt and said.get("include_prompt") is False:
        raise module.refuse("include_prompt", False)
    named = said.get("pooling_mode")
    if named is None:
        return tuple(mode for flag, mode in _FLAGS.items() if said.get(flag)) or ("mean",)
    modes = named if isinstance(named, list) else [named]
    if not modes or not all(mode in _FLAGS.values() for mode in modes):
        raise module.refuse("pooling_mode", named)
    return tuple(modes)
