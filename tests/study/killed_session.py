"""Works on a session in a process of its own until it is killed, saying on standard output what was acknowledged.

`killed_session.py STUDY FOLDER SEED TRANSACTION`: goes on in the folder's unfinished session, or begins one. Lines are
`TRY token` before and `ACK token` after a durable event, `EDIT token ns` after an editing step was handed over, and
with TRANSACTION=1 `TX` in the middle of every transaction, which then takes its time.
"""

from __future__ import annotations

import random
import sqlite3
import sys
import time
from pathlib import Path

from archstudio.edits.primitives import SetMeta
from archstudio.study.log import store, writer
from archstudio.study.log.store import Head, Row
from archstudio.study.pack import StudyPack, open_study
from archstudio.study.session import GraphDesk, Session, Start, new_id, next_step

ANSWERS = {"relation": "external", "prior_exposure.arch-bench": "none", "prior_exposure.architectureiq": "none"}


def say(*words: object) -> None:
    sys.stdout.write(" ".join(map(str, words)) + "\n")
    sys.stdout.flush()


def slow_insert(connection: sqlite3.Connection, rows: list[Row], head: Head) -> None:
    """What `insert` does, with a pause where a kill hurts most."""
    connection.execute("BEGIN IMMEDIATE")
    connection.executemany("INSERT INTO event VALUES (?,?,?,?,?,?,?)", rows)
    say("TX")
    time.sleep(0.02)
    store.write_head(connection, head.events, head.last)
    connection.execute("COMMIT")


def opened(pack: StudyPack, folder: Path, number: int) -> Session:
    step = next_step(pack, folder, time.time_ns() // 1_000_000)
    if step.action == "resume" and step.earlier is not None:
        session = Session.resume(pack, step.earlier.path)
    else:
        session = Session.start(pack, folder, Start(new_id(), number))
    if session.stage == "consent":
        session.agree(pack.consent_points)
    if session.stage == "questionnaire":
        session.answer_questionnaire(ANSWERS)
    if session.stage == "tutorial":
        session.begin_items()
    return session


def work(session: Session, draws: random.Random) -> None:
    """Edit, flag, audit and at times submit, for as long as one lives."""
    step = 0
    while (desk := session.present()) is not None:
        if not desk.shown.time.running:
            session.painted()
        step += 1
        token = f"{session.state.resumes}.{session.state.events}.{step}"
        if not isinstance(desk, GraphDesk):
            say("TRY", token)
            desk.answer(desk.order[0], None, token)
            say("ACK", token)
        elif draws.random() < 0.7:
            desk.edited(SetMeta("token", token))
            say("EDIT", token, time.monotonic_ns())
        elif draws.random() < 0.9:
            say("TRY", token)
            session.flag(token)
            say("ACK", token)
        else:
            say("TRY", token)
            desk.submit(token)
            say("ACK", token)
    session.finish()
    session.close()


def main() -> None:
    study, folder, seed, transaction = sys.argv[1:]
    if transaction == "1":
        writer.insert = slow_insert
    pack = open_study(Path(study))
    draws = random.Random(int(seed))
    say("READY")
    while True:
        work(opened(pack, Path(folder), draws.randrange(1000)), draws)


main()
