"""A study in the forms others read: tidy tables, Inspect logs, Psych-DS, Croissant, benchmark rows, METR runs."""
