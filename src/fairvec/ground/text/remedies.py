"""A setting that helps, said so that a reader in Python and one at the shell can both follow."""


def option(name: str, value: object) -> str:
    """Return a setting and the option of its name: outside='project' (--outside project)."""
    return f"{name}={value!r} (--{name.replace('_', '-')} {value})"


def method_setting(name: str, value: object) -> str:
    """Return a setting of a method and how `--set` says it: moves='all' (--set moves=all)."""
    return f"{name}={value!r} (--set {name}={value})"


def without(name: str) -> str:
    """Return a setting that is to be left out: vectors= (--vectors)."""
    return f"{name}= (--{name.replace('_', '-')})"
