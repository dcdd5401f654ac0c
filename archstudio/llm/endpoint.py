"""Where a model is asked and with which key: an address that is safe to show, and a secret that never shows."""

import ipaddress
import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final
from urllib.parse import SplitResult, urlsplit

BASE_URL_VARIABLE: Final = "OPENAI_BASE_URL"
KEY_VARIABLE: Final = "OPENAI_API_KEY"
"""The variables that the protocol's own programs read; another may be named for the key."""

HIDDEN: Final = "***"


class UnusableEndpoint(ValueError):
    """An address or a key that will not be used; `reason` says why."""

    def __init__(self, reason: str) -> None:
        self.reason = reason
        super().__init__(reason)


@dataclass(frozen=True)
class Endpoint:
    """An OpenAI-compatible service: `base_url` ends before `/chat/completions`. The key is in no text of it."""

    base_url: str
    key: str = field(default="", repr=False)

    def __post_init__(self) -> None:
        parts = _parts(self.base_url)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise UnusableEndpoint("The base URL must start with http:// or https:// and name a host.")
        if parts.username or parts.password or parts.query or parts.fragment:
            raise UnusableEndpoint("The base URL must hold no user, password, '?' or '#'; a key has a variable.")
        if self.key and parts.scheme == "http" and not is_loopback(parts.hostname):
            remedy = "Use https://, or name no key variable to send none."
            raise UnusableEndpoint(f"A key is not sent to {parts.hostname} without encryption. {remedy}")
        if not self.key.isprintable() or not self.key.isascii() or self.key != self.key.strip():
            raise UnusableEndpoint("The key holds blanks or characters that no header can carry.")

    @property
    def completions_url(self) -> str:
        """The address that is asked."""
        return self.base_url.rstrip("/") + "/chat/completions"

    def headers(self) -> dict[str, str]:
        """The headers that carry the key."""
        return {"Authorization": f"Bearer {self.key}"} if self.key else {}

    def hidden(self, text: str) -> str:
        """`text` without the key, should a service have echoed it."""
        return text.replace(self.key, HIDDEN) if self.key else text


def endpoint_from(
    base_url: str | None, key_variable: str = KEY_VARIABLE, environment: Mapping[str, str] = os.environ
) -> Endpoint:
    """The endpoint of an address (else of OPENAI_BASE_URL) with the key of a variable. Raises UnusableEndpoint.

    Without a key nothing is sent for one, and none is looked for in a variable without a name: services of one's own
    often want none.
    """
    chosen = base_url or environment.get(BASE_URL_VARIABLE, "")
    if not chosen:
        raise UnusableEndpoint(f"Name the service with --base-url, or set {BASE_URL_VARIABLE}.")
    key = environment.get(key_variable, "") if key_variable else ""
    if not key and key_variable not in ("", KEY_VARIABLE):
        raise UnusableEndpoint(f"The variable {key_variable} for the key is not set.")
    return Endpoint(chosen, key)


def is_loopback(host: str) -> bool:
    """Whether a host can only be this machine."""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def _parts(url: str) -> SplitResult:
    try:
        parts = urlsplit(url)
        _ = parts.port  # a port that is no number shows here
    except ValueError as error:
        raise UnusableEndpoint(f"The base URL cannot be read: {error}.") from None
    return parts
