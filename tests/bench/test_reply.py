"""Action lists are found in what models really answer."""

from typing import Any

import pytest

from archstudio.bench.reply import BadReply, parse_reply


@pytest.mark.parametrize(
    ("reply", "actions"),
    [
        ('{"actions": []}', []),
        ('  ```json\n{"actions": [1]}\n```  ', [1]),
        ('I set {"x": 1} first. {"plan": "}", "actions": [2]} Done {"y": 2}.', [2]),
        ('{"outer": {"actions": [1]}, "actions": [3]}', [3]),
        ('{"actions": [{"n": 64*2*2, "m": 2 + 3, "k": "a" "b": 1}]}', [{"n": 256, "m": 5, "k": "a", "b": 1}]),
        ('{"actions": [64 * 1.5, 3]}', [96, 3]),
        ('{"actions": ["1*2", {"note": "3*4, x"}]}', ["1*2", {"note": "3*4, x"}]),
    ],
)
def test_replies_that_can_be_read(reply: str, actions: list[Any]) -> None:
    assert parse_reply(reply) == actions


@pytest.mark.parametrize(
    ("reply", "starts", "category"),
    [
        ("I cannot help.", "no JSON object in reply", "parse-error"),
        ('{"actions": 5}', 'reply has no "actions" array', "parse-error"),
        ('{"steps": []}', 'reply has no "actions" array', "parse-error"),
        ('{"actions": [}', "bad JSON (", "other"),
        ('{"actions": [NaN]}', "bad JSON (", "other"),
        ('{"actions": [' + "[" * 100_000 + "]}", "bad JSON (", "other"),
        ('{"actions": [' + "9" * 5_000 + "]}", "bad JSON (", "other"),
    ],
)
def test_replies_that_cannot_be_read_say_why(reply: str, starts: str, category: str) -> None:
    with pytest.raises(BadReply) as bad:
        parse_reply(reply)
    assert bad.value.text.startswith(starts)
    assert bad.value.category == category
