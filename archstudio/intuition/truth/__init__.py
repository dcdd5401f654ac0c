"""The truth about candidates: their generated files are really run, once a seed, and the results are kept."""
