"""What other libraries hold, as words and a matrix: one small file a kind, none of them imported.

A kind is told by the package its class comes from, so that nothing is loaded that was not there.
"""
