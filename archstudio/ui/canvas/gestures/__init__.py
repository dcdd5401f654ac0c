"""One module a gesture: each begins, moves and ends, and makes at most one edit."""
