"""Looks for what would tell the answers of a pack: named checks, each with the figure it was decided by."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import comb
from typing import Any, Final

from archstudio.intuition.candidates.source import candidate_sources
from archstudio.intuition.candidates.spec import CandidateSpec
from archstudio.intuition.packs.bake import AskedQuestion
from archstudio.intuition.packs.pack import Answer, Asked, QuestionPack, content_bytes
from archstudio.intuition.packs.unfold import asked_questions, choice_ids
from archstudio.intuition.records import checked

SMALLEST_P: Final = 0.01
"""A pack whose letters or order would come about by chance less often than this fails. One fair pack in a hundred does,
in each of the two checks."""
FEWEST_DIGITS: Final = 5
"""Significant digits from which on a result is searched for in the items: 0.5 may stand there for other reasons."""

_ANSWER_FIELD = re.compile(
    r"correct|answer|winn|runner|^mean|^std$|rank|reveal|result|summary|curve|score|^gap$|win_?rate|signific|^final|outcome"
    r"|best|label_?order|loss_?value|test_(mse|ce|accuracy)$",
    re.IGNORECASE,
)
_TELLING_NAME = re.compile(
    r"\b(?:set_\d+_|run_\d+q_|(?:sym|mvar|bg|stabcls)_[0-9a-f]{6}|c_[0-9a-f]{6})\w*"
    r"|[\w.-]+\.(?:png|jpe?g|svg|npz|pt|pth|json|ya?ml|csv)\b"
    r"|(?<![\w.])/(?:home|Users|tmp|var|mnt|root|opt)/\S+|\b[A-Za-z]:\\\\\S+"
)
_NUMBER = re.compile(r"(?<![\w.])\d+\.\d+(?:e[+-]?\d+)?(?![\w.]*\d)", re.IGNORECASE)
_OWN_TEXTS = frozenset({"prompt", "files"})


@dataclass(frozen=True)
class Check:
    """One check: whether it holds (None: it needs the key, and there is none), and in words what was found."""

    name: str
    holds: bool | None
    told: str


class _Looked:
    """A pack with what several checks look at."""

    def __init__(self, pack: QuestionPack) -> None:
        self.pack = pack

    @cached_property
    def text(self) -> str:
        """The items as they lie in the file."""
        return content_bytes(self.pack.items.as_json()).decode()

    @cached_property
    def asked(self) -> list[AskedQuestion]:
        """The questions with their ids elsewhere."""
        return asked_questions(self.pack)

    @cached_property
    def ids(self) -> list[dict[str, str]]:
        """The ids of each question's choices by letter."""
        return [choice_ids(question, self.pack.items.data[question.data]) for question in self.pack.questions]

    def answered(self) -> Iterator[tuple[Asked, Answer]]:
        """Questions beside their answers."""
        for question in self.pack.questions:
            yield question, (self.pack.answers or {})[question.id]


def check_pack(pack: QuestionPack) -> list[Check]:
    """Return all checks of a pack, in one order. Those that need the key hold None where it is not opened."""
    looked = _Looked(pack)
    made = []
    for name, (needs_key, look) in CHECKS.items():
        if needs_key and pack.answers is None:
            made.append(Check(name, None, "needs the key"))
            continue
        holds, told = look(looked)
        made.append(Check(name, holds, told))
    return made


def _no_answer_field(looked: _Looked) -> tuple[bool, str]:
    found = sorted({path for path in _fields(looked.pack.items.as_json(), "") if _ANSWER_FIELD.search(path[1])})
    if found:
        return False, f"{len(found)} fields may hold an answer, such as {found[0][0]}"
    return True, "no field of the items is called like an answer or a result"


def _fields(value: object, place: str) -> Iterator[tuple[str, str]]:
    """Paths and names of all fields; names of files are no fields."""
    if isinstance(value, dict):
        for name, inner in value.items():
            if not re.match(r"(data|q)_[0-9a-f]{16}$", name):
                yield f"{place}.{name}".lstrip("."), name
            if name not in _OWN_TEXTS:
                yield from _fields(inner, f"{place}.{name}")
    elif isinstance(value, list):
        for inner in value:
            yield from _fields(inner, f"{place}[]")


