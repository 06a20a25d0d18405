"""Work can be watched, stopped and interrupted, and never loses an error."""

import threading

import pytest

import parlour


def counting(work, most):
    """Counts up to a number, unless it is stopped."""
    work.cells[2] = most
    while work.done < most and not work.stopped:
        work.cells[1] += 1
    return work.done


def test_the_answer_comes_back():
    work = parlour.Work()
    assert work.run(lambda: counting(work, 1000)) == 1000
    assert (work.done, work.total, work.stopped) == (1000, 1000, False)


def test_it_can_be_stopped_from_another_thread():
    work = parlour.Work()
    threading.Timer(0.02, work.stop).start()
    assert work.run(lambda: counting(work, 10**12)) < 10**12


def test_the_watcher_may_interrupt_it_and_the_work_done_stays():
    work = parlour.Work()

    def press_ctrl_c(seen):
        if seen.done:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        work.run(lambda: counting(work, 10**12), watch=press_ctrl_c)
    assert work.stopped
    assert 0 < work.done < 10**12
    assert not any(thread.name == "parlour-work" for thread in threading.enumerate())


def test_ctrl_c_while_the_thread_is_being_started_leaves_no_thread(monkeypatch):
    start = threading.Thread.start

    def interrupted(thread):
        start(thread)
        raise KeyboardInterrupt

    monkeypatch.setattr(threading.Thread, "start", interrupted)
    work = parlour.Work()
    with pytest.raises(KeyboardInterrupt):
        work.run(lambda: counting(work, 10**12))
    assert work.stopped
    assert not any(thread.name == "parlour-work" for thread in threading.enumerate())


def test_an_error_in_the_work_is_raised_where_it_is_waited_for():
    def fail():
        raise RuntimeError("oh")

    with pytest.raises(RuntimeError, match="oh"):
        parlour.Work().run(fail)


def test_a_kernel_shares_the_cells():
    """Compiled playouts without the interpreter lock see the stop of another thread."""
    work = parlour.Work()
    game = parlour.game("nim")
    tally = work.run(
        lambda: parlour.playouts(game, 10**12, work=work),
        watch=lambda seen: seen.stop() if seen.done else None,
    )
    assert 0 < sum(tally.wins) == work.done < 10**12
    assert work.total == 10**12


def test_ctrl_c_does_not_wait_for_a_call_that_compiles():
    compiled = threading.Event()
    source = "def compile_it(): compiled.wait(60)"
    space = {"__name__": "numba.core.compiler", "compiled": compiled}
    exec(source, space)  # noqa: S102 - a function of another package
    work = parlour.Work()

    def watch(work):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        work.run(space["compile_it"], watch=watch)
    assert work.stopped
    assert not compiled.is_set()
    compiled.set()
