"""Speed and memory beside the peers, each a command that prints ratios of one run."""
