"""One client for services of the OpenAI protocol: patient, bounded, counted, and never asking twice."""

from archstudio.llm.asking import Asker
from archstudio.llm.chat import ChatReply, ChatRequest, Message, Sampling, ToolCall, Usage
from archstudio.llm.client import AskFailed, Client, Limits, MissingExtra
from archstudio.llm.endpoint import Endpoint, UnusableEndpoint, endpoint_from
from archstudio.llm.ledger import Ledger, Prices
from archstudio.llm.retry import Backoff
from archstudio.llm.store import ReplyStore
from archstudio.llm.workers import in_threads

__all__ = [
    "AskFailed",
    "Asker",
    "Backoff",
    "ChatReply",
    "ChatRequest",
    "Client",
    "Endpoint",
    "Ledger",
    "Limits",
    "Message",
    "MissingExtra",
    "Prices",
    "ReplyStore",
    "Sampling",
    "ToolCall",
    "UnusableEndpoint",
    "Usage",
    "endpoint_from",
    "in_threads",
]
