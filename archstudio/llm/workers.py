"""Runs one function over many things in threads that nobody has to wait for: leaving is possible at any moment."""

import threading
from collections.abc import Callable, Iterable, Iterator
from queue import SimpleQueue
from typing import Generic, TypeVar

T = TypeVar("T")
R = TypeVar("R")


def in_threads(work: Callable[[T], R], items: Iterable[T], workers: int) -> Iterator[R]:
    """The results in the order in which they are ready; one worker keeps the order of the items.

    An error of the work or of the items ends it. Then, and when the iterator is closed, no thread takes another item.
    """
    if workers == 1:
        yield from map(work, items)
        return
    crew = _Crew(work, items)
    for number in range(workers):
        threading.Thread(target=crew.serve, name=f"asking-{number}", daemon=True).start()
    left = workers
    try:
        while left:
            outcome = crew.outcomes.get()
            if outcome is None:
                left -= 1
            elif isinstance(outcome, _Raised):
                raise outcome.error
            else:
                yield outcome.value
    finally:
        crew.stopped.set()


class _Done(Generic[R]):
    def __init__(self, value: R) -> None:
        self.value = value


class _Raised:
    def __init__(self, error: BaseException) -> None:
        self.error = error


class _Crew(Generic[T, R]):
    """What the threads share: the items left, and the outcomes; each thread says None when it leaves."""

    def __init__(self, work: Callable[[T], R], items: Iterable[T]) -> None:
        self._work, self._items, self._lock = work, iter(items), threading.Lock()
        self.outcomes: SimpleQueue[_Done[R] | _Raised | None] = SimpleQueue()
        self.stopped = threading.Event()

    def serve(self) -> None:
        try:
            while not self.stopped.is_set():
                with self._lock:
                    item = next(self._items)
                self.outcomes.put(_Done(self._work(item)))
        except StopIteration:
            self.outcomes.put(None)
        except BaseException as error:  # told to whoever asked for the results
            self.outcomes.put(_Raised(error))
