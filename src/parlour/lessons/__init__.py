"""What is taught from positions and lines: puzzles, studies, and what was played in a position.

A puzzle is a position in which few moves keep the value, found by exact values and graded. A study
is a tree of moves with comments, questions and what the proof says of them. An `Archive` is a file
in which every position of many Othello games is found at once; `situation` names a position of any
game so that a database can count it, and both give a `Tally` for every move.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from parlour._lazy import export

if TYPE_CHECKING:
    from parlour.lessons.archive import Archive, ArchiveGame, build_archive
    from parlour.lessons.files import (
        KINDS,
        MAX_FILE,
        StudyData,
        from_record,
        list_kinds,
        read_study,
        study_from_dict,
        study_to_dict,
        study_to_text,
        write_study,
    )
    from parlour.lessons.lesson import (
        accepted_moves,
        check_questions,
        judge_study_move,
        prove_node,
        prove_study,
    )
    from parlour.lessons.puzzle import LEVELS, AnswerVerdict, Puzzle, judge_answer
    from parlour.lessons.rating import MEAN, Strength, rate_person, rate_puzzle
    from parlour.lessons.schedule import Answered, add_answer, due_at, merge_answers
    from parlour.lessons.search import find_puzzles, make_puzzle
    from parlour.lessons.study import (
        ASKS,
        MAX_NODES,
        MAX_TITLE,
        Study,
        StudyNode,
        follow_moves,
        list_runs,
    )
    from parlour.lessons.tally import (
        Choice,
        MoveRow,
        OutcomeTally,
        Survey,
        Trap,
        add_up,
        find_trap,
        list_choices,
        situation,
        survey_position,
        tally_choices,
    )
else:
    __getattr__ = export(__name__)
