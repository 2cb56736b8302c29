"""What runs fairvec elsewhere: the GitHub action, the pre-commit hooks and the image."""
