"""Candidates: set-ups (model, optimiser, loss, budget) that are trained on a data set to see which ends best."""
