"""The columns about people: numbers and choices as they are, free answers only where several people gave them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Final

from archstudio.study.export.columns import Column
from archstudio.study.records import Participant
from archstudio.study.redaction import Shared, system_of

_FREE: Final[Sequence[tuple[str, str, Callable[[Participant], str | None]]]] = (
    ("recruitment", "Where the person was found.", lambda p: p.recruitment),
    ("models_trained", "Models trained from scratch.", lambda p: p.expertise.models_trained),
    ("role", "Role at work.", lambda p: p.expertise.role),
    ("screening", "Result of the screening.", lambda p: p.screening),
    ("education", "Highest degree.", lambda p: p.education),
)
_RARE_NOTE: Final = " An answer that one person alone gave is written [rare]."


def participant_columns(people: Sequence[Participant]) -> Sequence[Column[Participant]]:
    """Columns for these people; which answers are rare depends on all of them."""
    return (
        Column("participant_id", "id", "Random id of the person; who that is stands nowhere here.", lambda p: p.id),
        Column("simulated", "boolean", "Whether a program and no person took part.", lambda p: p.simulated),
        Column("withdrawn", "boolean", "Whether the person took their data back.", lambda p: p.withdrawn),
        Column(
            "relation", "string", "Relation to the people who made the study.", lambda p: p.relation,
            levels=("author", "team", "colleague", "external"),
        ),
        Column("years_ml", "number", "Years of machine learning.", lambda p: p.expertise.years_ml, "years"),
        Column("years_pytorch", "number", "Years of PyTorch.", lambda p: p.expertise.years_pytorch, "years"),
        Column("self_rating", "integer", "Own rating of skill.", lambda p: p.expertise.self_rating, "1 to 5"),
        Column("ai_literacy", "integer", "Own rating of AI literacy.", lambda p: p.ai_literacy, "1 to 5"),
        *(_free(name, text, get, people) for name, text, get in _FREE),
        _many("domains", "Fields of work.", lambda p: p.expertise.domains, people),
        _many("languages", "Languages.", lambda p: p.languages, people),
        _many("prior_exposure", "Prior exposure, by benchmark.", lambda p: _pairs(p.prior_exposure.items()), people),
        _many("demographics", "Optional answers.", lambda p: _pairs(p.demographics.items()), people),
        Column("consent_version", "string", "Version of the consent.", lambda p: p.consent and p.consent.version),
        Column("consent_sha256", "string", "Digest of the consent.", lambda p: p.consent and p.consent.sha256),
        Column("consented_at", "datetime", "When it was given.", lambda p: p.consent and p.consent.agreed_at),
        Column("consented_to", "list", "Points agreed to.", lambda p: p.consent and p.consent.agreed_items),
        Column("os", "string", "Operating system.", lambda p: system_of(p.device.os)),
        Column("screen", "string", "Screen.", lambda p: p.device.screen, "pixels"),
        Column("scale", "number", "Scale of the screen.", lambda p: p.device.scale),
        Column("input", "string", "Pointing device.", lambda p: p.device.input),
        Column("qt", "string", "Version of Qt.", lambda p: p.device.qt),
        Column("python", "string", "Version of Python.", lambda p: p.device.python),
    )  # fmt: skip


def _free(
    name: str, text: str, get: Callable[[Participant], str | None], people: Iterable[Participant]
) -> Column[Participant]:
    shared = Shared(map(get, people))
    return Column(name, "string", text + _RARE_NOTE, lambda person: shared.shown(get(person)))


def _many(
    name: str, text: str, get: Callable[[Participant], Iterable[str]], people: Iterable[Participant]
) -> Column[Participant]:
    shared = Shared(answer for person in people for answer in get(person))
    return Column(name, "list", text + _RARE_NOTE, lambda person: [shared.shown(each) or "" for each in get(person)])


def _pairs(answers: Iterable[tuple[str, str]]) -> list[str]:
    return [f"{name}={answer}" for name, answer in answers]
