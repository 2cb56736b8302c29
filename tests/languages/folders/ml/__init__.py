"""Malayalam, as little of it as shows what a language costs."""
