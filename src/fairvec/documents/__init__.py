"""Is this document biased, and what would a fairer version of it be?"""
