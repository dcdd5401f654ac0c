"""Taking part in studies without a window: the graph at work, questions, and what opening a study does."""
