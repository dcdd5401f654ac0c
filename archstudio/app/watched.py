"""What can be watched: panels and journals hear of changes without the changed thing knowing them."""

from __future__ import annotations

from collections.abc import Callable


class Watched:
    """Something with watchers; when they are called stands in the docstring of each class that is one."""

    def __init__(self) -> None:
        self._watchers: list[Callable[[], None]] = []

    def watch(self, watcher: Callable[[], None]) -> Callable[[], None]:
        """Call `watcher` after each change; returns the function that ends it."""
        self._watchers.append(watcher)
        return lambda: self._watchers.remove(watcher)

    def tell(self) -> None:
        """Call the watchers; one may end another, or itself, meanwhile."""
        for watcher in tuple(self._watchers):
            watcher()
