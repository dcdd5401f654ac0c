"""The log of a session: append-only, hash-chained, durable. Everything else about the session is derived from it."""

from archstudio.study.log.chain import ChainReport, Fault, verify_chain
from archstudio.study.log.events import DURABLE, Event, EventKind
from archstudio.study.log.store import LogFailed, UnusableLog, read_events
from archstudio.study.log.writer import LogWriter, SessionBusy

__all__ = [
    "DURABLE",
    "ChainReport",
    "Event",
    "EventKind",
    "Fault",
    "LogFailed",
    "LogWriter",
    "SessionBusy",
    "UnusableLog",
    "read_events",
    "verify_chain",
]
