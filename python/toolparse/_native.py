"""The Go library, called through ctypes. Nothing here is for users of the package."""

from __future__ import annotations

import ctypes
import json
import os
import pickle
import re
import sys
import threading
from array import array
from collections import deque
from collections.abc import Iterable, Iterator
from itertools import accumulate
from pathlib import Path
from typing import Any

_NAMES = {"win32": "toolparse.dll", "darwin": "libtoolparse.dylib"}
_SURROGATES = re.compile("[\ud800-\udfff]")
_CORES = os.cpu_count() or 1
_Memory = ctypes.c_ubyte * sys.maxsize  # for a view of memory that is not copied
_lock = threading.Lock()
_lib: ctypes.CDLL | None = None
_pid = 0


class Error(Exception):
    """What toolparse refuses, or cannot read.

    ``place`` says where in what was passed, if that is known, such as
    ``$.tools[2].function.name``.
    """

    def __init__(self, message: str, place: str | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.place = place

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.message, self.place)


class ForkError(Error, RuntimeError):
    """The library was used before this process was forked, and cannot be used in it."""


Error.__module__ = ForkError.__module__ = "toolparse"  # where users find them


def _load() -> ctypes.CDLL:
    lib = ctypes.CDLL(str(Path(__file__).parent / _NAMES.get(sys.platform, "libtoolparse.so")))
    text, size, handle = ctypes.c_char_p, ctypes.c_size_t, ctypes.c_int64
    out = ctypes.POINTER(ctypes.c_size_t)
    for name, arguments in {
        "toolparse_names": [out],
        "toolparse_call": [text, text, size, out],
        "toolparse_parse": [handle, text, size, text, size, out],
        "toolparse_begin": [handle, text, text, size, size],
        "toolparse_results": [handle, out],
        "toolparse_drop": [handle],
        "toolparse_feed": [handle, text, size, ctypes.c_int, out],
    }.items():
        function = getattr(lib, name)
        function.argtypes, function.restype = arguments, ctypes.c_void_p
    lib.toolparse_begin.restype = handle
    lib.toolparse_drop.restype = None
    lib.toolparse_free.argtypes, lib.toolparse_free.restype = [ctypes.c_void_p], None
    return lib


def usable() -> bool:
    """Whether the library is loaded, and by this process."""
    return _lib is not None and _pid == os.getpid()


def _library() -> ctypes.CDLL:
    global _lib, _pid
    if _lib is None:
        with _lock:
            if _lib is None:
                _pid, _lib = os.getpid(), _load()
    if _pid != os.getpid():
        # The threads of Go's runtime are not in a forked process: a call would wait for them forever.
        raise ForkError(
            "toolparse was used before this process was forked: use it first in the child,"
            " or start processes with the method 'spawn' or 'forkserver'"
        )
    return _lib


# A lock that another thread held when the process was forked would never be released in the child.
if hasattr(os, "register_at_fork"):

    def _new_lock() -> None:
        global _lock
        _lock = threading.Lock()

    os.register_at_fork(after_in_child=_new_lock)


def encode(text: str | bytes | bytearray | memoryview, name: str = "text") -> bytes:
    """UTF-8. A surrogate alone, which UTF-8 has no bytes for, becomes U+FFFD."""
    if isinstance(text, (bytes, bytearray, memoryview)):
        return bytes(text)
    if not isinstance(text, str):
        raise TypeError(f"{name}: expected str or bytes, not {type(text).__name__}")
    try:
        return text.encode()
    except UnicodeEncodeError:
        return _SURROGATES.sub("\ufffd", text).encode()


def _take(pointer: int, size: ctypes.c_size_t) -> bytes:
    try:
        return ctypes.string_at(pointer, size.value)
    finally:
        _library().toolparse_free(pointer)


def failure(answer: Any) -> Error | None:
    """The error that an answer of the library is, if it is one."""
    if isinstance(answer, dict) and "error" in answer:
        return Error(answer["error"], answer.get("place"))
    return None


def to_json(value: Any, name: str = "") -> str:
    """The value as JSON. ``name`` is what an error calls it."""
    try:
        return json.dumps(value, allow_nan=False)
    except (TypeError, ValueError, RecursionError) as error:  # bytes; an infinity, a cycle, a number of too many digits
        if isinstance(value, dict) and not name:
            for key, member in value.items():
                to_json(member, key)
        if isinstance(value, list) and name == "calls":
            for n, member in enumerate(value):
                to_json(member, f"calls[{n}]")
        message = f"{name}: not to be written as JSON: {error}".removeprefix(": ")
        if isinstance(error, TypeError):
            raise TypeError(message) from error
        raise Error(message, name or None) from error


