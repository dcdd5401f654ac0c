"""How the outside reaches into a training loop: pause, resume, stop and abort, all obeyed at a step boundary."""

import threading
from typing import Literal

from archstudio.training.protocol import Failure

Wish = Literal["go", "pause", "stop"]


class Aborted(Exception):
    """The job must end as failed, for a reason that lies outside it."""

    def __init__(self, failure: Failure) -> None:
        self.failure = failure
        super().__init__(failure.message)


class Control:
    """Set from any thread, read by the training loop between two steps."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._wish: Wish = "go"
        self._failure: Failure | None = None
        self.holding = False
        """True while the loop waits in a pause; time that passes then counts for nothing."""
        self.attention = False
        """True when the loop must call `obey`; a plain attribute, since it is read at every step."""

    def ask(self, wish: Wish) -> None:
        """Ask the loop to pause, to go on, or to stop; a stop is final."""
        with self._changed:
            if self._wish != "stop":
                self._wish = wish
            self._notify()

    def abort(self, failure: Failure) -> None:
        """Make the job fail at the next step boundary."""
        with self._changed:
            self._failure = self._failure or failure
            self._notify()

    def asked(self) -> Wish:
        """Return what is asked for at the moment; raises `Aborted` if the job must fail."""
        with self._changed:
            if self._failure:
                raise Aborted(self._failure)
            return self._wish

    def wait_while_paused(self) -> None:
        """Hold the calling thread until the wish is something else than a pause."""
        with self._changed:
            self.holding = True
            self._changed.wait_for(lambda: self._wish != "pause" or self._failure is not None)
            self.holding = False

    def _notify(self) -> None:
        self.attention = self._wish != "go" or self._failure is not None
        self._changed.notify_all()
