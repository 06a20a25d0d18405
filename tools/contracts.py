"""The import-linter contract for public interfaces; pyproject.toml names it.

A module may import another package only through that package, never one of its modules, unless the
package exports the module itself as a namespace. Its own package, and the packages around it, are
home, and open.
"""

from __future__ import annotations

import importlib.util
import re
from pathlib import Path

from importlinter import Contract, ContractCheck, output


class PublicInterfaces(Contract):
    """Break on every import that reaches past a package's public interface."""

    def check(self, graph, verbose):
        """Collect the imports of private modules from other packages."""
        ours = {module for module in graph.modules if not graph.is_module_squashed(module)}
        packages = {module for module in ours if graph.find_children(module)}
        reaching = []
        for imported in sorted(ours - packages):
            package = imported.rpartition(".")[0]
            if not package or is_namespace(package, imported):
                continue
            for importer in sorted(graph.find_modules_that_directly_import(imported)):
                if importer != package and not importer.startswith(f"{package}."):
                    reaching.append((importer, imported))
        return ContractCheck(kept=not reaching, metadata={"reaching": reaching})

    def render_broken_contract(self, check):
        """Say which imports to change, and to what."""
        for importer, imported in check.metadata["reaching"]:
            package = imported.rpartition(".")[0]
            output.print_error(f"{importer} imports {imported}: import it from {package}")


def is_namespace(package: str, module: str) -> bool:
    """Say whether a package exports one of its modules whole."""
    spec = importlib.util.find_spec(package.partition(".")[0])
    root = Path(spec.origin).parent
    interface = root.joinpath(*package.split(".")[1:], "__init__.py").read_text(encoding="utf-8")
    leaf = module.rpartition(".")[2]
    imports = rf"from {re.escape(package)} import (\([^)]*|.*)\b{leaf}\b"
    return bool(re.search(imports, interface))
