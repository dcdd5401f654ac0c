"""Writes the fields of an event in few bytes: compact JSON, deflated with a dictionary of what edits are made of."""

from __future__ import annotations

import json
import zlib
from collections.abc import Mapping
from functools import cache
from typing import Any, Final

PLAIN, DEFLATED = b"\x00", b"\x01"
MOST_BYTES: Final = 16 * 1024 * 1024
"""Longest event that is read back."""

# What is likely stands last: deflate reaches it with the shortest distances. This text is part of the file format.
_DICTIONARY: Final = (
    b'"failures":["structural blocker: ","score  < min "," components < min ","params  > budget ","missing layer type '
    b'","categories":["low-score","shape-mismatch","too-shallow","missing-layer-type","connectivity","over-budget"],'
    b'"positionalEncoding","transformerBlock","groupedQueryAttention","multiHeadAttention","selfAttention",'
    b'"batchNorm1d","batchNorm2d","layerNorm","maxPool2d","avgPool2d","globalAvgPool2d","embedding","concatenate",'
    b'"dropout","softmax","sigmoid","gelu","tanh","flatten","reshape","lstm","gru","conv1d","conv2d","add","relu",'
    b'"linear","input","output","numEmbeddings":,"embeddingDim":,"normalizedShape":,"numFeatures":,"numHeads":,'
    b'"numKVHeads":,"embedDim":,"kernelSize":3,"stride":1,"padding":1,"inChannels":,"outChannels":,"bias":true,'
    b'"inFeatures":64,"outFeatures":128,"told":[],"problems":[],"runs":true,"brief":null,"why":"","score":,"params":,'
    b'"kv":0,"passed":true,"plan":[{"type":"delete_connection","fromName":"","toName":""},{"type":"add_connection",'
    b'"fromName":"","toName":""},{"type":"delete_component","name":""},{"type":"update_params","name":"","params":{}},'
    b'{"type":"add_component","componentType":"","name":"","afterName":"input","params":{}}],'
    b'{"e":{"kind":"move","positions":{"n1":[120.0,240.0]}}}{"e":{"kind":"set-meta","key":"","value":}}'
    b'{"e":{"kind":"change-node","node":{"id":"n","type":"linear","name":"fc","params":{},"meta":{"inferred":['
    b'"inFeatures"]},"extra":{}}}}{"e":{"kind":"remove-connection","id":"c"}},{"kind":"remove-node","id":"n"}'
    b'{"e":{"kind":"batch","label":"","edits":[{"kind":"change-connection","connection":{"id":"c1","source":"n1",'
    b'"target":"n2","source_port":null,"target_port":null,"extra":{}}},{"kind":"add-node","node":{"id":"n","type":"",'
    b'"name":"","params":{},"meta":{},"extra":{}},"index":null,"position":[0.0,0.0]},{"kind":"add-connection",'
    b'"connection":{"id":"c","source":"n","target":"n","source_port":null,"target_port":null,"extra":{}},"index":null}]}}'
)


class BadPayload(ValueError):
    """The bytes are no fields of an event."""


def encode(data: Mapping[str, Any]) -> bytes:
    """The bytes of an event's fields; none for no fields. NaN and infinities raise `ValueError`."""
    if not data:
        return b""
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"), allow_nan=False).encode()
    packer = _packer().copy()
    packed = packer.compress(text) + packer.flush()
    return DEFLATED + packed if len(packed) < len(text) else PLAIN + text


def decode(payload: bytes) -> dict[str, Any]:
    """What `encode` was given; raises `BadPayload`."""
    if not payload:
        return {}
    try:
        text = payload[1:] if payload[:1] == PLAIN else _unpacked(payload)
        data = json.loads(text)
    except (ValueError, RecursionError, zlib.error) as error:
        raise BadPayload(f"an event cannot be read: {error}") from error
    if not isinstance(data, dict):
        raise BadPayload("an event is no object")
    return data


def _unpacked(payload: bytes) -> bytes:
    if payload[:1] != DEFLATED:
        raise BadPayload(f"an event is written in an unknown form ({payload[0]})")
    unpacker = zlib.decompressobj(-15, zdict=_DICTIONARY)
    text = unpacker.decompress(payload[1:], MOST_BYTES)
    if not unpacker.eof:
        raise BadPayload("an event is too long or cut off")
    return text


@cache
def _packer() -> zlib._Compress:
    """A fresh compressor to copy: setting the dictionary up costs more than packing an event."""
    return zlib.compressobj(6, zlib.DEFLATED, -15, zdict=_DICTIONARY)
