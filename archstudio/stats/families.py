"""Several tests at once: p-values that keep the chance of any false alarm below the level."""

from collections.abc import Sequence

from archstudio.stats.extra import of_study


def holm(p_values: Sequence[float | None]) -> list[float | None]:
    """Adjusted p-values by Holm's step-down, in the order given; None stays None.    [S. Holm, 1979; by statsmodels]"""
    known = [value for value in p_values if value is not None]
    if not known:
        return list(p_values)
    adjusted = iter(of_study("statsmodels.stats.multitest").multipletests(known, method="holm")[1])
    return [None if value is None else float(next(adjusted)) for value in p_values]
