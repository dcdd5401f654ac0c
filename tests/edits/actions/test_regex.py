"""Name patterns mean what they mean in JavaScript, and no pattern can hang the program."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from archstudio.edits.actions.regex import Budget, Exhausted, Pattern, PatternError


def found(pattern: str, text: str) -> bool:
    return Pattern(pattern).test(text, Budget())


@pytest.mark.parametrize(
    ("pattern", "text", "matches"),
    [
        ("^a$", "a\n", False),
        ("a\\Z", "a", False),
        ("\\Aa", "Aa", True),
        ("a{2", "a{2", True),
        ("a{,2}", "a{,2}", True),
        ("]", "]", True),
        ("[]", "a", False),
        ("[^]", "\n", True),
        (".", "\u2028", False),
        ("\\d", "٣", False),
        ("\\w", "é", False),
        ("\\s", "\ufeff", True),
        ("\\u{2}", "uu", True),
        ("\\1(a)", "a", True),
        ("(a)?b\\1c", "bc", True),
        ("(?<n>a)\\k<n>", "aa", True),
        ("\\k<n>", "k<n>", True),
        ("\\8", "8", True),
        ("\\101", "A", True),
        ("\\cJ", "\n", True),
        ("\\c1", "\\c1", True),
        ("[\\b]", "\b", True),
        ("[\\d-x]", "-", True),
        ("(?=a)*b", "b", True),
        ("(?<=a)b", "ab", True),
        ("(?<!a)b", "ab", False),
        ("(?<=(\\d)(\\d))x", "12x", True),
        ("(z)((a+)?(b+)?(c))*$", "zaacbbbcac", True),
        ("(?:a|ab)(?:c|bcd)$", "abcd", True),
        ("(a*)*b", "aaab", True),
        ("\\bfoo\\b", "a foo.", True),
        ("\\Boo", "foo", True),
        ("a??b", "ab", True),
        ("x{2,3}?$", "xxxx", True),
    ],
)
def test_javascript_decides_what_matches(pattern: str, text: str, matches: bool) -> None:
    assert found(pattern, text) is matches


@pytest.mark.parametrize(
    "pattern",
    ["[", "(", ")", "*a", "a**", "(?i)a", "(?P<x>a)", "a{2,1}", "{2}", "[b-a]", "\\", "^*", "\\b+", "(?<=a)*",
     "(?<a>x)(?<a>y)", "(?<a>x)\\k<b>", "(?<1>x)", "(?<a", "x|*"],
)  # fmt: skip
def test_javascript_refuses_these_patterns(pattern: str) -> None:
    with pytest.raises(PatternError) as refused:
        Pattern(pattern)
    assert refused.value.pattern == pattern
    assert refused.value.reason


@pytest.mark.parametrize("pattern", ["(a+)+$", "(a|a)*$", "(.*)*x", "(?:(?:a*)*)*$", "(?=(a+)+$)b", "((a|b)*)*\\2x"])
def test_exponential_patterns_run_out_of_steps_instead_of_time(pattern: str) -> None:
    with pytest.raises(Exhausted):
        Pattern(pattern).test("a" * 40 + "!", Budget(50_000))


@pytest.mark.parametrize("pattern", ["a{1000000}", "(?:a{100}){100}", "(" * 100 + ")" * 100, "x" * 3000])
def test_monstrous_patterns_are_refused(pattern: str) -> None:
    with pytest.raises(PatternError):
        Pattern(pattern)


_PIECES = st.sampled_from(
    ["a", "b", ".", "[ab]", "[^a]", "(a|b)", "(?:ab)", "a*", "b+?", "(?:a|b){1,2}", "(?=a)", "^", r"\b"]
)


@given(st.lists(_PIECES, max_size=6), st.text("abc_-", max_size=8))
def test_where_both_languages_agree_python_is_the_judge(pieces: list[str], text: str) -> None:
    pattern = "".join(pieces)
    assert found(pattern, text) == (re.search(pattern, text) is not None)
