"""What to do about what runs but deserves a word."""

from __future__ import annotations

from collections.abc import Iterator

from archstudio.design.moves import put_in, set_meta, set_values, spelled, take_out
from archstudio.design.remedies.merging import one_input_like_the_other
from archstudio.design.site import Site, fixes
from archstudio.design.trial import Recipe
from archstudio.edits import AddConnection, AddNode, Batch, Edit
from archstudio.edits.compose import delete_nodes, new_node
from archstudio.graph import Connection, Graph
from archstudio.graph.walks import reachable
from archstudio.verify.advice.activations import COLLAPSES, TWICE_ACTIVATED
from archstudio.verify.advice.losses import SIGMOID_LOSS, SOFTMAX_LOSS
from archstudio.verify.advice.merging import BROADCAST
from archstudio.verify.advice.norms import BIAS_BEFORE_NORM, ONE_VALUE
from archstudio.verify.advice.structure import DEAD_END, NO_OUTPUT
from archstudio.verify.verdict import Verdict


@fixes(BIAS_BEFORE_NORM)
def without_bias(site: Site) -> Iterator[Recipe]:
    """The bias is cancelled: leave it out."""
    yield Recipe(f"{spelled(site.node, 'bias')} false", (set_values(site.id, bias=False),))


@fixes(SOFTMAX_LOSS, SIGMOID_LOSS)
def raw_scores(site: Site) -> Iterator[Recipe]:
    """Give the loss what comes before the probabilities."""
    if site.wire is not None:
        source = site.graph.node(site.wire.source)
        yield Recipe(f"Remove {source.name}", (take_out(source.id),))


@fixes(TWICE_ACTIVATED)
def one_activation(site: Site) -> Iterator[Recipe]:
    """Remove the one or the other."""
    yield Recipe(f"Remove {site.node.name}", (take_out(site.id),))
    if site.wire is not None:
        source = site.graph.node(site.wire.source)
        yield Recipe(f"Remove {source.name}", (take_out(source.id),))


@fixes(COLLAPSES)
def something_between(site: Site) -> Iterator[Recipe]:
    """Put an activation between the two."""
    if site.wire is not None:
        yield from (Recipe(f"Insert {kind}", (put_in(site.wire.id, kind),)) for kind in ("relu", "gelu"))


@fixes(DEAD_END)
def no_dead_end(site: Site) -> Iterator[Recipe]:
    """Make it a result, or remove it with all that leads nowhere else."""
    yield Recipe(f"Make {site.node.name} an output", (lambda graph, verdict: _to_output(graph, site.id),), far=1)

    def removed(graph: Graph, verdict: Verdict) -> Edit:
        outputs = [n.id for n in graph.nodes if n.type == "output"]
        useful = reachable(graph, outputs, backwards=True)
        feeding = reachable(graph, [site.id], backwards=True) - useful
        only_here = {n for n in feeding if reachable(graph, [n]) <= feeding}
        return delete_nodes(graph, only_here | {site.id}, heal=False)

    yield Recipe("Remove the dead end", (removed,))


@fixes(NO_OUTPUT)
def an_output(site: Site) -> Iterator[Recipe]:
    """Put an output behind the last layer that nothing reads."""
    loose = [n for n in site.graph.nodes if not site.graph.outgoing(n.id)]
    for node in reversed(loose[-3:]):
        move = (lambda graph, verdict, at=node.id: _to_output(graph, at),)
        yield Recipe(f"Output after {node.name}", move)


def _to_output(graph: Graph, node_id: str) -> Edit:
    node = new_node(graph, "output")
    return Batch((AddNode(node), AddConnection(Connection(graph.fresh_id("c"), node_id, node.id))), "Add output")


@fixes(BROADCAST)
def equal_shapes(site: Site) -> Iterator[Recipe]:
    """Bring one input to the shape of the other."""
    yield from one_input_like_the_other(site)


@fixes(ONE_VALUE)
def larger_batch(site: Site) -> Iterator[Recipe]:
    """With a batch of two there is something to take the variance of."""
    yield Recipe("Batch of 2", (set_meta("batch", 2),))
