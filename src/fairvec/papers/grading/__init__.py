"""Whether a printed figure and ours agree, and where a paper contradicts itself."""
