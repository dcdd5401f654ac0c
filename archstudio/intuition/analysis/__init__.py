"""What trained candidates and questions show: shapes of curves, how far simple rules get, and a page of both."""
