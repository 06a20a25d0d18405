"""Write the golden dialogues anew: the typed lines stay, Benedict's answers are asked for again.

    python tools/write_transcripts.py [FILE …]

Read what has changed before you keep it: a transcript is a promise of how he speaks.
"""

from __future__ import annotations

import sys
from pathlib import Path

from parlour.host import Session, reply

FOLDER = Path(__file__).parent.parent / "tests" / "transcripts" / "benedict"
SEED = 1


def dialogue(typed: list[str]) -> str:
    """What is said when these lines are typed, one after another."""
    session = Session(seed=SEED)
    parts = []
    for line in typed:
        answer = reply(session, line)
        session = answer.session
        parts.append(f"> {line}\n{answer}".rstrip())
    return "\n\n".join(parts) + "\n"


def split(text: str) -> tuple[str, list[str]]:
    """The comment at the head of a transcript, and the lines that are typed in it."""
    head = [line for line in text.splitlines() if line.startswith("#")]
    typed = [line[2:] for line in text.splitlines() if line.startswith("> ")]
    return "\n".join(head), typed


def main() -> None:
    """All transcripts, or those that are named."""
    for path in [Path(name) for name in sys.argv[1:]] or sorted(FOLDER.glob("*.txt")):
        head, typed = split(path.read_text(encoding="utf-8"))
        path.write_text(f"{head}\n\n{dialogue(typed)}", encoding="utf-8")


if __name__ == "__main__":
    main()
