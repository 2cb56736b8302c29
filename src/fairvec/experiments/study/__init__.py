"""Where bias comes from: a grid of corpora and models, trained and audited."""
