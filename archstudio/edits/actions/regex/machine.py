"""Runs a parsed pattern: a compiler to a few instructions and a backtracking machine that counts steps."""

from bisect import bisect_right
from dataclasses import dataclass
from enum import IntEnum
from typing import Any, TypeAlias

from archstudio.edits.actions.regex.syntax import PatternError, parse
from archstudio.edits.actions.regex.tree import (
    WORD,
    BackReference,
    Chars,
    Choice,
    Edge,
    Group,
    Look,
    Node,
    Ranges,
    Repeat,
    Sequence,
    merged,
)

MAX_PROGRAM = 4_000
SLOTS_A_STEP = 8


class Exhausted(Exception):
    """Matching needed more steps than were left."""


@dataclass
class Budget:
    """Steps that may still be spent, shared by every match of one list of actions.

    A step costs more in a pattern with many groups and loops, whose positions are copied; so steps bound memory too.
    """

    steps: int = 2_000_000

    def spend(self, steps: int) -> None:
        self.steps -= steps
        if self.steps < 0:
            raise Exhausted


class _Op(IntEnum):
    CHAR = 0  # range starts, range ends, step (+1 reads forward, -1 backward)
    SPLIT = 1  # preferred target, other target
    JUMP = 2  # target
    SAVE = 3  # slot: remember the position
    CLEAR = 4  # first slot, end slot: forget
    PROGRESS = 5  # slot: fail when the position has not moved since it was saved
    EDGE = 6  # kind
    LOOK = 7  # program, negated
    SAME = 8  # group, step
    MATCH = 9


Instruction: TypeAlias = tuple[Any, ...]
Slots: TypeAlias = tuple[int | None, ...]


class Pattern:
    """A compiled pattern; `test` searches anywhere in a text, as JavaScript's `RegExp.test` does."""

    def __init__(self, source: str) -> None:
        compiler = _Compiler(source)
        self.source = source
        self._program = compiler.program(parse(source), step=1)
        self._slots: Slots = (None,) * compiler.slot_count

    def test(self, text: str, budget: Budget) -> bool:
        """Whether some part of `text` matches; raises Exhausted when `budget` runs out first."""
        return any(_run(self._program, text, start, self._slots, budget) is not None for start in range(len(text) + 1))


class _Compiler:
    """Turns a tree into instructions; slots 2g and 2g+1 hold group g, later ones the positions of loops."""

    def __init__(self, source: str) -> None:
        self.source = source
        self.slot_count = 2 * (source.count("(") + 1)
        self.size = 0

    def program(self, node: Node, step: int) -> list[Instruction]:
        code: list[Instruction] = []
        self.emit(code, node, step)
        code.append((_Op.MATCH,))
        return code

    def add(self, code: list[Instruction], *instruction: Any) -> int:
        self.size += 1
        if self.size > MAX_PROGRAM:
            raise PatternError(self.source, "repeats too much")
        code.append(instruction)
        return len(code) - 1

    def emit(self, code: list[Instruction], node: Node, step: int) -> None:
        match node:
            case Chars(ranges):
                self.add(code, _Op.CHAR, *_columns(ranges), step)
            case Sequence(items):
                for item in items[::step]:
                    self.emit(code, item, step)
            case Choice(options):
                self.choice(code, options, step)
            case Repeat():
                self.repeat(code, node, step)
            case Group(index, inner):
                self.add(code, _Op.SAVE, 2 * index + (step < 0))
                self.emit(code, inner, step)
                self.add(code, _Op.SAVE, 2 * index + (step > 0))
            case Look(inner, ahead, negated):
                self.add(code, _Op.LOOK, self.program(inner, 1 if ahead else -1), negated)
            case BackReference(group):
                self.add(code, _Op.SAME, group, step)
            case Edge(kind):
                self.add(code, _Op.EDGE, kind)

    def choice(self, code: list[Instruction], options: tuple[Node, ...], step: int) -> None:
        ends = []
        for option in options[:-1]:
            split = self.add(code, _Op.SPLIT)
            self.emit(code, option, step)
            ends.append(self.add(code, _Op.JUMP))
            code[split] = (_Op.SPLIT, split + 1, len(code))
        self.emit(code, options[-1], step)
        for end in ends:
            code[end] = (_Op.JUMP, len(code))

    def repeat(self, code: list[Instruction], loop: Repeat, step: int) -> None:
        for _ in range(loop.low):
            self.once(code, loop, step)
        if loop.high is None:
            self.optional(code, loop, step, again=True)
            return
        splits = [self.optional(code, loop, step) for _ in range(loop.high - loop.low)]
        for split in splits:
            code[split] = _branch(split, len(code), loop.greedy)

    def optional(self, code: list[Instruction], loop: Repeat, step: int, again: bool = False) -> int:
        """One more round, or not; an optional round that matches the empty text is refused."""
        split = self.add(code, _Op.SPLIT)
        slot = self.slot_count
        self.slot_count += 1
        self.add(code, _Op.SAVE, slot)
        self.once(code, loop, step)
        self.add(code, _Op.PROGRESS, slot)
        if again:
            self.add(code, _Op.JUMP, split)
        code[split] = _branch(split, len(code), loop.greedy)
        return split

    def once(self, code: list[Instruction], loop: Repeat, step: int) -> None:
        first, end = loop.groups
        if first < end:
            self.add(code, _Op.CLEAR, 2 * first, 2 * end)
        self.emit(code, loop.node, step)


