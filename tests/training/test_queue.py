"""The queue on disk: no job twice, none lost, and two engines never share one."""

import threading

import pytest

from archstudio.training.presence import Presence
from archstudio.training.queue import JobQueue


@pytest.fixture
def jobs(tmp_path):
    queue = JobQueue(tmp_path / "queue.sqlite3")
    yield queue
    queue.close()


def test_adding_the_same_job_again_changes_nothing(jobs) -> None:
    first = jobs.add("spec", "env", [0, 1], "run")
    jobs.claim("me")
    again = jobs.add("spec", "env", [1, 0, 2], "run")
    assert [job.id for job in again] == [first[1].id, first[0].id, first[0].id + 2]
    assert again[1].state == "running"
    assert len(jobs.all()) == 3
    jobs.add("spec", "another machine", [0], "other run")
    assert len(jobs.all()) == 4


def test_jobs_are_claimed_oldest_first_and_only_once(jobs, tmp_path) -> None:
    jobs.add("spec", "env", range(40), "run")
    other = JobQueue(tmp_path / "queue.sqlite3")
    claimed: list[int] = []

    def claim_all(queue: JobQueue, name: str) -> None:
        while job := queue.claim(name):
            claimed.append(job.seed)

    threads = [threading.Thread(target=claim_all, args=args) for args in ((jobs, "a"), (other, "b"))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    other.close()
    assert sorted(claimed) == list(range(40))
    assert jobs.claim("a") is None


def test_a_job_moves_only_from_where_it_is_expected(jobs) -> None:
    (job,) = jobs.add("spec", "env", [0], "run")
    assert not jobs.move(job.id, "paused", expected=["running"])
    jobs.claim("me")
    assert jobs.move(job.id, "failed", expected=["running"], error="why")
    failed = jobs.get(job.id)
    assert (failed.state, failed.error, failed.attempt) == ("failed", "why", 1)
    assert failed.started <= failed.finished
    assert jobs.move(job.id, "queued", expected=["failed"])
    again = jobs.claim("me")
    assert (again.attempt, again.error, again.finished) == (2, None, None)


def test_an_unknown_job_and_a_removed_run_are_gone(jobs) -> None:
    jobs.add("spec", "env", [0], "run")
    jobs.remove_run("run")
    assert jobs.of_run("run") == []
    with pytest.raises(KeyError):
        jobs.get(1)


def test_an_engine_is_alive_until_it_leaves(tmp_path) -> None:
    mine, other = Presence(tmp_path), Presence(tmp_path)
    assert mine.is_alive(mine.name)
    assert mine.is_alive(other.name)
    other.leave()
    assert not mine.is_alive(other.name)
    assert not mine.is_alive("12345-never")
    mine.leave()
    assert list((tmp_path / "engines").iterdir()) == []
