"""Studies: trees of moves with comments, what the proof says of them, and questions to readers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from parlour._lazy import export

if TYPE_CHECKING:
    from parlour.studies.files import (
        KINDS,
        MAX_FILE,
        from_record,
        list_kinds,
        read_study,
        study_from_dict,
        study_to_dict,
        write_study,
    )
    from parlour.studies.lesson import (
        StudyVerdict,
        accepted_moves,
        check_questions,
        judge_study_move,
        prove_node,
        prove_study,
    )
    from parlour.studies.print_text import list_runs, study_to_text
    from parlour.studies.tree import (
        ASKS,
        MAX_COMMENT,
        MAX_NODES,
        MAX_TITLE,
        Study,
        StudyNode,
        follow_moves,
    )
else:
    __getattr__ = export(__name__)
