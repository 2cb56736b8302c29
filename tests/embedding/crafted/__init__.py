"""Files made by hand to ask for more than they hold, or to be what no reader expects."""
