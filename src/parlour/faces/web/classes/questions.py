"""Positions on everybody's screen: asked, answered, and told.

A question goes three steps: pupils answer and may change their mind; the teacher shows how many
answered what, and from then on nobody can answer; then the truth. What others answered is on no
page of a pupil before the second step.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import replace
from typing import Annotated, Any

from parlour.boards import ResultTable
from parlour.core import BadText, Game, State, say, values
from parlour.faces.web.classes.service import ClassService
from parlour.faces.web.errors import Changed, TooMany
from parlour.faces.web.position import read_move
from parlour.faces.web.requests import service
from parlour.faces.web.table import game_of
from parlour.store import Classroom, Pupil, PupilAnswer, Question, Store

MAX_QUESTIONS = 300  # of one class
SPREAD, TRUTH = "spread", "truth"
CLOSED = say("the answers have been shown; wait for the next position")


class Questions:
    """The positions that classes are asked about."""

    def __init__(self, store: Store, classes: ClassService) -> None:
        self._store = store
        self._classes = classes

    def ask(self, classroom: Classroom, game: Game, state: State) -> None:
        """Put a position on everybody's screen, in place of the one before."""
        if not game.moves(state):
            raise BadText(
                say("the game is over in this position; choose one in which somebody moves")
            )
        asked = len(self._store.questions.find(class_id=classroom.id))
        if asked >= MAX_QUESTIONS:
            raise TooMany(
                "this class has had {most}, the maximum; open a new class", most=MAX_QUESTIONS
            )
        question = Question(
            id=self._store.new_id(),
            class_id=classroom.id,
            number=asked + 1,
            game=game.name,
            options=values(game),
            position=game.write(state),
            asked=time.time(),
        )
        with self._store.transaction():
            self._store.questions.add(question)
            self._classes.change(classroom.id, lambda found: replace(found, question=question.id))

    def clear(self, classroom: Classroom) -> None:
        """Take the position from everybody's screen; what was answered is kept."""
        self._classes.change(classroom.id, lambda found: replace(found, question=""))

    def current(self, classroom: Classroom, number: int | None = None) -> Question:
        """Return the question on the screen; refuse what was sent about another one."""
        found = self._store.questions.get(classroom.question) if classroom.question else None
        if found is None or number not in (None, found.number):
            raise Changed(say("another position is on the screen now"))
        return found

    def answer(
        self, classroom: Classroom, pupil: Pupil, form: Mapping[str, str], number: int | None
    ) -> None:
        """Store what a pupil answers, in place of what they answered before."""
        question = self.current(classroom, number)
        if question.shown:
            raise Changed(CLOSED)
        game = game_of(question)
        state = game.read(question.position)
        move = game.write_move(read_move(game, state, form))
        answer = PupilAnswer(question.id, pupil.id, move, time.time())
        with self._store.transaction():
            self._store.class_answers.put(answer)
            self._classes.touch(classroom.id, pupil.id)

    def answered_moves(self, question: Question) -> list[str]:
        """List what was answered to a question, each once."""
        found = self._store.class_answers.find(question.id)
        return sorted({answer.move for answer in found})

    def show(
        self, classroom: Classroom, number: int | None, truth: Mapping[str, Any] | None = None
    ) -> Question:
        """Show everybody how many answered what or, with it, the truth."""

        def show(question: Question) -> Question:
            if truth is not None:
                return replace(question, shown=TRUTH, truth=truth)
            return replace(question, shown=question.shown or SPREAD)

        question = self.current(classroom, number)
        with self._store.transaction():
            stored = self._store.questions.update(question.id, show)
            self._store.classes.touch(classroom.id)
            self._classes.publish(classroom.id)
        return stored or question

    # Files

    def export(self, classroom: Classroom) -> dict[str, Any]:
        """Return all that is kept of the positions of a class and its pupils."""
        pupils = {each.id: each for each in self._classes.list_pupils(classroom.id)}
        questions = self._store.questions.find(class_id=classroom.id)
        return {
            "format": "parlour-class",
            "name": classroom.name,
            "opened": _write_time(classroom.opened),
            "deleted_on": classroom.ends,
            "pupils": [
                {"name": each.name, "joined": _write_time(each.joined)} for each in pupils.values()
            ],
            "questions": [
                {
                    "number": each.number,
                    "asked": _write_time(each.asked),
                    "game": each.game,
                    "options": dict(each.options),
                    "position": each.position,
                    "shown": each.shown,
                    "right": list(each.truth.get("right", ())),
                    "answers": [
                        {
                            "pupil": pupils[answer.pupil].name,
                            "move": answer.move,
                            "verdict": judgement_of(each, answer.move)["verdict"],
                            "answered": _write_time(answer.answered),
                        }
                        for answer in self._store.class_answers.find(each.id)
                        if answer.pupil in pupils
                    ],
                }
                for each in sorted(questions, key=lambda question: question.number)
            ],
        }

    def export_csv(self, classroom: Classroom) -> str:
        """Return a row for every answer; a pupil who answered nothing has an empty one."""
        document = self.export(classroom)
        head = ("pupil", "question", "game", "position", "answer", "verdict", "answered")
        rows = [
            [
                answer["pupil"],
                *(question[name] for name in ("number", "game", "position")),
                *(answer[name] for name in ("move", "verdict", "answered")),
            ]
            for question in document["questions"]
            for answer in question["answers"]
        ]
        silent = {pupil["name"] for pupil in document["pupils"]} - {row[0] for row in rows}
        rows += [[name, *6 * [""]] for name in sorted(silent)]
        return ResultTable(head, rows).to_csv()


def judgement_of(question: Question, move: str) -> Mapping[str, Any]:
    """Return what the truth says of an answer; its verdict is "right", "wrong" or nothing."""
    nothing = {"verdict": "", "sentences": (), "tells_line": False, "line": ()}
    return {**nothing, **question.truth.get("answers", {}).get(move, {})}


def _write_time(seconds: float) -> str:
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(seconds))


QuestionsDep = Annotated[Questions, service(Questions)]
