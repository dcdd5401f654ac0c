"""Two graphs side by side, with what differs in colour and as a list."""
