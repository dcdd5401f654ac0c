"""What a study lets a participant see; sessions and reports will live here."""
