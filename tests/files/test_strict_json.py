"""Strict JSON: what a careless or hostile file may not do, and what our own files look like."""

import json
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from archstudio.files.limits import Limits
from archstudio.files.strict_json import canonical_json, dump_json, read_json
from archstudio.files.unusable import UnusableFile

scalars = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text()
values = st.recursive(scalars, lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner), max_leaves=20)


def refused(text, **limits):
    data = text if isinstance(text, bytes) else text.encode()
    with pytest.raises(UnusableFile) as caught:
        read_json(data, name="a.json", limits=Limits(**limits))
    assert str(caught.value).startswith("a.json")
    assert caught.value.remedy
    return caught.value


@given(values)
def test_what_is_written_is_read_back_the_same(value):
    assert read_json(dump_json(value).encode()) == value
    assert json.loads(canonical_json(value)) == value


def test_readable_json_keeps_key_order_and_short_lists_on_one_line():
    value = {"nodes": [{"id": "b", "shape": [1, 3, 32.5], "a": []}], "empty": {}, "long": ["x" * 60, "y" * 60]}
    assert dump_json(value) == (
        '{\n  "nodes": [\n    {\n      "id": "b",\n      "shape": [1, 3, 32.5],\n      "a": []\n    }\n  ],\n'
        f'  "empty": {{}},\n  "long": [\n    "{"x" * 60}",\n    "{"y" * 60}"\n  ]\n}}\n'
    )


@given(st.integers(min_value=-(2**53), max_value=2**53))
def test_the_canonical_form_does_not_tell_12_from_12_0(number):
    assert canonical_json({"b": [number], "a": 1}) == canonical_json({"a": 1.0, "b": [float(number)]})


def test_the_canonical_form_sorts_keys_and_has_no_spaces():
    assert canonical_json({"b": [12.0, -0.0, 0.5, True], "a": "×"}) == '{"a":"×","b":[12,0,0.5,true]}'


@pytest.mark.parametrize("value", [math.nan, math.inf, [-math.inf], {"a": math.nan}])
def test_numbers_that_are_not_finite_are_never_written(value):
    with pytest.raises(ValueError):
        dump_json(value)
    with pytest.raises(ValueError):
        canonical_json(value)


@pytest.mark.parametrize("value", [{1: 2}, {"a": {None: 1}}, {"a": object()}, {1, 2}])
def test_what_is_not_json_is_never_written(value):
    with pytest.raises(TypeError):
        dump_json(value)
    with pytest.raises(TypeError):
        canonical_json(value)


@pytest.mark.parametrize("literal", ["NaN", "Infinity", "-Infinity", "1e999", "-1.5E400"])
def test_a_number_that_is_not_finite_is_refused_with_its_place(literal):
    fault = refused('{"nodes": [\n  {"x": 1},\n  {"y": ' + literal + "}]}")
    assert fault.place == "line 3, column 9 ($.nodes[1].y)"
    assert fault.value == literal


def test_a_key_given_twice_is_refused_at_its_second_place():
    fault = refused('{"a": {"k": 1}, "b c": [{"k": 1,\n "\\u006b": 2}]}')
    assert fault.place == "line 2, column 2 ($['b c'][0].k)"
    assert "twice" in fault.problem


def test_the_same_key_in_different_objects_is_fine():
    assert read_json(b'[{"k": 1}, {"k": {"k": 2}}]') == [{"k": 1}, {"k": {"k": 2}}]


def test_nesting_is_allowed_up_to_the_limit_and_not_beyond():
    assert read_json(b"[" * 64 + b"]" * 64) is not None
    fault = refused("[" * 65 + "]" * 65)
    assert "64 deep" in fault.problem
    assert fault.place.startswith("line 1, column 65 ")


def test_a_hundred_thousand_open_brackets_are_refused_not_a_crash():
    assert "64 deep" in refused("[" * 100_000 + "]" * 100_000).problem


