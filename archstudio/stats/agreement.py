"""How far people give the same answers to the same items, beyond chance."""

from collections import Counter
from collections.abc import Hashable, Iterable, Sequence


def krippendorff_alpha(units: Iterable[Sequence[Hashable]]) -> float | None:
    """Alpha of nominal answers: 1 is full agreement, 0 what chance gives. None if nothing can disagree.

    `units` holds the answers to each item, however many; items with fewer than two count for nothing.
    [K. Krippendorff, Computing Krippendorff's Alpha-Reliability, 2011]
    """
    observed, totals = 0.0, Counter[Hashable]()
    for unit in units:
        m = len(unit)
        if m < 2:
            continue
        counts = Counter(unit)
        totals.update(counts)
        observed += sum(count * (m - count) for count in counts.values()) / (m - 1)
    n = sum(totals.values())
    expected = sum(count * (n - count) for count in totals.values()) / (n - 1) if n > 1 else 0.0
    return None if expected == 0 else 1 - observed / expected