def call(operation: str, value: Any) -> Any:
    data, size = to_json(value).encode(), ctypes.c_size_t()
    pointer = _library().toolparse_call(operation.encode(), data, len(data), ctypes.byref(size))
    answer = json.loads(_take(pointer, size))
    if error := failure(answer):
        raise error
    return answer["ok"]


class _Unpickler:
    """Makes results of pickles of the library.

    They are decoded in half of the time of JSON, and become instances at once. Texts in them are
    data, whatever a model wrote: each comes after its length.
    """

    def __init__(self, names: bytes) -> None:
        self._rest = memoryview(b"")
        file: Any = self  # its read gives views instead of copies, which the type of a file has no word for
        self._unpickler = pickle.Unpickler(file)
        self.load(names)  # which all others refer to: an unpickler remembers what it has loaded

    def load(self, piece: bytes | memoryview) -> list[Any]:
        self._rest = memoryview(piece)
        made: list[Any] = self._unpickler.load()
        return made

    def read(self, size: int) -> memoryview:
        """Take bytes for the unpickler, in whose place it asks for a file."""
        taken, self._rest = self._rest[:size], self._rest[size:]
        return taken

    def readline(self) -> bytes:
        raise EOFError  # all lines are in a frame, which is read as a whole


# Those that are not in use: code that runs in the middle of a load, in another thread or when an object
# is collected, takes another one.
_unpicklers: deque[_Unpickler] = deque(maxlen=16)


def _unpickle(piece: bytes | memoryview) -> list[Any]:
    """The results in a pickle of the library, or its failure."""
    if bytes(piece[:1]) == b"{" and (failed := failure(json.loads(bytes(piece)))):
        raise failed
    try:
        unpickler = _unpicklers.pop()
    except IndexError:
        size = ctypes.c_size_t()
        unpickler = _Unpickler(_take(_library().toolparse_names(ctypes.byref(size)), size))
    made = unpickler.load(piece)
    _unpicklers.append(unpickler)
    return made


def parse(kit: int, data: bytes, special: Iterable[tuple[int, int]] | None) -> Any:
    places, count, size = None, 0, ctypes.c_size_t()
    if special is not None:
        places, count = _places(special)
    pointer = _library().toolparse_parse(kit, data, len(data), places, count, ctypes.byref(size))
    return _unpickle(_take(pointer, size))[0]


def _places(ranges: Iterable[tuple[int, int]]) -> tuple[bytes, int]:
    places = array("q")
    try:
        for start, end in ranges:
            places.extend((start, end))
    except (TypeError, ValueError, OverflowError):
        raise TypeError("special: expected pairs of int, a start and an end") from None
    return places.tobytes(), len(places) // 2


def _joined(texts: list[Any], first: int) -> tuple[bytes, bytes]:
    """The texts, encoded, one behind the other, and where in that they end."""
    try:
        data = "".join(texts).encode()  # the fastest by far; bytes fail
        ends = array("Q", accumulate(map(len, texts)))
        if ends[-1] == len(data):  # all of them are ASCII
            return data, ends.tobytes()
    except (TypeError, UnicodeEncodeError):
        pass
    encoded = [encode(text, f"texts[{n}]") for n, text in enumerate(texts, first)]
    return b"".join(encoded), array("Q", accumulate(map(len, encoded))).tobytes()


def parse_many(kit: int, shares: Iterable[tuple[int, list[Any]]]) -> Iterator[list[Any]]:
    """The results of each share: texts, and the number of the first of them.

    Shares are read on all cores, while Python makes instances of the results of earlier ones.
    """
    library, begun, size = _library(), deque[int](), ctypes.c_size_t()

    def results() -> list[Any]:
        pointer = library.toolparse_results(begun[0], ctypes.byref(size))
        made = _unpickle(memoryview(_Memory.from_address(pointer))[: size.value])
        library.toolparse_drop(begun.popleft())
        return made

    try:
        for first, texts in shares:
            data, ends = _joined(texts, first)
            begun.append(library.toolparse_begin(kit, data, ends, len(texts), first))
            if len(begun) > _CORES:
                yield results()
        while begun:
            yield results()
    finally:
        for handle in begun:
            library.toolparse_drop(handle)


def feed(stream: int, data: bytes, end: bool) -> list[Any]:
    """The events and calls that come of a chunk. The last item is an ``Error`` if the stream has failed."""
    size = ctypes.c_size_t()
    made = _unpickle(_take(_library().toolparse_feed(stream, data, len(data), int(end), ctypes.byref(size)), size))
    if made and isinstance(made[-1], str):
        made[-1] = failure(json.loads(made[-1]))
    return made
