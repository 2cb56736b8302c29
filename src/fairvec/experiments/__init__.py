"""The experiment: a plan, its run, and two runs compared."""
