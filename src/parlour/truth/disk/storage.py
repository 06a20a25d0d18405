"""Where a solution lies: a folder of this machine, or any place that fsspec can reach by its URL.

A file is written whole or not at all, and never changed afterwards. Here files are memory-mapped;
elsewhere the bytes that are asked for are fetched.
"""

from __future__ import annotations

import contextlib
import errno
import mmap
import os
import re
import uuid
from collections import OrderedDict
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from parlour.core import BadFile, ParlourError, describe_error

FULL = (errno.ENOSPC, getattr(errno, "EDQUOT", errno.ENOSPC))
PART = ".part"  # how the name of a file ends that is not written to its end


class NoRoom(ParlourError):
    """A disk that is full."""


class Folder:
    """The files of a solution, by names with forward slashes."""

    def __init__(self, url: str | Path) -> None:
        self.url = str(url)
        self._remote: Any = None
        if re.match(r"[a-z][a-z0-9+.-]+(::|://)", self.url) and not self.url.startswith("file://"):
            self._remote, self._root = _connect(self.url)
        else:
            self.path = Path(self.url.removeprefix("file://")).expanduser().absolute()
            self.url = str(self.path)  # workers may have another working folder

    def read(self, name: str) -> bytes | None:
        """Return a whole file; None where there is none."""
        view = self.open(name)
        return None if view is None else bytes(view[0 : len(view)])

    def open(self, name: str) -> Any:
        """Return the bytes of a file, to be read by slices; None where there is none."""
        if self._remote is not None:
            path = f"{self._root}/{name}"
            with self._explaining("read", name):
                if not self._remote.exists(path):
                    return None
                return _Remote(self._remote, path, self._remote.size(path))
        try:
            with self._explaining("read", name), (self.path / name).open("rb") as file:
                if not os.fstat(file.fileno()).st_size:
                    return b""
                return mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        except FileNotFoundError:
            return None

    def write(self, name: str, data: bytes) -> None:
        """Write a file, all or nothing; `NoRoom` when the disk is full."""
        with self._explaining("write", name):
            if self._remote is not None:
                self._remote.makedirs(f"{self._root}/{name}".rpartition("/")[0], exist_ok=True)
                self._remote.pipe_file(f"{self._root}/{name}", data)
                return
            path = self.path / name
            partial = path.with_name(f".{path.name}.{uuid.uuid4().hex}{PART}")
            try:
                self._write_whole(partial, data)
                partial.replace(path)
            except BaseException:
                with contextlib.suppress(OSError):
                    partial.unlink()
                raise

    def _write_whole(self, path: Path, data: bytes) -> None:
        try:
            file = path.open("xb", buffering=0)
        except FileNotFoundError:
            path.parent.mkdir(parents=True, exist_ok=True)
            file = path.open("xb", buffering=0)
        with file:
            left = memoryview(data)
            while left:
                left = left[file.write(left) :]
            os.fsync(file.fileno())

    def names(self, folder: str = "") -> list[str]:
        """Return the names of all whole files in a folder below this one, sorted."""
        if self._remote is not None:
            place = f"{self._root}/{folder}".rstrip("/")
            with self._explaining("read", folder):
                self._remote.invalidate_cache()
                found = self._remote.find(place) if self._remote.exists(place) else []
            base = self._root.rstrip("/") + "/"
            return sorted(each.partition(base)[2] or each for each in found)
        top = self.path / folder
        found = [
            str(path.relative_to(self.path).as_posix())
            for path in (top.rglob("*") if top.is_dir() else ())
            if path.is_file() and not path.name.endswith(PART)
        ]
        return sorted(found)

    def remove(self, name: str) -> None:
        """Remove a file that may not be there."""
        with self._explaining("remove", name), contextlib.suppress(FileNotFoundError):
            if self._remote is not None:
                self._remote.rm_file(f"{self._root}/{name}")
            else:
                (self.path / name).unlink()

    def clean(self) -> None:
        """Remove what was left of files that were not written to their end."""
        if self._remote is None and self.path.is_dir():
            for path in self.path.rglob(f".*{PART}"):
                with contextlib.suppress(OSError):
                    path.unlink()

    @contextlib.contextmanager
    def _explaining(self, verb: str, name: str) -> Iterator[None]:
        try:
            yield
        except FileNotFoundError:
            raise
        except OSError as error:
            where = f"{self.url}/{name}".rstrip("/")
            if error.errno in FULL:
                raise NoRoom(
                    f"cannot write {where}: there is no room left; make some and start it again, "
                    "what is done is kept"
                ) from None
            raise BadFile(f"cannot {verb} {where}: {error.strerror or error}") from None
        except ParlourError:
            raise
        except Exception as error:  # the libraries behind fsspec have errors of their own
            raise BadFile(f"cannot {verb} {self.url}/{name}: {describe_error(error)}") from None


class _Remote:
    """A file behind fsspec."""

    def __init__(self, system: Any, path: str, size: int) -> None:
        self._system, self._path, self._size = system, path, size

    def __len__(self) -> int:
        return self._size

    def __getitem__(self, part: slice) -> bytes:
        start, stop, _ = part.indices(self._size)
        if stop <= start:
            return b""
        return bytes(self._system.cat_file(self._path, start=start, end=stop))


def _connect(url: str) -> tuple[Any, str]:
    try:
        from fsspec.core import url_to_fs
    except ImportError:
        raise ParlourError(
            f"{url} is not on this machine, and fsspec is not installed; pip install "
            "'parlour[disk]', or name a folder"
        ) from None
    try:
        system, root = url_to_fs(url)
    except (ImportError, ValueError, OSError) as error:
        raise ParlourError(f"cannot reach {url}: {describe_error(error)}") from None
    return system, str(root).rstrip("/")


class Cache:
    """Keeps what was used last, as long as all of it has a size of at most `room`."""

    def __init__(self, room: int, size: Callable[[Any], int]) -> None:
        self.room, self.size, self.taken = room, size, 0
        self._kept: OrderedDict[Any, Any] = OrderedDict()

    def get(self, name: Any, make: Callable[[], Any]) -> Any:
        """Return what is kept under a name, or else what `make` makes."""
        if name in self._kept:
            self._kept.move_to_end(name)
            return self._kept[name]
        found = self._kept[name] = make()
        self.taken += self.size(found)
        while self.taken > self.room and len(self._kept) > 1:
            _, old = self._kept.popitem(last=False)
            self.taken -= self.size(old)
        return found
