"""Finds the libraries of the extra `study`, and says how to install it where one is missing."""

import importlib
from types import ModuleType


class MissingExtra(ImportError):
    """A library of an optional part is not installed; `extra` names that part."""

    def __init__(self, module: str, extra: str) -> None:
        self.module, self.extra = module, extra
        super().__init__(f"{module} is not installed. Install it with: pip install archstudio[{extra}]")


def of_study(module: str) -> ModuleType:
    """A module of scipy, statsmodels or matplotlib; MissingExtra where it is not installed."""
    try:
        return importlib.import_module(module)
    except ModuleNotFoundError as error:
        if error.name is not None and not module.startswith(error.name):
            raise
        raise MissingExtra(module.partition(".")[0], "study") from error
