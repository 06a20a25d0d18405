"""The tool that brings the catalogue up to date, as a module."""

from __future__ import annotations

import importlib.util
import sys
from functools import cache
from pathlib import Path
from types import ModuleType

TOOL = Path(__file__).parents[2] / "tools" / "extract_texts.py"


@cache
def extract_texts() -> ModuleType:
    """Return the tool, loaded once."""
    spec = importlib.util.spec_from_file_location("extract_texts", TOOL)
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    sys.modules["extract_texts"] = module
    spec.loader.exec_module(module)
    return module
