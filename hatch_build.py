"""Adds compiled kernels to a wheel for one platform; see tools/ship_kernels.py."""

from __future__ import annotations

import os
import sys
import sysconfig
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class ShippedKernels(BuildHookInterface):
    """Takes them from the folder that PARLOUR_COMPILED names; without it the wheel is for all."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Add the folder, and name the Python and the platform that the code is for."""
        folder = os.environ.get("PARLOUR_COMPILED")
        if not folder or version == "editable":
            return
        system = sysconfig.get_platform().replace("-", "_").replace(".", "_")
        system = system.replace("linux", "manylinux_2_17")  # it calls nothing of the C library
        build_data["force_include"][os.path.abspath(folder)] = "parlour/kernels/compiled"  # noqa: PTH100
        build_data["tag"] = f"cp{sys.version_info[0]}{sys.version_info[1]}-none-{system}"
        build_data["pure_python"] = False
