"""The shell of the tests of commands, here too."""

from tests.cli.conftest import shell

__all__ = ["shell"]
