"""From graphs to PyTorch source and modules."""
