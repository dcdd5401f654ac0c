"""Packs of questions in one file, to be shown, answered and passed on."""
