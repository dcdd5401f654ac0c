"""What a person can set for good: looks, habits of the canvas, pictures, keys."""
