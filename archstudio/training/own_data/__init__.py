"""People's own data: read as columns, given roles, checked against what the graph takes, and split for training."""