def _no_telling_names(looked: _Looked) -> tuple[bool, str]:
    found = sorted({match.group() for match in _TELLING_NAME.finditer(looked.text)})
    if found:
        return False, f"{len(found)} names or paths of elsewhere are in the items, such as {found[0]}"
    return True, "no id of a candidate, set, run or data set, no name of a result's file, no path"


def _winner_not_in_items(looked: _Looked) -> tuple[bool, str]:
    numbers, searched, found = set(_NUMBER.findall(looked.text)), 0, []
    for question, answer in looked.answered():
        names = {answer.source_id, answer.dataset_id, *answer.candidates.values()} - {question.data, question.id}
        written = {text for row in answer.ranked for value in (row.mean, row.std) for text in _spellings(value)}
        searched += len(names) + len(written)
        found += [name for name in names if name in looked.text] + sorted(written & numbers)
    if found:
        return False, f"{len(found)} of {searched} ids and results are in the items, such as {found[0]}"
    return True, f"none of {searched} ids and spellings of results is in the items"


def _spellings(value: float | None) -> Iterator[str]:
    """How a result may be written, where that is long enough to be no accident."""
    if value is None:
        return
    written = {repr(float(value)), *(f"{value:.{digits}f}" for digits in (5, 6, 8)), f"{value:.6g}", f"{value:.8g}"}
    yield from (text for text in written if len(re.sub(r"e.*|\D", "", text).lstrip("0")) >= FEWEST_DIGITS)


def _winner_positions(looked: _Looked) -> tuple[bool, str]:
    by_size: dict[int, Counter[str]] = defaultdict(Counter)
    for question, answer in looked.answered():
        by_size[len(question.choices)][answer.correct] += 1
    told, smallest = [], 1.0
    for size, counts in sorted(by_size.items()):
        letters = [chr(ord("A") + place) for place in range(size)]
        p = uniform_p([counts[letter] for letter in letters])
        smallest = min(smallest, p)
        told.append(f"{' '.join(f'{letter} {counts[letter]}' for letter in letters)} (p = {p:.3g})")
    p = min(1.0, smallest * len(by_size))
    return p >= SMALLEST_P, f"right letters {', '.join(told)}; exact binomial test, corrected for letters"


def uniform_p(counts: Sequence[int]) -> float:
    """Return how likely counts as uneven are if every place is equally likely.

    The smallest exact two-sided binomial p of any place, times their number (Bonferroni; for two places it is the
    binomial p itself).
    """
    places = len(counts)
    if places < 2:
        return 1.0
    smallest = min(_binomial_p(count, sum(counts), places) for count in counts)
    return smallest if places == 2 else min(1.0, places * smallest)


def _binomial_p(hits: int, trials: int, places: int) -> float:
    """The probability of all numbers of hits that are no likelier than this one, in whole numbers until the end."""
    weights = [comb(trials, k) * (places - 1) ** (trials - k) for k in range(trials + 1)]
    unlikely: int = sum(weight for weight in weights if weight <= weights[hits])
    total: int = places**trials
    return unlikely / total


