"""The tasks a person can work on: suites of them, what was tried, how hard they are, practice, and authoring."""
