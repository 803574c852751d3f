"""The shape of `facts.json`: what each entry says about one name, and in which words."""

from typing import Any, Literal, NotRequired, TypedDict

Kind = Literal["class_methods", "instance_methods"]
KINDS: tuple[Kind, ...] = ("class_methods", "instance_methods")
Direction = Literal["in", "out", "inout"]


class Callback(TypedDict):
    """A function or block that is handed over: what it is called with, and what it must answer."""

    arguments: list[str]
    result: str
    block: bool
    retained: NotRequired[bool]
    """Kept by the callee: PyObjC then insists on `objc.callbackFor`."""


class Argument(TypedDict):
    """One argument, out arguments included: PyObjC wants them all, by position."""

    type: str
    """Objective-C type encoding (`i`, `^{__CFString=}`, `{CGPoint=dd}`)."""
    python: str
    """What Python passes, or for an out argument what it gets: `int`, `AXUIElementRef`, `CGPoint`, `object`."""
    direction: Direction
    name: NotRequired[str]
    length_in: NotRequired[int | list[int]]
    """A counted buffer: the index of the argument with its length (asked for, and filled in)."""
    nullable: NotRequired[bool]
    enum: NotRequired[str]
    """The enum of which a constant is meant; an `…Options`, `…Flags` or `…Mask` also takes several of them, or 0."""
    callback: NotRequired[Callback]


class Header(TypedDict):
    """What the SDK's headers add: macOS versions as `major.minor`; of a constant its own type, or the enum it is of."""

    introduced: NotRequired[str]
    deprecated: NotRequired[str]
    type: NotRequired[str]
    enum: NotRequired[str]


class Function(TypedDict):
    modules: list[str]
    """The modules that it can be imported from."""
    encoding: str
    arguments: list[Argument]
    result: str | list[str]
    """One word, or a list of words where PyObjC answers a tuple: the C result, then the out arguments."""
    variadic_count_in: NotRequired[int]
    """A C function with a counted tail: the index of the argument that says how long the tail is.

    The tail begins with the last of `arguments`.
    """
    hand_written: NotRequired[bool]
    """Called by C code of PyObjC's own, not by its metadata."""
    header: NotRequired[Header]


class Constant(TypedDict):
    modules: list[str]
    kind: Literal["enum", "literal", "extern", "expression"]
    """`extern`: the value is in Apple's binary and unknown here. `expression`: PyObjC works it out on the Mac."""
    value: NotRequired[int | float | str]
    type: NotRequired[str]
    header: NotRequired[Header]


class Struct(TypedDict):
    modules: list[str]
    encoding: str
    fields: list[str]
    types: list[str]


class Method(TypedDict):
    selector: str
    arguments: list[Argument]
    result: str | list[str]
    returns: str
    """The type in the header (`NSRunningApplication *`, `BOOL`, `instancetype`)."""
    property: NotRequired[str]
    """The property that this is the getter or setter of: in Python it is still a method, and has to be called."""
    nullable: NotRequired[bool]
    header: NotRequired[Header]


class Class(TypedDict):
    modules: list[str]
    super: str | None
    adopts: list[str]
    """The protocols that it follows, of those that stand in the file."""
    instance_methods: dict[str, Method]
    class_methods: dict[str, Method]


class Facts(TypedDict):
    """The whole file. Wheels tell everything but classes, names of arguments, `nullable`, `header`, `hand_written`."""

    about: str
    packages: dict[str, dict[str, str]]
    """PyObjC version → file name → sha256."""
    functions: dict[str, Function]
    constants: dict[str, Constant]
    structs: dict[str, Struct]
    types: dict[str, dict[str, Any]]
    """CoreFoundation types: name → modules, encoding and the class it is bridged to, if any."""
    classes: dict[str, Class]
    protocols: dict[str, Class]
    bridge: dict[str, dict[str, Any]]
    """Names of the `objc` module that the code uses."""
    unverified: dict[str, str]
    """Names that no package describes, loaded by hand in one file: name → why, and how it is called."""
