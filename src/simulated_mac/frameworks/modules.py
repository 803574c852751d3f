"""The stand-in modules, filled from the facts: what Python code imports on the simulated Mac."""

from __future__ import annotations

import functools
import json
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

from simulated_mac.bridge import extern
from simulated_mac.calling import Function
from simulated_mac.frameworks import appkit, foundation, panels, workspace
from simulated_mac.frameworks.accessibility import Accessibility
from simulated_mac.frameworks.calls import Calls
from simulated_mac.frameworks.cg_displays import Displays
from simulated_mac.frameworks.cg_event_source import EventSources
from simulated_mac.frameworks.cg_events import Events
from simulated_mac.frameworks.cg_windows import WindowList
from simulated_mac.frameworks.core_foundation import CoreFoundation
from simulated_mac.frameworks.event_taps import EventTaps
from simulated_mac.frameworks.hitoolbox import HIToolbox
from simulated_mac.frameworks.objc_classes import NSObject, shown
from simulated_mac.frameworks.objc_module import Objc
from simulated_mac.frameworks.observers import Observers
from simulated_mac.frameworks.responsibility import Responsibility
from simulated_mac.frameworks.run_loop import RunLoop
from simulated_mac.machine import Machine
from simulated_mac.structs import StructTypes

MODULES = ("AppKit", "ApplicationServices", "HIServices", "Quartz", "Foundation", "CoreFoundation")
FACTS = Path(__file__).parents[1] / "facts.json"

_CLASS_FILES = (appkit, foundation, panels, workspace)


class Frameworks:
    """One machine's modules."""

    def __init__(self, machine: Machine, facts: dict[str, Any]) -> None:
        self._machine = machine
        self.facts = facts
        self.structs = StructTypes(facts["structs"])
        self.run_loop = RunLoop(machine)
        accessibility = Accessibility(machine, self.structs)
        self._calls = Calls(machine, accessibility)
        self.classes = self._make_classes()
        self._private = (HIToolbox(machine), accessibility, Responsibility(machine))
        self._providers = (
            accessibility,
            CoreFoundation(),
            self.run_loop,
            Observers(machine),
            Events(machine),
            EventSources(machine),
            EventTaps(machine),
            WindowList(machine),
            Displays(machine),
            foundation.FoundationFunctions(),
            appkit.AppKitFunctions(),
            panels.DrawingFunctions(self.classes),
        )
        self.functions = {
            name: self._function(name, fact, self._providers) for name, fact in facts["functions"].items()
        }

    def _make_classes(self) -> dict[str, Any]:
        classes: dict[str, Any] = {"run loop": self.run_loop, "structs": self.structs}
        stand_ins = {NSObject, *(v for f in _CLASS_FILES for v in vars(f).values() if _is_stand_in(v))}
        for stand_in in stand_ins:
            made = shown(stand_in, self.facts, self._machine, self._calls)
            made.classes = classes
            classes[stand_in.__name__] = made
        return classes

    def _function(self, name: str, fact: dict[str, Any], providers: tuple[Any, ...]) -> Function | None:
        """``None`` for a function that this Mac does not simulate."""
        behaviour = next((getattr(p, name) for p in providers if callable(getattr(p, name, None))), None)
        if behaviour is None:
            return None
        return Function(name, fact, self.structs, self._calls.function(name, fact["result"], behaviour))

    # --- modules -----------------------------------------------------------------------------------------------

    def modules(self) -> dict[str, ModuleType]:
        made = {name: _Module(name, self._look_up(name)) for name in MODULES}
        variables = HIToolbox.variables
        objc = Objc(self.structs, lambda name, fact: self._function(name, fact, self._private), variables)
        names = {**objc.names(), "simulated_machine": self._machine}
        return {**made, "objc": _Module("objc", names.__getitem__)}

    def _look_up(self, module: str) -> Callable[[str], Any]:
        def look(name: str) -> Any:
            for section, value in (
                ("functions", self.functions.get),
                ("constants", self._constant),
                ("structs", self.structs.__getitem__),
                ("classes", self.classes.get),
            ):
                entry = self.facts[section].get(name)
                if entry is not None and module in entry["modules"]:
                    found = value(name)
                    if found is not None:
                        return found
            raise KeyError(name)

        return look

    def _constant(self, name: str) -> Any:
        fact = self.facts["constants"][name]
        if fact["kind"] == "extern":
            return extern(name)
        return fact["value"] if fact["kind"] != "expression" else None


class _Module(ModuleType):
    """Names are made when asked for; what is not there says so."""

    def __init__(self, name: str, look: Callable[[str], Any]) -> None:
        super().__init__(name, "A stand-in of the simulated Mac.")
        self._look = look

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        try:
            return self._look(name)
        except KeyError:
            raise AttributeError(f"the simulated Mac has no {self.__name__}.{name}") from None


def _is_stand_in(value: Any) -> bool:
    return isinstance(value, type) and issubclass(value, NSObject)


@functools.cache  # a test may start thousands of Macs
def read_facts(path: Path = FACTS) -> dict[str, Any]:
    facts: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return facts


def install(machine: Machine, facts: dict[str, Any] | None = None) -> Frameworks:
    """Put the stand-ins where ``import AppKit`` finds them. A second call replaces the first, whose machine ends.

    Code that imported from the first keeps what it got: import it anew.
    """
    previous = getattr(sys.modules.get("objc"), "simulated_machine", None)
    if isinstance(previous, Machine):
        previous.close()
    frameworks = Frameworks(machine, facts or read_facts())
    sys.modules.update(frameworks.modules())
    return frameworks
