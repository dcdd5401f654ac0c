"""The application without its window: open documents, settings, and commands as data."""
