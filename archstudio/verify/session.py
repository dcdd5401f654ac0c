"""Keeps the verdict of one graph up to date: an edit re-evaluates what it touches, until wires stop changing."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from archstudio.graph import Change, ChangeKind, Graph, Node
from archstudio.layers import Problem, Value, find
from archstudio.verify.judging import UNKNOWN, Judging
from archstudio.verify.order import Evaluation, evaluation_order, names_nodes, users_of
from archstudio.verify.outcome import Outcome
from archstudio.verify.ports import input_order
from archstudio.verify.structure import Loops, find_loops
from archstudio.verify.verdict import NodeVerdict, Verdict

_STRUCTURAL = frozenset(
    {
        ChangeKind.NODE_ADDED,
        ChangeKind.NODE_REMOVED,
        ChangeKind.CONNECTION_ADDED,
        ChangeKind.CONNECTION_REMOVED,
        ChangeKind.CONNECTION_CHANGED,
    }
)


class Session:
    """Watches a graph and answers `verdict()`. Several sessions may watch one graph; `close` ends one."""

    def __init__(self, graph: Graph) -> None:
        self._graph = graph
        self._nodes: dict[str, NodeVerdict] = {}
        self._judging = Judging(graph, self._nodes)
        self._evaluation = Evaluation()
        self._loops = Loops()
        self._users: dict[str, list[str]] = {}
        self._read_by: list[tuple[int, ...] | None] = []
        self._dirty: set[str] = set(graph.node_ids)
        self._reorder = True
        self._erring: dict[str, tuple[Problem, ...]] = {}
        self._sums: list[int] | None = None
        self._last: Verdict | None = None
        self._unwatch: Callable[[], None] = graph.watch(self._changed)

    def close(self) -> None:
        """Stop watching."""
        self._unwatch()

    # ------------------------------------------------------------- listening

    def _changed(self, change: Change) -> None:
        if change.kind is ChangeKind.NODE_CHANGED:
            self._dirty.add(change.id)
            self._reorder = self._reorder or self._wiring_may_differ(self._graph.node(change.id))
        elif change.kind in _STRUCTURAL:
            self._reorder = True
            self._dirty.update((change.id, *change.nodes))
        elif change.kind is ChangeKind.META:
            self._dirty.update(self._depending_on(change.id))
        else:
            return
        self._last = None

    def _depending_on(self, key: str) -> Iterable[str]:
        """Nodes judged anew when a key of the graph's meta changes: all by the mode, inputs by the sizes of axes."""
        if key == "mode":
            return self._graph.node_ids
        return self._evaluation.inputs if key in ("batch", "sequence") else ()

    def _wiring_may_differ(self, node: Node) -> bool:
        """Whether another type, name or bypass can change who feeds whom, or what an input is used as."""
        entry = find(node.type)
        known = self._nodes.get(node.id)
        retyped = known is None or known.layer is None or type(known.layer) is not entry
        sharing = bool(self._evaluation.sharing) or (entry is not None and names_nodes(entry))
        return retyped or node.bypassed or sharing

    # ------------------------------------------------------------- answering

    @property
    def is_current(self) -> bool:
        """Whether nothing changed since the last verdict, so that the next one costs nothing."""
        return self._last is not None

    def verdict(self) -> Verdict:
        """What is true of the graph now."""
        if self._last is None:
            if self._reorder:
                self._restore_order()
            self._propagate()
            self._last = self._summary()
        return self._last

    def input_values(self, node_id: str) -> list[Value | None]:
        """What each input of a node carries, in the order of its inputs; None while unknown."""
        verdict = self.verdict()
        entry = find(self._graph.node(node_id).type)
        return [verdict.carried(c.id) for c in input_order(entry, self._graph.incoming(node_id))]

    def _summary(self) -> Verdict:
        erring = list(self._erring)
        if len(erring) > 1:
            place = {n: k for k, n in enumerate(self._graph.node_ids)}
            erring.sort(key=place.__getitem__)
        errors = tuple(problem for n in erring for problem in self._erring[n])
        parameters, buffers, macs = (None, None, None) if errors else self._totals()
        return Verdict(self._graph, self._nodes.copy(), self._evaluation.order, errors, parameters, buffers, macs)

    def _totals(self) -> list[int]:
        """Parameters, buffers and multiply–accumulates of all nodes: counted once, then kept by the differences."""
        if self._sums is None:
            outcomes = [v.outcome for v in self._nodes.values()]
            self._sums = [
                sum([int(o.parameters or 0) for o in outcomes]),
                sum([int(o.buffers or 0) for o in outcomes]),
                sum([int(o.macs or 0) for o in outcomes]),
            ]
        return self._sums

    # ------------------------------------------------------------ evaluating

    def _restore_order(self) -> None:
        """Order, loops and shared weights anew; what may be judged otherwise because of them becomes dirty."""
        before, self._evaluation = self._evaluation, evaluation_order(self._graph)
        self._users = users_of(self._evaluation.targets)
        self._read_by = [None] * len(self._evaluation.order)
        self._loops = find_loops(self._graph, self._evaluation)
        for gone in [n for n in self._nodes if n not in self._graph]:
            self._store(gone, None)
            self._judging.forget(gone)
        undeclared = (n for n in self._evaluation.inputs if self._graph.node(n).params.get("dtype") is None)
        self._dirty.update(undeclared, self._evaluation.sharing, before.stuck, self._evaluation.stuck)
        self._reorder = False

    def _propagate(self) -> None:
        """Judge the dirty nodes in order, those that read a wire which changed, and those that share weights."""
        order, place = self._evaluation.order, self._evaluation.place
        self._judging.begin(self._evaluation)
        if self._evaluation.stuck:
            self._judge_stuck()
        if place.keys() <= self._dirty:
            self._judge_all()
        else:
            marks = bytearray(len(order))
            for dirty in self._dirty & place.keys():
                marks[place[dirty]] = 1
            self._judge_marked(marks)
        self._dirty.clear()

    def _judge_stuck(self) -> None:
        """Judge the dirty nodes in loops and behind them, in file order."""
        for node in self._graph.nodes:
            if node.id in self._dirty and node.id in self._evaluation.stuck:
                self._store(node.id, self._judging.stuck(node, self._loops))

    def _judge_all(self) -> None:
        """Judge every node once: all that feeds a node comes before it."""
        known, judge, node = self._nodes, self._judging.judge, self._graph.node
        for node_id in self._evaluation.order:
            known[node_id] = judge(node(node_id))
        self._erring = {n: v.problems for n, v in known.items() if v.problems}
        self._sums = None

    def _judge_marked(self, marks: bytearray) -> None:
        """Judge the marked nodes, and mark those behind them that can see a difference."""
        known, judge, node, order = self._nodes, self._judging.judge, self._graph.node, self._evaluation.order
        at = marks.find(1)
        while at >= 0:
            node_id = order[at]
            old = known.get(node_id)
            new = judge(node(node_id))
            if new is not old:
                self._store(node_id, new)
                if old is None or not _looks_the_same(node_id, old, new):
                    for reader in self._readers(at):
                        marks[reader] = 1
                for user in self._users.get(node_id, ()):
                    if user in self._evaluation.place:
                        marks[self._evaluation.place[user]] = 1
            at = marks.find(1, at + 1)

    def _readers(self, at: int) -> tuple[int, ...]:
        """Places in the order of the nodes fed by the one at a place; looked up once for each wiring."""
        readers = self._read_by[at]
        if readers is None:
            place = self._evaluation.place
            wires = self._graph.outgoing(self._evaluation.order[at])
            readers = self._read_by[at] = tuple(place[w.target] for w in wires if w.target in place)
        return readers

    def _store(self, node_id: str, verdict: NodeVerdict | None) -> None:
        """Put a node's verdict in place of its old one, and keep the list of errors and the sums true.

        The sums are unknown while an error stands, which spares the many nodes behind it the arithmetic.
        """
        if verdict is None:
            old = self._nodes.pop(node_id, None)
        else:
            old = self._nodes.get(node_id)
            self._nodes[node_id] = verdict
        if verdict is not None and verdict.problems:
            self._erring[node_id] = verdict.problems
        elif self._erring:
            self._erring.pop(node_id, None)
        if self._erring:
            self._sums = None
        elif self._sums is not None:
            after = UNKNOWN if verdict is None else verdict.outcome
            _recount(self._sums, UNKNOWN if old is None else old.outcome, after)


def _recount(sums: list[int], old: Outcome, new: Outcome) -> None:
    """Take the old outcome's weights and costs out of the sums and the new one's in."""
    if old is not new:
        if old.parameters is not new.parameters:
            sums[0] += int(new.parameters or 0) - int(old.parameters or 0)
        if old.buffers is not new.buffers:
            sums[1] += int(new.buffers or 0) - int(old.buffers or 0)
        if old.macs is not new.macs:
            sums[2] += int(new.macs or 0) - int(old.macs or 0)


def check(graph: Graph) -> Verdict:
    """What is true of a graph, once."""
    session = Session(graph)
    try:
        return session.verdict()
    finally:
        session.close()


def _looks_the_same(node_id: str, old: NodeVerdict, new: NodeVerdict) -> bool:
    """Whether those behind a node can see no difference: equal values, or the same trouble."""
    before, after = old.outcome.value, new.outcome.value
    if after is None:
        return before is None and (old.waiting_for or (node_id,)) == (new.waiting_for or (node_id,))
    return before == after
