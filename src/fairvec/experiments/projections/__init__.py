"""Where words lie: on axes, on their principal components, or on the disc."""
