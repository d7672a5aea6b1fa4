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
from collections.abc import Iterable, Iterator
from itertools import accumulate
from pathlib import Path
from typing import Any

_NAMES = {"win32": "toolparse.dll", "darwin": "libtoolparse.dylib"}
_SURROGATES = re.compile("[\ud800-\udfff]")
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
    text, size = ctypes.c_char_p, ctypes.c_size_t
    out = ctypes.POINTER(ctypes.c_size_t)
    for name, arguments in {
        "toolparse_call": [text, text, size, out],
        "toolparse_parse": [ctypes.c_int64, text, size, out],
        "toolparse_parse_special": [ctypes.c_int64, text, size, text, size, out],
        "toolparse_parse_many": [ctypes.c_int64, text, text, size, size, out],
        "toolparse_feed": [ctypes.c_int64, text, size, ctypes.c_int, out],
    }.items():
        function = getattr(lib, name)
        function.argtypes, function.restype = arguments, ctypes.c_void_p
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


def _unpickle(piece: bytes | memoryview) -> list[Any]:
    """The results in a pickle of the library, or its failure.

    A pickle is decoded in half of the time of JSON, and becomes instances at once. Texts in it are
    data, whatever a model wrote: each comes after its length.
    """
    if piece[:1] == b"{" and (failed := failure(json.loads(bytes(piece)))):
        raise failed
    made: list[Any] = pickle.loads(piece)
    return made


def parse(kit: int, data: bytes) -> Any:
    size = ctypes.c_size_t()
    return _unpickle(_take(_library().toolparse_parse(kit, data, len(data), ctypes.byref(size)), size))[0]


def parse_special(kit: int, data: bytes, ranges: Iterable[tuple[int, int]]) -> Any:
    places, size = array("q"), ctypes.c_size_t()
    try:
        for start, end in ranges:
            places.extend((start, end))
    except (TypeError, ValueError, OverflowError):
        raise TypeError("special: expected pairs of int, a start and an end") from None
    pointer = _library().toolparse_parse_special(kit, data, len(data), places.tobytes(), len(places) // 2, ctypes.byref(size))
    return _unpickle(_take(pointer, size))[0]


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


def parse_many(kit: int, texts: list[Any], first: int) -> Iterator[list[Any]]:
    """The results of some texts after the other. ``first`` is the number of the first text."""
    (data, ends), size = _joined(texts, first), ctypes.c_size_t()
    pointer = _library().toolparse_parse_many(kit, data, ends, len(texts), first, ctypes.byref(size))
    pieces, at = memoryview(_take(pointer, size)), 0
    while at < len(pieces):
        begin = at + 8
        at = begin + int.from_bytes(pieces[at:begin], "little")
        yield _unpickle(pieces[begin:at])


def feed(stream: int, data: bytes, end: bool) -> list[Any]:
    """The events and calls that come of a chunk. The last item is an ``Error`` if the stream has failed."""
    size = ctypes.c_size_t()
    made = _unpickle(_take(_library().toolparse_feed(stream, data, len(data), int(end), ctypes.byref(size)), size))
    if made and isinstance(made[-1], str):
        made[-1] = failure(json.loads(made[-1]))
    return made
