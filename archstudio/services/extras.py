"""The error for an optional part that is not installed."""


class MissingExtra(ImportError):
    """An extra that a service needs is not installed."""

    def __init__(self, extra: str) -> None:
        self.extra = extra
        super().__init__(f"This needs the extra '{extra}': pip install archstudio[{extra}]")
