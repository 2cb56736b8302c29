"""Where bias comes from: a grid of corpora and models, trained, audited and taken apart."""