def _order_independent(looked: _Looked) -> tuple[bool, str]:
    sizes, swapped = [], 0
    for question, answer in looked.answered():
        means = {row.letter: row.mean for row in answer.ranked}
        finite = [mean for letter in question.letters if (mean := means.get(letter)) is not None]
        if len(set(finite)) == len(finite) > 1:
            sizes.append(len(finite))
            swapped += sum(a > b for i, a in enumerate(finite) for b in finite[i + 1 :])
    p = inversions_p(sizes, swapped)
    most = sum(size * (size - 1) // 2 for size in sizes)
    told = f"{swapped} of {most} pairs of letters stand in the opposite order of their results"
    return p >= SMALLEST_P, f"{told} (p = {p:.3g}, exact permutation test)"


def inversions_p(sizes: Sequence[int], inversions: int) -> float:
    """Return how likely so few or so many inversions are in random permutations of these sizes, two-sided and exact.

    The number of permutations of n with k inversions is the coefficient of x^k in (1)(1 + x)…(1 + … + x^(n-1)).
    """
    counts = [1]
    for size in sizes:
        for width in range(2, size + 1):
            counts = _times_run(counts, width)
    total = sum(counts)
    below, above = sum(counts[: inversions + 1]), sum(counts[inversions:])
    return min(1.0, 2 * min(below, above) / total)


def _times_run(counts: Sequence[int], width: int) -> list[int]:
    """Multiply a polynomial by 1 + x + … + x^(width - 1)."""
    made = [0] * (len(counts) + width - 1)
    for place, count in enumerate(counts):
        for shift in range(width):
            made[place + shift] += count
    return made


def _no_candidate_twice(looked: _Looked) -> tuple[bool, str]:
    counts = Counter(name for ids in looked.ids for name in ids.values())
    twice = [name for name, count in counts.items() if count > 1]
    if twice:
        return False, f"{len(twice)} of {len(counts)} candidates occur more than once; the answers tell of each other"
    return True, f"{len(counts)} candidates, each once"


def _no_duplicate_setups(looked: _Looked) -> tuple[bool, str]:
    seen: dict[bytes, str] = {}
    same = []
    for number, question in enumerate(looked.pack.questions, 1):
        for choice in question.choices:
            setup = content_bytes(_setup(question, choice.as_json()))
            place = f"{number}{choice.letter}"
            if setup in seen:
                same.append(f"{seen[setup]} and {place}")
            seen.setdefault(setup, place)
    if same:
        return False, f"{len(same)} set-ups are there again on the same data: {', '.join(same[:3])}"
    return True, f"{len(seen)} set-ups, all different"


def _setup(question: Asked, choice: Mapping[str, Any]) -> dict[str, Any]:
    """What makes two choices the same, whatever their letters and the profiles they were made under are called."""
    spec = choice.get("spec")
    if spec is not None:
        return {"data": question.data, **{part: spec.get(part) for part in ("budget", "model", "optimizer", "loss")}}
    shown = {name: choice[name] for name in ("variant", "model_lines", "optimizer_lines", "loss_lines")}
    return {"data": question.data, "shared": [row.as_json() for row in question.shared], **shown}


def _code_is_generated(looked: _Looked) -> tuple[bool, str]:
    compared, others, without = 0, [], 0
    for number, question in enumerate(looked.asked, 1):
        for choice in question.detail.choices:
            content = choice.files.get("candidate_spec.json")
            if content is None:
                without += 1
                continue
            spec = checked(CandidateSpec, content, question.id)
            shown = {name: text for name, text in choice.files.items() if name.endswith(".py")}
            compared += 1
            if shown != candidate_sources(spec):
                others.append(f"{number}{choice.letter}")
    rest = f"; {without} choices have no spec to generate them from" if without else ""
    if others:
        named = ", ".join(others[:3])
        return False, f"{len(others)} of {compared} choices show other files than are generated: {named}{rest}"
    return True, f"the files of {compared} choices are those that are generated and run{rest}"


_Look = Callable[[_Looked], tuple[bool, str]]

CHECKS: Final[Mapping[str, tuple[bool, _Look]]] = {
    "no-answer-fields": (False, _no_answer_field),
    "no-telling-names": (False, _no_telling_names),
    "no-candidate-twice": (False, _no_candidate_twice),
    "no-duplicate-setups": (False, _no_duplicate_setups),
    "code-as-generated": (False, _code_is_generated),
    "answers-not-in-items": (True, _winner_not_in_items),
    "right-letters-uniform": (True, _winner_positions),
    "order-tells-nothing": (True, _order_independent),
}
"""Each check by name: whether it needs the key, and how it looks."""
