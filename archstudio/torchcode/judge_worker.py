"""The judging process: `python -m archstudio.torchcode.judge_worker`, JSON lines on its standard streams."""

from __future__ import annotations

import argparse
import os
import queue
import sys
import threading
import traceback
from collections.abc import Sequence
from typing import BinaryIO

from archstudio.graph import from_document
from archstudio.torchcode.child_process import NotAMessage, claim_stdout, limit_memory, lower_priority, to_line
from archstudio.torchcode.judging.messages import Ask, Failed, Message, Ready, Unavailable, read_ask


def main(arguments: Sequence[str] | None = None) -> int:
    """Answer questions until standard input ends; returns the exit code."""
    options = _options(arguments)
    stream = claim_stdout()
    lower_priority()
    asked: queue.SimpleQueue[Ask] = queue.SimpleQueue()
    threading.Thread(target=_read, args=(sys.stdin.buffer, asked), name="questions", daemon=True).start()
    ready = _import_torch()
    _send(stream, ready)
    if isinstance(ready, Unavailable):
        return 0
    if options.memory_bytes is not None:
        limit_memory(options.memory_bytes)
    while True:
        _send(stream, _reply(_newest(asked)))


def _options(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="archstudio judge", description="Compare graphs with PyTorch.")
    parser.add_argument("--memory-bytes", type=int, default=None, help="bytes a comparison may take")
    return parser.parse_args(arguments)


def _send(stream: BinaryIO, message: Message) -> None:
    try:
        stream.write(to_line(message))
        stream.flush()
    except OSError:  # nobody listens any more
        os._exit(0)


def _read(stream: BinaryIO, asked: queue.SimpleQueue[Ask]) -> None:
    """Take questions; when the stream ends, the process that asks is gone, and so is this one, whatever it is doing."""
    for line in stream:
        try:
            asked.put(read_ask(line))
        except NotAMessage as fault:
            print(fault, file=sys.stderr, flush=True)
    os._exit(0)


def _newest(asked: queue.SimpleQueue[Ask]) -> Ask:
    """Wait for a question; of several that wait, only the last is wanted."""
    question = asked.get()
    while not asked.empty():
        question = asked.get()
    return question


def _import_torch() -> Ready | Unavailable:
    try:
        import torch
    except (ImportError, OSError) as reason:  # OSError: a library of it cannot be loaded
        return Unavailable(reason=f"{type(reason).__name__}: {reason}")
    torch.set_num_threads(1)
    torch.set_num_interop_threads(1)
    return Ready(torch=torch.__version__.split("+")[0])


def _reply(question: Ask) -> Message:
    """The answer; whatever goes wrong with one question, the process lives on for the next."""
    from archstudio.torchcode.judging.compare import compare

    try:
        return compare(from_document(question.document)).model_copy(update={"number": question.number})
    except MemoryError:
        return Failed(number=question.number, reason="there was not enough memory")
    except Exception as fault:
        print("".join(traceback.format_exception(fault)), file=sys.stderr, flush=True)
        return Failed(number=question.number, reason=f"{type(fault).__name__}: {fault}")


if __name__ == "__main__":
    sys.exit(main())
