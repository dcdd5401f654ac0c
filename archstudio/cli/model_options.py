"""The options of every command that asks a language model, and the asker they come to."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Literal, cast

import typer

from archstudio.cli.output import Unusable
from archstudio.llm import (
    Asker,
    Backoff,
    Client,
    Ledger,
    Limits,
    MissingExtra,
    Prices,
    ReplyStore,
    Sampling,
    UnusableEndpoint,
    endpoint_from,
)
from archstudio.llm.endpoint import BASE_URL_VARIABLE, KEY_VARIABLE

ModelOption = Annotated[str | None, typer.Option("--model", help="The model's name, as the service knows it.")]
BaseUrlOption = Annotated[
    str | None,
    typer.Option("--base-url", help=f"Where the service is, up to /v1; else {BASE_URL_VARIABLE} says it."),
]
KeyVariableOption = Annotated[
    str,
    typer.Option(
        "--key-variable", help="Environment variable of the key, which is never kept or shown; '' sends none."
    ),
]
WorkersOption = Annotated[int, typer.Option("--workers", min=1, max=256, help="How many are asked at once.")]
ResumeOption = Annotated[bool, typer.Option("--resume", help="Go on in what is there; no question is paid twice.")]
TemperatureOption = Annotated[
    float | None, typer.Option("--temperature", min=0, max=2, help="Not sent unless given.", show_default=False)
]
MaxTokensOption = Annotated[
    int | None, typer.Option("--max-tokens", min=1, help="Of a reply; not sent unless given.", show_default=False)
]
TokenLimitOption = Annotated[
    str, typer.Option("--token-limit-name", help="max_tokens or max_completion_tokens, as the service wants it.")
]
AttemptsOption = Annotated[int, typer.Option("--attempts", min=1, max=100, help="Requests a question, at most.")]
PriceInOption = Annotated[
    float | None, typer.Option("--price-in", min=0, help="Price of a million tokens read; none is built in.")
]
PriceOutOption = Annotated[float | None, typer.Option("--price-out", min=0, help="Price of a million tokens written.")]
CurrencyOption = Annotated[str, typer.Option("--currency", help="Of the prices.")]

DEFAULT_KEY_VARIABLE = KEY_VARIABLE


@dataclass(frozen=True)
class Asked:
    """Where and how a model is asked, as the options say it."""

    base_url: str | None
    key_variable: str
    attempts: int
    timeout_s: float
    price_in: float | None
    price_out: float | None
    currency: str

    @property
    def prices(self) -> Prices | None:
        """The prices, if both are given; one alone is refused."""
        if self.price_in is None and self.price_out is None:
            return None
        if self.price_in is None or self.price_out is None:
            raise Unusable("--price-in and --price-out go together.")
        return Prices(self.price_in, self.price_out, self.currency)


@contextmanager
def asker_of(asked: Asked, replies: Path | None) -> Iterator[Asker]:
    """An asker that keeps its replies in a file; what is wrong with it is one line."""
    prices = asked.prices
    limits = Limits(silence_s=asked.timeout_s, total_s=5 * asked.timeout_s)
    try:
        endpoint = endpoint_from(asked.base_url, asked.key_variable)
        client = Client(endpoint, limits, Backoff(attempts=asked.attempts))
    except (UnusableEndpoint, MissingExtra) as reason:
        raise Unusable(str(reason)) from None
    with client:
        yield Asker(client, None if replies is None else ReplyStore(replies), Ledger(prices))


def sampling_of(temperature: float | None, max_tokens: int | None, token_limit_name: str) -> Sampling:
    """How a model is to answer."""
    if token_limit_name not in ("max_tokens", "max_completion_tokens"):
        raise Unusable(f"--token-limit-name {token_limit_name}: choose max_tokens or max_completion_tokens.")
    name = cast(Literal["max_tokens", "max_completion_tokens"], token_limit_name)
    return Sampling(temperature=temperature, max_tokens=max_tokens, token_limit_name=name)
