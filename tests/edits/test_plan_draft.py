"""The plan's scratch paper: it knows what the benchmark's engine would do, and what is left to mend."""

from __future__ import annotations

from random import Random
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from archstudio.edits.actions import apply, hydrate
from archstudio.edits.plan_draft import Draft
from archstudio.edits.wiring import Add, Connect, Delete, Disconnect, Move, Sources, Wiring, mending, sources_of

NODES = "abcdef"
a_random = st.integers(0, 2**32).map(Random)
TYPES = {node: "add" if node in "ab" else "concatenate" for node in NODES}


def random_sources(random: Random, loops: bool = True) -> dict[str, Sources]:
    pairs = [(random.choice(NODES), random.choice(NODES)) for _ in range(random.randint(0, 12))]
    return sources_of(p for p in dict.fromkeys(pairs) if loops or p[0] != p[1])


def random_move(random: Random, present: list[str]) -> Move:
    a, b = random.choice(present), random.choice(present)
    new = next(x for x in "ghijklmnopq" if x not in present)
    return random.choice((Add(new, random.choice((a, None))), Delete(a), Connect(a, b), Disconnect(a, b)))


def as_action(move: Move) -> dict[str, Any]:
    match move:
        case Add(node, after):
            return {"type": "add_component", "componentType": "relu", "name": node, "afterName": after}
        case Delete(node):
            return {"type": "delete_component", "name": node}
        case Connect(source, target):
            return {"type": "add_connection", "fromName": source, "toName": target}
        case Disconnect(source, target):
            return {"type": "delete_connection", "fromName": source, "toName": target}


def keep_track(present: list[str], move: Move) -> None:
    if isinstance(move, Add):
        present.append(move.node)
    elif isinstance(move, Delete):
        present.remove(move.node)


@settings(max_examples=200, deadline=None)
@given(a_random)
def test_moves_do_to_wires_what_the_benchmark_does(random: Random) -> None:
    sources = random_sources(random, loops=False)
    components = [{"id": n, "type": "relu", "name": n} for n in NODES]
    connections = [{"from": s, "to": target} for target, feeding in sources.items() for s in feeding]
    model = hydrate({"name": "m", "components": components, "connections": connections})
    wiring, present = Wiring(sources), list(NODES)
    for _ in range(random.randint(1, 8)):
        move = random_move(random, present)
        if len(present) < 3 or (isinstance(move, Delete) and move.node in wiring.sources.get(move.node, ())):
            continue
        keep_track(present, move)
        wiring.make(move)
        model = apply(model, [as_action(move)]).model
    name = {c["id"]: c["name"] for c in model["components"]}
    assert {name[c["id"]]: tuple(name[i] for i in c["inputs"]) for c in model["components"] if c["inputs"]} == {
        target: feeding for target, feeding in wiring.sources.items() if feeding
    }


@settings(max_examples=200, deadline=None)
@given(a_random)
def test_what_is_left_to_mend_is_right_after_every_move_and_after_taking_it_back(random: Random) -> None:
    due = tuple(random.sample(NODES, random.randint(0, 3)))
    goal = {t: tuple(s for s in f if s not in due) for t, f in random_sources(random).items() if t not in due}
    wiring, present = Wiring(random_sources(random)), list(NODES)
    draft = Draft(wiring.copy(), goal, TYPES, due)
    for _ in range(random.randint(1, 6)):
        move = random_move(random, present)
        if isinstance(move, Delete):
            if move.node not in due[:1]:
                continue
            due = due[1:]
        before = draft.to_mend, draft.key, draft.cost
        mark = draft.make([move], done=(move.node,) if isinstance(move, Delete) else ())
        draft.take_back(mark)
        assert (draft.to_mend, draft.key, draft.cost) == before
        twin = draft.copy()
        for each in (draft, twin):
            each.make([move], done=(move.node,) if isinstance(move, Delete) else ())
        keep_track(present, move)
        wiring.make(move)
        fresh = Draft(wiring.copy(), goal, TYPES, due)
        assert draft.to_mend == twin.to_mend == fresh.to_mend
        assert draft.cost == len(draft.moves) + fresh.to_mend
        wanted = random_sources(random)
        draft.aim(wanted)
        goal = {**goal, **wanted}
        assert draft.to_mend == Draft(wiring.copy(), goal, TYPES, due).to_mend


@settings(max_examples=200, deadline=None)
@given(a_random)
def test_nodes_due_for_deletion_count_as_if_they_were_deleted_in_their_turn(random: Random) -> None:
    due = tuple(random.sample(NODES, 3))
    sources = random_sources(random, loops=False)
    goal = {t: tuple(s for s in f if s not in due) for t, f in random_sources(random).items() if t not in due}
    deleted = Wiring(sources)
    for node in due:
        deleted.make(Delete(node))
    assert Draft(Wiring(sources), goal, TYPES, due).to_mend == Draft(deleted, goal, TYPES, ()).to_mend


@settings(max_examples=300, deadline=None)
@given(st.lists(st.sampled_from("abcd"), max_size=5), st.lists(st.sampled_from("abcd"), max_size=5), st.booleans())
def test_mending_brings_the_wanted_sources(now: list[str], goal: list[str], any_order: bool) -> None:
    taken, drawn = mending(tuple(now), tuple(goal), any_order)
    mended = [s for s in now if s not in taken] + drawn
    once = list(dict.fromkeys(goal))
    if len(set(now)) == len(now) and len(once) == len(goal):
        assert (sorted(mended) if any_order else mended) == (sorted(goal) if any_order else goal)
    assert set(mended) == set(goal)
    assert not set(drawn) & {s for s in now if s not in taken}


def test_what_begins_as_wanted_stays() -> None:
    assert mending(("a", "x", "b"), ("a", "b", "c"), any_order=False) == (["x"], ["c"])
    assert mending(("b", "a"), ("a", "b"), any_order=False) == (["b"], ["b"])
    assert mending(("b", "a"), ("a", "b"), any_order=True) == ([], [])
    assert mending(("a", "a"), ("a",), any_order=True) == (["a"], ["a"])
    assert mending(("a", "a"), ("a", "a", "b"), any_order=False) == ([], ["b"])