def test_brackets_inside_texts_do_not_count():
    text = json.dumps({"a": "[{," * 1000 + '"\\'})
    assert read_json(text.encode(), limits=Limits(depth=1, values=2)) == json.loads(text)


def test_a_file_longer_than_the_limit_is_refused(tmp_path):
    path = tmp_path / "long.json"
    path.write_bytes(b"[1, 2, 3]")
    assert read_json(path, limits=Limits(size_bytes=9)) == [1, 2, 3]
    with pytest.raises(UnusableFile, match=r"long\.json: is longer than the limit"):
        read_json(path, limits=Limits(size_bytes=8))


def test_too_many_values_are_refused_before_parsing():
    assert read_json(b"[1,2]", limits=Limits(values=3)) == [1, 2]
    assert "more than 3 values" in refused("[1,2,3", values=3).problem


def test_too_many_nodes_are_refused_where_the_surplus_begins():
    fault = refused('{"graph": {"nodes": [1, 2,\n3]}}', items={"nodes": 2})
    assert fault.problem == "holds more than 2 nodes"
    assert fault.place == "line 1, column 26 ($.graph.nodes[2])"
    assert read_json(b'{"nodes": [1, 2], "others": [1, 2, 3]}', limits=Limits(items={"nodes": 2}))


@pytest.mark.parametrize("key", ["components", "nodes", "frames", "notes"])
def test_every_list_of_a_graph_has_a_limit(key: str):
    most = Limits().items[key]
    assert refused(json.dumps({key: [1] * (most + 1)})).problem == f"holds more than {most:,} {key}"
    assert read_json(json.dumps({key: [1] * most}).encode())


def test_an_endless_integer_is_refused():
    assert "digits" in refused('{"a": ' + "9" * 5000 + "}").problem


def test_half_a_surrogate_pair_is_refused_because_it_could_not_be_saved():
    fault = refused('["\\ud83d\\ude00", {"\\ud83d": 1}]')
    assert fault.place.startswith("line 1, column 19 ")
    assert read_json(b'"\\ud83d\\ude00"') == "\N{GRINNING FACE}"


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("", "line 1, column 1"),
        ('{"a": 1,}', "line 1, column 9"),
        ("[1,\n 2", "line 2, column 3"),
        ("{'a': 1}", "line 1, column 2"),
        ("[1] 2", "line 1, column 5"),
    ],
)
def test_broken_json_is_refused_with_line_and_column(text, place):
    fault = refused(text)
    assert "not valid JSON" in fault.problem
    assert fault.place == place


def test_text_in_another_encoding_is_refused_with_the_byte():
    fault = refused('{"a":\n "é"}'.encode("latin-1"))
    assert (fault.place, fault.value) == ("line 2, byte 3", "0xe9")
    assert "UTF-8" in refused("{}".encode("utf-16")).problem


def test_a_byte_order_mark_is_tolerated():
    assert read_json(b"\xef\xbb\xbf{}") == {}


def test_a_missing_file_and_a_folder_are_said_plainly(tmp_path):
    with pytest.raises(UnusableFile, match="does not exist"):
        read_json(tmp_path / "none.json")
    with pytest.raises(UnusableFile, match="is a folder"):
        read_json(tmp_path)


def refused_with_words_or_read_back_the_same(data, limits):
    try:
        value = read_json(data, limits=limits)
    except UnusableFile as fault:
        return bool(str(fault))
    return read_json(dump_json(value).encode()) == value


@given(st.binary() | st.text().map(str.encode))
def test_no_bytes_whatever_raise_anything_but_unusable_file(data):
    assert refused_with_words_or_read_back_the_same(data, Limits())


pieces = st.sampled_from(["{", "}", "[", "]", ",", ":", '"a"', '"a"', '"\\ud800"', "1", "1e999", "NaN", " ", "\n"])


@given(st.lists(pieces, max_size=30).map("".join))
def test_no_jumble_of_json_pieces_raises_anything_but_unusable_file(text):
    assert refused_with_words_or_read_back_the_same(text.encode(), Limits(depth=3))
