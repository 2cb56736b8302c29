"""How biased is this model: the plan of an audit, its run, and its verdicts."""
