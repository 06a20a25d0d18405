"""`parlour compile` does everything once, and goes on where it was interrupted."""

import pytest

from parlour import kernels
from parlour.faces.cli import main


class Kernel:
    """What the command needs of a kernel."""

    module = "toy"

    def __init__(self, name, seconds, interrupted=False):
        self.name = name
        self.seconds = seconds
        self.is_kept_for_this_processor = False
        self._interrupted = interrupted

    def prepare(self, *, own):
        assert own
        if self._interrupted:
            self._interrupted = False
            raise KeyboardInterrupt
        assert not self.is_kept_for_this_processor
        self.is_kept_for_this_processor = True


@pytest.fixture
def toys(monkeypatch):
    made = [Kernel("slow", 6), Kernel("quick", 1), Kernel("broken_off", 3, interrupted=True)]
    monkeypatch.setattr(kernels, "list_kernels", lambda: made)
    return made


def test_what_is_done_is_kept_when_it_is_interrupted(toys, capsys):
    assert main(["compile"]) == 130
    assert [each.name for each in toys if each.is_kept_for_this_processor] == ["quick"]
    first = capsys.readouterr().out.splitlines()
    assert first == ["1 of 3 (0 %): toy.quick", "2 of 3 (10 %): toy.broken_off"]
    assert main(["compile"]) == 0
    second = capsys.readouterr().out.splitlines()
    assert second[:2] == ["1 of 2 (0 %): toy.broken_off", "2 of 2 (33 %): toy.slow"]
    assert second[2].startswith("2 functions compiled in")
    assert main(["compile"]) == 0
    assert capsys.readouterr().out.startswith("Everything is compiled already")
