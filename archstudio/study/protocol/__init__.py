"""A study as its researcher describes it: one JSON file and the texts it names, checked before anything is frozen."""

from archstudio.study.protocol.model import Protocol, read_protocol

__all__ = ["Protocol", "read_protocol"]