def _branch(split: int, skip: int, greedy: bool) -> Instruction:
    return (_Op.SPLIT, split + 1, skip) if greedy else (_Op.SPLIT, skip, split + 1)


def _run(program: list[Instruction], text: str, start: int, slots: Slots, budget: Budget) -> Slots | None:
    """The slots of the first match at `start`, or None."""
    waiting: list[tuple[int, int, Slots]] = [(0, start, slots)]
    cost = 1 + len(slots) // SLOTS_A_STEP
    while waiting:
        counter, at, slots = waiting.pop()
        while True:
            budget.spend(cost)
            instruction = program[counter]
            operation = instruction[0]
            if operation == _Op.MATCH:
                return slots
            if operation == _Op.SPLIT:
                waiting.append((instruction[2], at, slots))
                counter = instruction[1]
                continue
            if operation == _Op.JUMP:
                counter = instruction[1]
                continue
            moved = _step(instruction, text, at, slots, budget)
            if moved is None:
                break
            at, slots = moved
            counter += 1
    return None


def _step(instruction: Instruction, text: str, at: int, slots: Slots, budget: Budget) -> tuple[int, Slots] | None:
    """Position and slots after one instruction that does not branch, or None when it fails."""
    match instruction:
        case (_Op.CHAR, starts, ends, step):
            index = at if step > 0 else at - 1
            return (at + step, slots) if 0 <= index < len(text) and _within(text[index], starts, ends) else None
        case (_Op.SAVE, slot):
            return at, (*slots[:slot], at, *slots[slot + 1 :])
        case (_Op.CLEAR, first, end):
            return at, (*slots[:first], *(None for _ in range(first, end)), *slots[end:])
        case (_Op.PROGRESS, slot):
            return None if slots[slot] == at else (at, slots)
        case (_Op.EDGE, kind):
            return (at, slots) if _at_edge(kind, text, at) else None
        case (_Op.LOOK, program, negated):
            seen = _run(program, text, at, slots, budget)
            return None if (seen is None) != negated else (at, slots if seen is None else seen)
        case (_Op.SAME, group, step):
            return _repeated(text, at, slots[2 * group], slots[2 * group + 1], step, slots)
    raise AssertionError(instruction)


def _repeated(
    text: str, at: int, start: int | None, end: int | None, step: int, slots: Slots
) -> tuple[int, Slots] | None:
    if start is None or end is None:
        return at, slots
    captured = text[start:end]
    begin = at if step > 0 else at - len(captured)
    if begin < 0 or text[begin : begin + len(captured)] != captured:
        return None
    return at + step * len(captured), slots


def _columns(ranges: Ranges) -> tuple[str, str]:
    """Starts and ends of the merged ranges, as two texts to bisect in."""
    ordered = merged(ranges)
    return "".join(low for low, _ in ordered), "".join(high for _, high in ordered)


_WORD = _columns(WORD)


def _within(char: str, starts: str, ends: str) -> bool:
    place = bisect_right(starts, char) - 1
    return place >= 0 and char <= ends[place]


def _at_edge(kind: str, text: str, at: int) -> bool:
    if kind == "start":
        return at == 0
    if kind == "end":
        return at == len(text)
    before = at > 0 and _within(text[at - 1], *_WORD)
    after = at < len(text) and _within(text[at], *_WORD)
    return (before != after) == (kind == "boundary")
