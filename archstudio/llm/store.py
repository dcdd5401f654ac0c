"""Replies that were paid for, kept as JSON lines by the digest of what was asked, so that nothing is asked twice."""

import json
import os
import threading
from pathlib import Path
from typing import Final

from archstudio.files.atomic import saving
from archstudio.files.unusable import UnusableFile
from archstudio.llm.chat import ChatReply
from archstudio.llm.reading import Garbage, reply_from_json

REPLY_SCHEMA: Final = "archstudio.llm-reply/1"


class ReplyStore:
    """A file that is only appended to; a last line cut short by a crash is cut off. It holds no key and no address."""

    def __init__(self, path: Path) -> None:
        """Open or start the file. Raises UnusableFile where it holds something else, SaveFailed."""
        self._path, self._lock = path, threading.Lock()
        self._known: dict[str, ChatReply] = {}
        if path.exists():
            self._read()

    def __len__(self) -> int:
        return len(self._known)

    def get(self, digest: str) -> ChatReply | None:
        """The reply to the request of this digest."""
        return self._known.get(digest)

    def keep(self, digest: str, reply: ChatReply) -> None:
        """Append a reply, durably. Raises SaveFailed."""
        line = json.dumps({"schema": REPLY_SCHEMA, "digest": digest, **reply.as_json()}) + "\n"
        with self._lock, saving(self._path), self._path.open("ab") as stream:
            stream.write(line.encode())
            stream.flush()
            os.fsync(stream.fileno())
            self._known[digest] = reply

    def _read(self) -> None:
        whole = 0
        with self._path.open("rb") as stream:
            for number, line in enumerate(iter(stream.readline, b""), start=1):
                if not line.endswith(b"\n"):
                    break
                self._take(line, number)
                whole = stream.tell()
        with saving(self._path):
            os.truncate(self._path, whole)

    def _take(self, line: bytes, number: int) -> None:
        try:
            kept = json.loads(line)
            if not isinstance(kept, dict) or kept.get("schema") != REPLY_SCHEMA:
                raise Garbage("not a kept reply")
            self._known[str(kept["digest"])] = reply_from_json(kept)
        except (ValueError, KeyError, RecursionError) as error:
            raise UnusableFile(
                self._path.name,
                problem=f"holds something else than replies of models ({error})",
                place=f"line {number}",
                remedy="Choose another file.",
            ) from None
