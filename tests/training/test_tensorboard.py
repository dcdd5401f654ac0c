"""Event files for TensorBoard: whole records, the values of the run, and the steps they belong to."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from archstudio.training.tensorboard import crc32c, write_events


def test_the_checksum_is_the_one_of_the_standard() -> None:
    assert crc32c(b"123456789") == 0xE3069283
    assert crc32c(bytes(32)) == 0x8A9136AA  # RFC 3720, B.4


@given(st.binary(max_size=50), st.integers(0, 399))
def test_a_changed_bit_changes_the_checksum(content: bytes, bit: int) -> None:
    changed = bytearray(content + b"!")
    changed[bit // 8 % len(changed)] ^= 1 << bit % 8
    assert crc32c(bytes(changed)) != crc32c(content + b"!")


def records(content: bytes) -> Iterator[bytes]:
    """The contents of an event file, every checksum checked."""

    def masked(part: bytes) -> int:
        value = crc32c(part)
        return ((value >> 15 | value << 17) + 0xA282EAD8) & 0xFFFFFFFF

    at = 0
    while at < len(content):
        (length,) = struct.unpack_from("<Q", content, at)
        assert struct.unpack_from("<I", content, at + 8)[0] == masked(content[at : at + 8])
        body = content[at + 12 : at + 12 + length]
        assert struct.unpack_from("<I", content, at + 12 + length)[0] == masked(body)
        yield body
        at += 16 + length


def fields(message: bytes) -> dict[int, Any]:
    """The fields of a message of protocol buffers, by number."""
    found: dict[int, Any] = {}
    at = 0

    def varint() -> int:
        nonlocal at
        value = shift = 0
        while True:
            byte = message[at]
            at += 1
            value |= (byte & 0x7F) << shift
            shift += 7
            if byte < 0x80:
                return value

    while at < len(message):
        key = varint()
        number, wire = key >> 3, key & 7
        if wire == 0:
            found[number] = varint()
        elif wire == 1:
            (found[number],) = struct.unpack_from("<d", message, at)
            at += 8
        elif wire == 2:
            size = varint()
            found[number] = message[at : at + size]
            at += size
        else:
            (found[number],) = struct.unpack_from("<f", message, at)
            at += 4
    return found


class Files:
    """One seed's metrics: (step, samples, seconds, value)."""

    def __init__(self, metrics: dict[str, list[tuple[int, int, float, float]]]) -> None:
        self._metrics = metrics

    def metric_names(self) -> list[str]:
        return list(self._metrics)

    def series(self, metric: str) -> Any:
        import numpy as np

        return np.array(self._metrics[metric], dtype=np.float64)


class Run:
    spec_sha256 = "ab" * 32

    class description:
        seeds = (0, 1)

    def seed(self, seed: int) -> Files:
        if seed == 1:
            return Files({})
        return Files({"train_loss": [(1, 32, 0.1, 2.5), (300, 9600, 0.2, 1.25)], "val_loss": [(300, 9600, 0.25, 1.5)]})


def test_values_come_back_with_their_steps(tmp_path: Path) -> None:
    (path,) = write_events(tmp_path, [Run()])  # type: ignore[list-item]
    assert path.relative_to(tmp_path).parts[:2] == ("abababababab", "seed-0")
    first, *events = map(fields, records(path.read_bytes()))
    assert first[3] == b"brain.Event:2"
    values = [(e[1], e[2], fields(fields(e[5])[1])) for e in events]
    assert [(time, step, value[1].decode(), value[2]) for time, step, value in values] == [
        (pytest.approx(0.1), 32, "train_loss", 2.5),
        (pytest.approx(0.2), 9600, "train_loss", 1.25),
        (pytest.approx(0.25), 9600, "val_loss", 1.5),
    ]


def test_the_same_run_gives_the_same_bytes(tmp_path: Path) -> None:
    one, other = (write_events(tmp_path / name, [Run()])[0].read_bytes() for name in "ab")  # type: ignore[list-item]
    assert one == other
