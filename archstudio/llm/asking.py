"""Asks a model with all that belongs to it: replies known from before, the ledger, and the faults counted."""

from dataclasses import dataclass, field

from archstudio.llm.chat import ChatReply, ChatRequest
from archstudio.llm.client import AskFailed, Client
from archstudio.llm.ledger import Ledger
from archstudio.llm.store import ReplyStore


@dataclass(frozen=True)
class Asker:
    """A client that pays for no question twice; several threads may use it."""

    client: Client
    store: ReplyStore | None = None
    ledger: Ledger = field(default_factory=Ledger)

    def ask(self, request: ChatRequest) -> ChatReply:
        """The answer, from the store if it is there. Raises AskFailed, SaveFailed."""
        digest = request.digest
        known = None if self.store is None else self.store.get(digest)
        if known is not None:
            self.ledger.add(known, known=True)
            return known
        try:
            reply = self.client.ask(request)
        except AskFailed as failed:
            self.ledger.add_failure(failed.attempts)
            raise
        if self.store is not None:
            self.store.keep(digest, reply)
        self.ledger.add(reply)
        return reply
