"""Tasks in the window: the browser's list, generating, importing, attempts, comparing, authoring and results."""
