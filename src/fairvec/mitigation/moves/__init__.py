"""How points move: pure maps of rows, each registered by its kind."""
