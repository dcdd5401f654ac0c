"""Known networks as templates for a document."""

import pytest

from archstudio.app.zoo import zoo_document, zoo_entries, zoo_entry, zoo_graph
from archstudio.bench.tasks import UnknownName


def test_entries_say_where_their_counts_are_from() -> None:
    for entry in zoo_entries():
        assert f"{entry.parameters:,}" in entry.source
        assert entry.title
        assert entry.note


def test_a_network_opens_as_a_document_without_a_file() -> None:
    document = zoo_document("resnet-18")
    assert document.path is None
    assert not document.modified
    assert document.title == "resnet-18"
    assert document.verdict.parameters == zoo_entry("resnet-18").parameters


def test_documents_of_one_network_do_not_share_a_graph() -> None:
    first = zoo_graph("lenet-5")
    first.rename("mine")
    assert zoo_graph("lenet-5").name == "lenet-5"


def test_an_unknown_network_is_named_with_those_there_are() -> None:
    with pytest.raises(UnknownName, match=r"no network 'resnet'.*resnet-18"):
        zoo_graph("resnet")
