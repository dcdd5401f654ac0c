"""Writes curves as TensorBoard event files, so that runs can stand beside others there.

An event file is a sequence of records (length, checksum of it, content, checksum of it; the checksums are CRC-32C,
masked) whose contents are `Event` messages of protocol buffers: field 1 the time, 2 the step, 3 the file's version, 5 a
summary of values, each with tag (1) and number (2).    [tensorflow/core/util/event.proto, record_writer.h]
"""

from __future__ import annotations

import struct
from collections.abc import Iterable, Iterator
from pathlib import Path

from archstudio.files.atomic import save_atomic
from archstudio.training.store import StoredRun

_POLYNOMIAL = 0x82F63B78
"""Of CRC-32C (Castagnoli), bits reversed."""
_MASK = 0xA282EAD8
_VERSION = b"brain.Event:2"
_DIGITS = 12
"""Of a run's digest, in the name of its folder."""


def write_events(folder: Path, runs: Iterable[StoredRun]) -> list[Path]:
    """Write one event file for each seed that has values, in a folder named by run and seed; raises `SaveFailed`.

    Steps are samples seen. The clock starts at 0 with each seed: TensorBoard's *relative* time is the time trained.
    """
    written = []
    for run in runs:
        for seed in run.description.seeds:
            content = b"".join(_record(event) for event in _events(run, seed))
            if content:
                place = folder / f"{run.spec_sha256[:_DIGITS]}" / f"seed-{seed}"
                place.mkdir(parents=True, exist_ok=True)
                written.append(place / f"events.out.tfevents.0.{run.spec_sha256[:_DIGITS]}.{seed}")
                save_atomic(written[-1], content, backups=0)
    return written


def _events(run: StoredRun, seed: int) -> Iterator[bytes]:
    """The events of a seed in the order of time; none if nothing was measured."""
    files = run.seed(seed)
    rows = [
        (float(seconds), int(samples), metric, float(value))
        for metric in files.metric_names()
        for _, samples, seconds, value in files.series(metric).tolist()
    ]
    if rows:
        yield _double(1, 0.0) + _bytes(3, _VERSION)
    for seconds, samples, metric, value in sorted(rows):
        summary = _bytes(1, _bytes(1, metric.encode()) + _float(2, value))
        yield _double(1, seconds) + _whole(2, samples) + _bytes(5, summary)


def _record(content: bytes) -> bytes:
    length = struct.pack("<Q", len(content))
    return length + struct.pack("<I", _masked(length)) + content + struct.pack("<I", _masked(content))


def _masked(content: bytes) -> int:
    checksum = crc32c(content)
    return (((checksum >> 15) | (checksum << 17)) + _MASK) & 0xFFFFFFFF


def crc32c(content: bytes) -> int:
    """The CRC-32C checksum of some bytes.    [RFC 3720, appendix B.4]"""
    value = 0xFFFFFFFF
    for byte in content:
        value = _TABLE[(value ^ byte) & 0xFF] ^ (value >> 8)
    return value ^ 0xFFFFFFFF


def _table() -> tuple[int, ...]:
    made = []
    for value in range(256):
        for _ in range(8):
            value = (value >> 1) ^ (_POLYNOMIAL if value & 1 else 0)
        made.append(value)
    return tuple(made)


_TABLE = _table()


def _varint(value: int) -> bytes:
    made = bytearray()
    while value > 0x7F:
        made.append(value & 0x7F | 0x80)
        value >>= 7
    made.append(value)
    return bytes(made)


def _key(field: int, wire: int) -> bytes:
    return _varint(field << 3 | wire)


def _whole(field: int, value: int) -> bytes:
    return _key(field, 0) + _varint(value)


def _double(field: int, value: float) -> bytes:
    return _key(field, 1) + struct.pack("<d", value)


def _bytes(field: int, value: bytes) -> bytes:
    return _key(field, 2) + _varint(len(value)) + value


def _float(field: int, value: float) -> bytes:
    return _key(field, 5) + struct.pack("<f", value)
