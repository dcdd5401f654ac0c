"""Names made from content: equal content has an equal name, whoever makes it and wherever."""

import hashlib
import json

REFERENCE_DIGITS = 6
"""Hexadecimal digits of an id under profile v1; 24 bits, kept so that recorded ids regenerate."""


def short_hash(value: object, digits: int = REFERENCE_DIGITS) -> str:
    """Return the first digits of the sha256 of `value` as JSON with sorted keys and the separators ", " and ": "."""
    return hashlib.sha256(json.dumps(value, sort_keys=True).encode()).hexdigest()[:digits]


def profile_hash(content: object) -> str:
    """Return the 16 digits that identify a profile: of its content as compact JSON with sorted keys."""
    text = json.dumps(content, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()[:16]
