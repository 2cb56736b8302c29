"""The sentences about results, as pure functions of records."""
