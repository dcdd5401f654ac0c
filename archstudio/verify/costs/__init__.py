"""What a network costs to run: cached bytes and latency, as pure functions of plain numbers."""
