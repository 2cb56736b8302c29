"""What a paper finds: claims as data, their tests, and answers on the models at hand."""
