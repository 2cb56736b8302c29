"""What a test does not reject: intervals without a seed."""
