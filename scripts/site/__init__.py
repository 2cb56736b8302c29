"""What turns docs/ into a site: tutorials that run, a navigation, an API reference, a last look."""
