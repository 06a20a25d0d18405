"""Puzzles: positions in which few moves keep the value, found by exact values and graded."""

from __future__ import annotations

from typing import TYPE_CHECKING

from parlour._lazy import export

if TYPE_CHECKING:
    from parlour.puzzles.answer import GIVEAWAYS, AnswerVerdict, judge_answer
    from parlour.puzzles.finding import find_puzzles, make_puzzle
    from parlour.puzzles.puzzle import LEVELS, Puzzle
    from parlour.puzzles.rating import MEAN, Strength, rate_person, rate_puzzle
    from parlour.puzzles.schedule import Answered, add_answer, due_at, merge_answers
else:
    __getattr__ = export(__name__)
