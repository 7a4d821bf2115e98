"""Start the supervisor from this file's path, without importing the package around it.

``python -m`` would first import the whole package, its dependencies and all, into a process that has to be
small and quick to start; so the modules beside this file are given a package of their own (and import each
other by relative names).
"""

import importlib
import sys
import types
from pathlib import Path

if __name__ == "__main__":
    package = types.ModuleType("embedded")
    package.__path__ = [str(Path(__file__).parent)]
    sys.modules["embedded"] = package
    importlib.import_module("embedded.supervisor").main(sys.argv[1:])
