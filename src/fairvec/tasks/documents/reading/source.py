"""A text as it came: its characters, what people read of them, and how to write it back."""

from dataclasses import dataclass
from pathlib import Path

from fairvec.ground.errors import SettingError
from fairvec.ground.text.shown_values import shown
from fairvec.tasks.documents.reading.encodings import Coding


@dataclass(frozen=True)
class TextSource:
    """A text by name; `read` has blanks for what people do not read, character under character.

    `path` is the file that holds this text and nothing else; None for a row of a table, or for
    what came from elsewhere.
    """

    name: str
    text: str
    read: str
    coding: Coding
    path: Path | None = None
    of_table: bool = False

    def content(self, text: str) -> bytes:
        """Return another version of the text as bytes, in the encoding in which it came."""
        try:
            return self.coding.mark + text.encode(self.coding.name)
        except UnicodeEncodeError as error:
            raise SettingError(
                f"{self.name}: {shown(text[error.start])} cannot be written in {self.coding.name}; "
                "save the document as UTF-8 first."
            ) from None
