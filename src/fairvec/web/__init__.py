"""The explorer: a page on this machine to look at bias, and the interface behind it."""
