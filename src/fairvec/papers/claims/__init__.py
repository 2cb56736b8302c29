"""What a paper finds, as data, and whether it holds on the models at hand."""
