"""What asking has cost: requests, tokens, and money where a person says what a token costs."""

import threading
from dataclasses import dataclass
from typing import Any

from archstudio.llm.chat import ChatReply


@dataclass(frozen=True)
class Prices:
    """Prices of a million tokens, as a person states them; none are built in, because they change."""

    input_per_million: float
    output_per_million: float
    currency: str = "USD"

    def cost(self, input_tokens: int, output_tokens: int) -> float:
        """The money for so many tokens."""
        return (input_tokens * self.input_per_million + output_tokens * self.output_per_million) / 1e6


class Ledger:
    """Adds up what replies took; several threads may write. Replies known from before are counted apart."""

    def __init__(self, prices: Prices | None = None) -> None:
        self._prices = prices
        self._lock = threading.Lock()
        self.replies = self.known_before = self.attempts = self.failed = 0
        self.input_tokens = self.output_tokens = self.without_usage = 0

    def add(self, reply: ChatReply, *, known: bool = False) -> None:
        """Count one reply. One known from before was paid before: its tokens count, its attempts do not."""
        usage = reply.usage
        with self._lock:
            self.replies += 1
            self.known_before += known
            self.attempts += 0 if known else reply.attempts
            self.input_tokens += usage.input_tokens or 0
            self.output_tokens += usage.output_tokens or 0
            self.without_usage += usage.input_tokens is None or usage.output_tokens is None

    def add_failure(self, attempts: int) -> None:
        """Count a question that was given up."""
        with self._lock:
            self.failed += 1
            self.attempts += attempts

    def as_json(self) -> dict[str, Any]:
        """The figures; the cost is null without prices, and a lower bound where replies came without usage."""
        with self._lock:
            cost = None if self._prices is None else self._prices.cost(self.input_tokens, self.output_tokens)
            return {
                "replies": self.replies,
                "knownBefore": self.known_before,
                "attempts": self.attempts,
                "failed": self.failed,
                "inputTokens": self.input_tokens,
                "outputTokens": self.output_tokens,
                "withoutUsage": self.without_usage,
                "cost": cost,
                "currency": None if self._prices is None else self._prices.currency,
            }

    def text(self) -> str:
        """The figures in one line."""
        told = self.as_json()
        line = f"{told['inputTokens']:,} tokens in, {told['outputTokens']:,} out, {told['attempts']:,} requests"
        if told["withoutUsage"]:
            line += f"; {told['withoutUsage']:,} replies without a count"
        return line if told["cost"] is None else f"{line}; {told['cost']:,.4f} {told['currency']}"
