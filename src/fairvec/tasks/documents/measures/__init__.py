"""What is measured in documents: one file a measure."""
