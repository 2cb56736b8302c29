"""What representations do in the world: a task learnt from them."""
