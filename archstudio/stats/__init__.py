"""Statistics that several rooms report: intervals of shares, and pass rates over repeated trials."""

from archstudio.stats.proportions import Interval, pass_at_k, pass_every_k, wilson

__all__ = ["Interval", "pass_at_k", "pass_every_k", "wilson"]
