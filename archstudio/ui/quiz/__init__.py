"""Questions in the window: the page with one question, what stands around it, and own settings."""
