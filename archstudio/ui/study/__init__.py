"""The windows of human studies: taking part, replaying, writing and collecting them."""
