"""What needs both edits and shapes: sized splices, sizes that follow the wire, fixes, suggestions."""
