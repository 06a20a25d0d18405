"""Solutions larger than memory: solved tier by tier into files, and looked up there.

`solve_on_disk` makes the files of a folder with any executor, and `open_solution` reads them.
`estimate` says beforehand how many positions a game has, and what that takes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from parlour._lazy import export

if TYPE_CHECKING:
    from parlour.truth.disk.blocks import Damaged
    from parlour.truth.disk.numbering import Family, describe_excess, estimate, write_bytes
    from parlour.truth.disk.schedule import dispatch, solve_on_disk
    from parlour.truth.disk.solution import DiskSolution, open_solution
    from parlour.truth.disk.storage import Folder, NoRoom
else:
    __getattr__ = export(__name__)
