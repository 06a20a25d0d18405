"""Who is served next: no process runs here, so that the order itself can be asserted."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from parlour.faces.web.workers.fair_queue import Claim, FairQueue, Priority

SIZE = 8
MOVE, QUESTION, BACKGROUND = Priority


def claim(address: str, client: str = "", priority: Priority = QUESTION) -> Claim:
    return Claim(address=address, client=client or address, priority=priority)


def serve(queue: FairQueue[Claim], running: list[Claim], most: int = 1000) -> list[Claim]:
    """Begin every task that may begin beside those that run, up to as many as there are workers."""
    begun = []
    while len(running) < SIZE and len(begun) < most and (order := queue.order(running, 1)):
        queue.note_turn(order[0])
        running.append(order[0])
        begun.append(order[0])
    return begun


def one_by_one(queue: FairQueue[Claim]) -> list[Claim]:
    """All tasks in the order of service, if each ends before the next begins."""
    found = []
    while order := queue.order([], 1):
        queue.note_turn(order[0])
        found.append(order[0])
    return found


def test_twenty_cookies_of_one_address_are_one_address() -> None:
    queue: FairQueue[Claim] = FairQueue(SIZE)
    for number in range(20):
        for _ in range(8):
            queue.append(claim("flood", f"cookie {number}"))
    queue.append(claim("visitor"))
    assert [task.address for task in one_by_one(queue)[:3]] == ["flood", "visitor", "flood"]


def test_within_an_address_cookies_take_turns() -> None:
    queue: FairQueue[Claim] = FairQueue(SIZE)
    for client in "aaaabc":
        queue.append(claim("school", client))
    assert "".join(task.client for task in one_by_one(queue)) == "abcaaa"


def test_twenty_addresses_that_solve_leave_workers_to_moves() -> None:
    queue: FairQueue[Claim] = FairQueue(SIZE)
    for number in range(20):
        for _ in range(8):
            queue.append(claim(f"10.0.0.{number}"))
    running: list[Claim] = []
    serve(queue, running)
    assert len(running) == 6
    assert len({task.address for task in running}) == 6
    move = claim("visitor", priority=MOVE)
    queue.append(move)
    assert serve(queue, running) == [move]


def test_moves_go_before_questions_and_those_before_the_background() -> None:
    queue: FairQueue[Claim] = FairQueue(SIZE)
    for priority in (BACKGROUND, QUESTION, MOVE, BACKGROUND, MOVE):
        queue.append(claim(f"{len(queue)}", priority=priority))
    begun = serve(queue, [])
    assert [task.priority for task in begun] == [MOVE, MOVE, QUESTION, BACKGROUND, BACKGROUND]


def test_the_questions_of_an_address_do_not_keep_its_own_bots_from_moving() -> None:
    queue: FairQueue[Claim] = FairQueue(SIZE)
    for number in range(30):
        queue.append(claim("school", f"child {number}"))
    running: list[Claim] = []
    serve(queue, running)
    assert len(running) == 4
    queue.append(claim("school", "child 0", MOVE))
    assert [task.priority for task in serve(queue, running)] == [MOVE]


def test_one_client_leaves_half_of_the_workers_and_more_of_them_in_the_background() -> None:
    for priority, most in ((MOVE, 4), (QUESTION, 3), (BACKGROUND, 2)):
        queue: FairQueue[Claim] = FairQueue(SIZE)
        for _ in range(SIZE):
            queue.append(claim("here", "greedy", priority))
        running: list[Claim] = []
        assert len(serve(queue, running)) == most
        queue.append(claim("elsewhere", "modest", priority))
        assert [task.client for task in serve(queue, running)] == ["modest"]


def test_background_tasks_of_all_clients_leave_half_of_the_workers() -> None:
    queue: FairQueue[Claim] = FairQueue(SIZE)
    for number in range(SIZE):
        queue.append(claim(f"10.0.0.{number}", priority=BACKGROUND))
    running: list[Claim] = []
    assert len(serve(queue, running)) == 4
    queue.append(claim("10.0.0.0"))
    assert [task.priority for task in serve(queue, running)] == [QUESTION]


TASKS = st.lists(
    st.tuples(st.sampled_from("abcd"), st.integers(0, 3), st.sampled_from(list(Priority))),
    max_size=60,
)


@given(TASKS, st.integers(1, 9))
def test_no_address_has_more_than_a_share_and_every_task_is_served(
    tasks: list[tuple[str, int, Priority]], size: int
) -> None:
    """Whatever waits: with an idle pool somebody is served, and no address fills a larger one."""
    queue: FairQueue[Claim] = FairQueue(size)
    for address, client, priority in tasks:
        queue.append(claim(address, f"{address} {client}", priority))
    begun = 0
    while len(queue):
        running = queue.order([], size)
        assert running
        for task in running:
            queue.note_turn(task)
        begun += len(running)
        for address in "abcd":
            ours = sum(task.address == address for task in running)
            assert ours <= max(1, size - size // 4)
        questions = sum(task.priority is not MOVE for task in running)
        assert questions <= size - size // 4
    assert begun == len(tasks)
