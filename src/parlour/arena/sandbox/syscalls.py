"""The system calls of Linux that Python does not offer, each under its own name.

A call that the kernel refuses raises an `OSError` that names it.
"""

# ruff: noqa: PTH123 - pathlib would take longer to load than all of this
from __future__ import annotations

import ctypes
import os
import signal
import struct
import sys
from typing import Any

assert sys.platform != "win32"  # nothing here is used there

LINUX = sys.platform == "linux"

# From the kernel's headers, the same on every architecture
MS_RDONLY, MS_NOSUID, MS_NODEV, MS_NOEXEC = 1, 2, 4, 8
MS_BIND, MS_REC, MS_PRIVATE = 1 << 12, 1 << 14, 1 << 18
CLONE_NEWUSER = 0x10000000
CLONE_NEWNS, CLONE_NEWCGROUP, CLONE_NEWUTS = 0x00020000, 0x02000000, 0x04000000
CLONE_NEWIPC, CLONE_NEWPID, CLONE_NEWNET = 0x08000000, 0x20000000, 0x40000000
PR_SET_PDEATHSIG, PR_SET_DUMPABLE, PR_SET_SECCOMP, PR_CAPBSET_DROP = 1, 4, 22, 24
PR_SET_CHILD_SUBREAPER, PR_SET_NO_NEW_PRIVS = 36, 38
MOUNT_SETATTR = 442

# What differs: the audit number of the architecture, pivot_root, and the column in DENIED
MACHINES = {"x86_64": (0xC000003E, 155, 0), "aarch64": (0xC00000B7, 41, 1)}
DENIED = {
    # memory that belongs to no process, and would not be counted
    "shmget": (29, 194),
    "msgget": (68, 186),
    "semget": (64, 190),
    "mq_open": (240, 180),
    "memfd_create": (319, 279),
    "memfd_secret": (447, 447),
    "io_uring_setup": (425, 425),
    # the keys of the user who runs the tournament
    "add_key": (248, 217),
    "request_key": (249, 218),
    "keyctl": (250, 219),
    # reaching into other processes
    "ptrace": (101, 117),
    "process_vm_writev": (311, 271),
    "pidfd_getfd": (438, 438),
    # what no bot needs and where security holes are often found
    "bpf": (321, 280),
    "perf_event_open": (298, 241),
    "userfaultfd": (323, 282),
}

# Socket families that a namespace contains: unix, IPv4, IPv6 and netlink. Others lead out of it, as
# vsock does from a virtual machine to its host.
SOCKET = (41, 198)
FAMILIES = (1, 2, 10, 16)

_LIBC = ctypes.CDLL(None, use_errno=True)


def _call(name: str, *arguments: Any) -> None:
    if getattr(_LIBC, name)(*arguments) < 0:
        number = ctypes.get_errno()
        raise OSError(number, f"{name} says {os.strerror(number)}")


def _syscall(*arguments: int | bytes) -> None:
    _call("syscall", *(ctypes.c_long(a) if isinstance(a, int) else a for a in arguments))


def _machine() -> tuple[int, int, int]:
    name = os.uname().machine
    if name not in MACHINES:
        raise OSError(0, f"{name} is not supported yet")
    return MACHINES[name]


def prctl(*arguments: int) -> None:
    """Change a setting of this process."""
    _call("prctl", *map(ctypes.c_ulong, (*arguments, 0, 0, 0, 0)[:5]))


def die_with_parent() -> None:
    """Have the kernel kill this process when its parent ends."""
    if LINUX:
        prctl(PR_SET_PDEATHSIG, signal.SIGKILL)


def unshare(namespaces: int) -> None:
    """Enter new namespaces; in a new user namespace, keep the user and group as they are."""
    user, group = os.geteuid(), os.getegid()
    _call("unshare", namespaces)
    if namespaces & CLONE_NEWUSER:
        write("/proc/self/setgroups", "deny")  # the kernel insists
        write("/proc/self/uid_map", f"{user} {user} 1")
        write("/proc/self/gid_map", f"{group} {group} 1")


def set_host_name(name: str) -> None:
    """Set the host name inside this namespace."""
    _call("sethostname", name.encode(), len(name))


def mount(source: str | None, path: str, kind: str | None, flags: int, data: str = "") -> None:
    """Mount a file system, or bind a part of one at another place."""
    texts = [None if text is None else text.encode() for text in (source, path, kind)]
    _call("mount", *texts, ctypes.c_ulong(flags), data.encode())


def restrict_mount(path: str, flags: int, *, recursive: bool) -> None:
    """Remove rights from a mount."""
    attributes = struct.pack("QQQQ", flags, 0, 0, 0)
    how = 0x8000 if recursive else 0  # AT_RECURSIVE
    _syscall(MOUNT_SETATTR, -100, path.encode(), how, attributes, len(attributes))


def pivot_root(new: str, old: str) -> None:
    """Make a mount the root, and move the old root to another place."""
    _syscall(_machine()[1], new.encode(), old.encode())


def unmount(path: str) -> None:
    """Remove a mount, with all below it."""
    _call("umount2", path.encode(), 2)  # MNT_DETACH


def drop_capabilities() -> None:
    """Drop every capability, also for programs that are started later."""
    with open("/proc/sys/kernel/cap_last_cap", encoding="ascii") as file:
        last = int(file.read())
    for capability in range(last + 1):
        prctl(PR_CAPBSET_DROP, capability)
    _call("capset", struct.pack("Ii", 0x20080522, 0), bytes(24))
    prctl(PR_SET_NO_NEW_PRIVS, 1)


def install_seccomp_filter() -> None:
    """Deny the calls in the table, and sockets of other families than those listed.

    The filter is a program of the kernel's packet filter (BPF).
    """
    architecture, _, column = _machine()
    load, equal, at_least, answer = 0x20, 0x15, 0x35, 0x06
    denial = (answer, 0, 0, 0x00050001)  # EPERM
    lines = [(load, 0, 0, 4), (equal, 1, 0, architecture), denial]
    lines += [(load, 0, 0, 0), (at_least, 0, 1, 0x40000000), denial]  # x32 calls
    for numbers in DENIED.values():
        lines += [(equal, 0, 1, numbers[column]), denial]
    many = len(FAMILIES)
    lines += [(equal, 0, many + 2, SOCKET[column]), (load, 0, 0, 16)]  # its first argument
    lines += [(equal, many - at, 0, family) for at, family in enumerate(FAMILIES)]
    lines += [(answer, 0, 0, 0x00050061)]  # EAFNOSUPPORT
    lines += [(answer, 0, 0, 0x7FFF0000)]  # everything else is allowed
    code = ctypes.create_string_buffer(b"".join(struct.pack("HBBI", *line) for line in lines))
    program = struct.pack("HP", len(lines), ctypes.addressof(code))
    held = ctypes.create_string_buffer(program)
    prctl(PR_SET_SECCOMP, 2, ctypes.addressof(held))


def write(path: str, text: str) -> None:
    """Write to a file of the kernel."""
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
