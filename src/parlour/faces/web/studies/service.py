"""The studies of this site: stored as they are written, changed by their owner alone.

Every change names the version of the study it was made on. If the study has changed since, in
another window perhaps, the change is refused, for the numbers of its nodes may mean others now.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from parlour.core import ParlourError, say
from parlour.faces.web.clients import Visitor
from parlour.faces.web.errors import MEANWHILE, Changed, NotYours, check_room, require
from parlour.faces.web.workers import WorkerPool
from parlour.lessons import Study, study_from_dict, study_to_dict
from parlour.store import Store, StoredStudy

MAX_STUDIES = 200  # of one person
MAX_LISTED = 100  # public ones on the page
LIMIT = 20.0  # seconds until a worker must have answered
WITHIN = 12.0  # seconds after which it begins no further proof


def study_of(stored: StoredStudy) -> Study:
    """Return a stored study; `ParlourError` if its game is not here any more."""
    return study_from_dict(
        {
            "title": stored.title,
            "game": stored.game,
            "options": stored.options,
            "position": stored.position,
            "nodes": list(stored.nodes),
        }
    )


def _written(study: Study) -> dict[str, Any]:
    """Return the fields of the model that hold a study."""
    return {name: value for name, value in study_to_dict(study).items() if name != "format"}


class StudyService:
    """The studies of this site."""

    def __init__(self, store: Store, workers: WorkerPool) -> None:
        self._store = store
        self._workers = workers

    def read(self, name: str) -> StoredStudy:
        """Return the study with this id."""
        return require(self._store.studies.get(name))

    def own(self, name: str, visitor: Visitor, version: int | None = None) -> StoredStudy:
        """Return a study to its author, if it is still in this version."""
        stored = self.read(name)
        if not visitor.owns(stored.owner):
            raise NotYours(say("only its author can change this study"))
        if version is not None and version != stored.version:
            raise Changed(MEANWHILE)
        return stored

    def list_of(self, owner: str) -> list[StoredStudy]:
        """List the studies of somebody, the latest first."""
        return self._store.studies.find(owner=owner) if owner else []

    def list_public(self) -> list[StoredStudy]:
        """List the studies that everybody may find, the latest first."""
        return self._store.studies.find(public=True, limit=MAX_LISTED)

    def create(self, visitor: Visitor, study: Study) -> StoredStudy:
        """Store a new study of somebody."""
        visitor.require_browser()
        check_room(len(self.list_of(visitor.owner)), MAX_STUDIES)
        new = StoredStudy(id=self._store.new_id(), owner=visitor.owner, **_written(study))
        return self._store.studies.add(new)

    def change(
        self,
        name: str,
        visitor: Visitor,
        version: int,
        edit: Callable[[Study], tuple[Study, int]],
        **fields: Any,
    ) -> int:
        """Store a change by the owner of a study, and return the node that it is about."""
        stored = self.own(name, visitor, version)
        study, at = edit(study_of(stored))
        if self._store.studies.put(replace(stored, **_written(study), **fields)) is None:
            raise Changed(MEANWHILE)
        return at

    def delete(self, name: str, visitor: Visitor) -> None:
        """Delete a study of one's own."""
        self.own(name, visitor)
        self._store.studies.remove(name)

    # Proofs

    async def prove(self, study: Study, which: Sequence[int], client: str) -> Study:
        """Return the study with what the proof says at these nodes, as far as time allows.

        Of a single node that cannot be proven, the reason is raised.
        """
        if not which:
            return study
        payload = {"study": study_to_dict(study), "which": which, "within": WITHIN}
        found = await self._workers.run("studies-prove", payload, LIMIT, client=client)
        nodes = list(study.nodes)
        for at, told in zip(which, found, strict=True):
            if told is not None:
                nodes[at] = replace(nodes[at], proof=tuple(told))
        return replace(study, nodes=tuple(nodes))

    async def prove_again(self, study: Study, client: str) -> Study:
        """Return a study from a file with its proofs worked out here: a file can claim anything."""
        which = [at for at, node in enumerate(study.nodes) if node.proof]
        bare = replace(study, nodes=tuple(replace(node, proof=()) for node in study.nodes))
        try:
            return await self.prove(bare, which, client)
        except ParlourError:
            return bare
