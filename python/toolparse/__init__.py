"""Reads the tool calls of any language model, and writes them.

>>> import toolparse
>>> result = toolparse.parse('<tool_call>{"name": "add", "arguments": {"a": 1}}</tool_call>')
>>> result.calls[0].name, result.calls[0].arguments
('add', {'a': 1})

``parse`` reads a whole text, ``parse_many`` many of them on all cores, ``parse_records``
lines of JSON, ``Stream`` a text while it comes. ``write_calls``, ``manifest`` and ``detect`` do the rest. All of them run
in this process, in the Go library, without the interpreter's lock.

Offsets count characters, as Python does: ``text[call.start:call.end]`` is the call. Those of
bytes count the characters of ``text.decode("utf-8", "surrogateescape")``.

After ``os.fork`` the library works in a child if the parent has not used it before; else
it raises ``ForkError`` there. It never hangs. The methods "spawn" and "forkserver" of
multiprocessing have no such limit.
"""

from __future__ import annotations

import gc
import json
import weakref
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import lru_cache
from os import PathLike, fspath
from pathlib import Path
from typing import Any, NoReturn, Union

from . import _native
from ._native import Error, ForkError

__all__ = [
    "Call", "Error", "Event", "ForkError", "Guess", "Note", "Problem", "Result", "Span", "Stream",
    "detect", "manifest", "parse", "parse_many", "parse_records", "write_calls",
]

Tools = Union[str, Sequence[Mapping[str, Any]], Mapping[str, Any], None]
Dialect = Union[str, "PathLike[str]", None]
Text = Union[str, bytes, bytearray, memoryview]

# What one core reads at a time in parse_many, in texts and in characters: little enough for its caches.
# In between, an interrupt of the user is heard.
_SHARE_TEXTS, _SHARE_SIZE = 256, 1 << 18
_MANY = 4096  # results whose number makes a collection of garbage slow


@dataclass(frozen=True)
class Problem:
    """One way in which arguments break the tool's schema."""

    path: str  #: JSON pointer of the value
    rule: str  #: the keyword of the schema
    message: str  #: what was expected, in words for the model


@dataclass(frozen=True)
class Call:
    """A tool call. Run only one that is ``runnable``."""

    id: str
    name: str
    #: As json.loads reads them, but a whole number of more than 4,300 digits is a str, and half of a
    #: surrogate pair U+FFFD. None where they are no JSON object.
    arguments: dict[str, Any] | None
    status: str  #: complete, incomplete, malformed or rejected
    raw_arguments: str = ""  #: what had come of arguments that are no JSON
    call_id: str = ""  #: the provider's own id
    reason: str = ""  #: why it is not complete
    tolerances: tuple[str, ...] = ()  #: what was repaired
    unknown: bool = False  #: tools were declared, and this is none of them
    problems: tuple[Problem, ...] = ()
    unchecked: tuple[str, ...] = ()
    dialect: str = ""
    start: int | None = None  #: in characters of the text
    end: int | None = None

    @property
    def runnable(self) -> bool:
        """Whether it is complete, of a declared tool, and its arguments fit."""
        return self.status == "complete" and not self.unknown and not self.problems


@dataclass(frozen=True)
class Note:
    """What looked like a call and is none, or was not read."""

    kind: str  #: candidate, unread, reasoning, cut or choice
    dialect: str = ""
    tool: str = ""
    rule: str = ""
    choice: int = 0


@dataclass(frozen=True)
class Span:
    """A place in the text, in characters: ``text[span.start:span.end]``."""

    kind: str  #: text, reasoning, call, name or arguments
    id: str  #: of the segment
    start: int
    end: int


@dataclass(frozen=True)
class Result:
    """What a text holds."""

    calls: tuple[Call, ...]
    text: str
    reasoning: str
    dialect: str
    refusal: str = ""
    finish: str = ""  #: why the answer ended, where a provider said so
    notes: tuple[Note, ...] = ()
    spans: tuple[Span, ...] = ()

    @property
    def runnable(self) -> tuple[Call, ...]:
        """The calls that may be run."""
        return tuple(call for call in self.calls if call.runnable)


@dataclass(frozen=True)
class Event:
    """One step in the life of a segment."""

    type: str  #: SEGMENT_START, SEGMENT_CONTENT or SEGMENT_END
    id: str
    segment: str  #: text, reasoning, tool_call, ...
    delta: str = ""  #: what a SEGMENT_CONTENT adds
    metadata: Mapping[str, Any] = field(default_factory=dict)
    dialect: str = ""
    raw: bytes = b""  #: the input that it accounts for


@dataclass(frozen=True)
class Guess:
    """A dialect that a text may be written in."""

    dialect: str
    confidence: float
    calls: int
    evidence: tuple[str, ...]


@contextmanager
def _without_collection(count: int) -> Iterator[None]:
    """Keeps Python from looking for cycles of garbage among results that are just being made.

    There are none, and the look takes as long as the making. Many results count as old afterwards, so that
    the next look at what is young does not begin with them.
    """
    collects = gc.isenabled()
    gc.disable()
    ages = collects and count >= _MANY and hasattr(gc, "freeze") and gc.get_freeze_count() == 0
    if ages:
        gc.collect(1)  # so that no garbage of the caller becomes old with them
    try:
        yield
    finally:
        if ages:
            gc.freeze()
            gc.unfreeze()
        if collects:
            gc.enable()


class _Kit:
    """A handle of compiled options."""

    def __init__(self, options: str) -> None:
        self.handle: int = _native.call("kit", json.loads(options))
        weakref.finalize(self, _drop_kit, self.handle).atexit = False


def _drop_kit(handle: int) -> None:
    if _native.usable():
        _native.call("drop_kit", handle)


def _options(dialect: Dialect, model: str | None, tools: Tools, **more: Any) -> dict[str, Any]:
    options = {name: value for name, value in more.items() if value}
    for name in ("prefill", "wire", "model_field", "tools_field", "special_field", "keep", "text", "reasoning", "system"):
        if not isinstance(options.get(name, ""), str):
            raise TypeError(f"{name}: expected str, not {type(options[name]).__name__}")
    if not isinstance(options.get("first_line", 1), int):
        raise TypeError(f"first_line: expected int, not {type(options['first_line']).__name__}")
    if dialect is not None and not isinstance(dialect, (str, PathLike)):
        raise TypeError(f"dialect: expected a name, or the path of a file, not {type(dialect).__name__}")
    if model and dialect:
        raise Error("give either dialect or model, not both", "model")
    if model is not None:
        if not isinstance(model, str):
            raise TypeError(f"model: expected str, not {type(model).__name__}")
        options["model"] = model
    if tools is not None:
        options["tools"] = _document(tools, "tools") if isinstance(tools, (str, bytes)) else tools
    if dialect is not None:
        name = fspath(dialect)
        if isinstance(dialect, PathLike) or name.endswith(".json") or "/" in name or "\\" in name:
            options["dialect_path"] = name
            options["dialect_file"] = file = _document(Path(name).read_bytes(), name)
            if not isinstance(file, dict):
                raise Error(f"{name}: expected a JSON object", name)
        else:
            options["dialect"] = name
    return options


def _document(text: str | bytes, name: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        raise Error(f"{name}: {error}", name) from error


@lru_cache(maxsize=64)
def _kit(options: str) -> _Kit:
    return _Kit(options)


def _kit_of(dialect: Dialect, model: str | None, tools: Tools, **more: Any) -> _Kit:
    if not _native.usable():
        _kit.cache_clear()  # handles of another process
    return _kit(_native.to_json(_options(dialect, model, tools, **more)))


def parse(
    text: Text, *, dialect: Dialect = None, model: str | None = None, tools: Tools = None, wire: str = "text",
    strict: bool = False, coerce: bool = False, recover: bool = False, start_in_reasoning: bool = False,
    calls_in_reasoning: bool = False, calls_in_code: bool = False, prefill: str = "", spans: bool = False,
    special: Iterable[tuple[int, int]] | None = None,
) -> Result:
    """Read a text that a model wrote.

    ``dialect`` is a name, or the path of a file that defines one; ``model`` stands for the
    dialect that it writes. Without either, every dialect with a marker of its own is looked
    for. ``tools`` are the declared tools, in the shape of OpenAI, Anthropic, Gemini or MCP:
    values get the types of their schemas, and calls are checked against them.

    ``wire`` is "auto" for a provider's body or recorded stream. ``spans`` asks for the
    places of everything. ``special`` are the (start, end) of what came as special tokens,
    from a tokenizer's offset map: a marker outside of them is text. It needs ``wire="text"``.
    Options and tools are compiled once and remembered.
    """
    kit = _kit_of(
        dialect, model, tools, wire=wire, strict=strict, coerce=coerce, recover=recover, start_in_reasoning=start_in_reasoning,
        calls_in_reasoning=calls_in_reasoning, calls_in_code=calls_in_code, prefill=prefill, spans=spans,
    )
    data = _native.encode(text)
    if special is not None and wire != "text":
        raise Error('special needs wire="text"')
    result: Result = _native.parse(kit.handle, data, special)
    return result


def parse_many(
    texts: Iterable[Text], *, dialect: Dialect = None, model: str | None = None, tools: Tools = None, wire: str = "text",
    strict: bool = False, coerce: bool = False, recover: bool = False, start_in_reasoning: bool = False,
    calls_in_reasoning: bool = False, calls_in_code: bool = False, prefill: str = "", spans: bool = False,
) -> list[Result]:
    """Read many texts on all cores, without the interpreter's lock.

    The results are those of ``parse``, in the order of the texts. If a text cannot be read, which only
    happens on a wire, the ``place`` of the error is its number, such as ``texts[17]``.
    """
    kit = _kit_of(
        dialect, model, tools, wire=wire, strict=strict, coerce=coerce, recover=recover, start_in_reasoning=start_in_reasoning,
        calls_in_reasoning=calls_in_reasoning, calls_in_code=calls_in_code, prefill=prefill, spans=spans,
    )
    if isinstance(texts, (str, bytes, bytearray)):
        raise TypeError("texts: expected many texts, not one; parse reads one")
    results: list[Result] = []
    texts = list(texts)  # so that code of the caller does not run without the collector
    with _without_collection(len(texts)):
        for made in _native.parse_many(kit.handle, _shares(texts)):
            results += made
    return results


def _shares(texts: list[Text]) -> Iterator[tuple[int, list[Text]]]:
    """The texts in shares, each behind the number of its first text."""
    for first in range(0, len(texts), _SHARE_TEXTS):
        yield from _halves(first, texts[first : first + _SHARE_TEXTS])


def _halves(first: int, share: list[Text]) -> Iterator[tuple[int, list[Text]]]:
    """The share, or the shares of its halves if it is too large."""
    if len(share) == 1 or _size(share) <= _SHARE_SIZE:
        yield first, share
        return
    half = len(share) // 2
    yield from _halves(first, share[:half])
    yield from _halves(first + half, share[half:])


def _size(texts: list[Text]) -> int:
    try:
        return sum(map(len, texts))
    except TypeError:
        return 0  # what is no text is refused later


def parse_records(
    lines: Iterable[str], *, fields: Sequence[str] = (), model_field: str = "", tools_field: str = "", special_field: str = "",
    keep: str = "", first_line: int = 1, dialect: Dialect = None, model: str | None = None, tools: Tools = None, wire: str = "auto",
    strict: bool = False, coerce: bool = False, recover: bool = False, start_in_reasoning: bool = False,
    calls_in_reasoning: bool = False, calls_in_code: bool = False, prefill: str = "", spans: bool = False,
) -> list[str]:
    """Read lines of JSON as the command ``toolparse batch`` does, on all cores: a line of JSON for each.

    The options are those of its flags; without ``fields`` the shape of each record is recognised. A
    record that cannot be read becomes a result with "error". Lines of blanks are no records.
    """
    if isinstance(lines, (str, bytes, bytearray)):
        raise TypeError("lines: expected many lines, not one text; use its splitlines()")
    paths = [fields] if isinstance(fields, str) else list(fields)
    for n, path in enumerate(paths):
        if not isinstance(path, str):
            raise TypeError(f"fields[{n}]: expected str, not {type(path).__name__}")
    options = _options(
        dialect, model, tools, fields=paths, model_field=model_field, tools_field=tools_field, special_field=special_field,
        keep=keep, first_line=first_line, wire=wire, strict=strict, coerce=coerce, recover=recover, start_in_reasoning=start_in_reasoning,
        calls_in_reasoning=calls_in_reasoning, calls_in_code=calls_in_code, prefill=prefill, spans=spans,
    )
    records = []
    for n, line in enumerate(lines):
        if not isinstance(line, str):
            raise TypeError(f"lines[{n}]: expected str, not {type(line).__name__}")
        record = line.rstrip("\n")
        if "\n" in record:
            raise Error(f"lines[{n}]: a line feed inside: expected one line of JSON", f"lines[{n}]")
        records.append(record)
    options["lines"] = _native.encode("\n".join(records)).decode()
    results: str = _native.call("records", options)
    return results.splitlines()


def _close_stream(handle: int) -> None:
    if _native.usable():
        _native.feed(handle, b"", True)


class Stream:
    """Reads a text while it comes.

    >>> stream = Stream(dialect="hermes")
    >>> events = stream.feed('<tool_call>{"name": "add", "argum')
    >>> events += stream.feed('ents": {"a": 1}}</tool_call>') + stream.close()
    >>> stream.calls[0].arguments
    {'a': 1}

    The options are those of ``parse``. However the text is split, the segments are the
    same. Chunks of several threads come in any order. A stream is closed when it is collected.
    """

    def __init__(
        self, *, dialect: Dialect = None, model: str | None = None, tools: Tools = None, wire: str = "text", strict: bool = False,
        coerce: bool = False, recover: bool = False, start_in_reasoning: bool = False, calls_in_reasoning: bool = False,
        calls_in_code: bool = False, prefill: str = "",
    ) -> None:
        self._kit = _kit_of(
            dialect, model, tools, wire=wire, strict=strict, coerce=coerce, recover=recover, start_in_reasoning=start_in_reasoning,
            calls_in_reasoning=calls_in_reasoning, calls_in_code=calls_in_code, prefill=prefill,
        )
        self._handle: int = _native.call("open", self._kit.handle)
        self._finalizer = weakref.finalize(self, _close_stream, self._handle)
        self._finalizer.atexit = False
        self.calls: list[Call] = []  #: those that have ended, with offsets in bytes of the whole text

    def feed(self, chunk: Text) -> list[Event]:
        """Take the next piece, and return the events that come of it."""
        return self._feed(_native.encode(chunk, "chunk"), False)

    def close(self) -> list[Event]:
        """End the text, and return the last events. A second close returns none."""
        if not self._finalizer.alive:
            return []
        self._finalizer.detach()
        return self._feed(b"", True)

    def _feed(self, data: bytes, end: bool) -> list[Event]:
        if not end and not self._finalizer.alive:
            raise Error("the stream is closed")
        events = []
        for made in _native.feed(self._handle, data, end):
            if isinstance(made, Error):
                raise made
            if isinstance(made, Call):
                self.calls.append(made)
            else:
                events.append(made)
        return events

    def __reduce__(self) -> NoReturn:
        raise TypeError("a Stream cannot be copied or pickled")

    def __enter__(self) -> Stream:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def write_calls(
    calls: Iterable[Call | Mapping[str, Any]], *, dialect: Dialect = None, model: str | None = None, tools: Tools = None,
    text: str = "", reasoning: str = "",
) -> str:
    """Write calls as a model writes them, behind its reasoning and its text.

    A call is a ``Call``, or a mapping with "name" and "arguments". What ``parse`` reads of
    the result is the same again; where a dialect cannot write something so, it raises.
    """
    said = []
    for n, call in enumerate(calls):
        if isinstance(call, Call):
            if call.arguments is None:
                raise Error(f"calls[{n}]: a call without arguments, as it is {call.status}", f"calls[{n}]")
            call = {"name": call.name, "arguments": call.arguments, "call_id": call.call_id}
        if not isinstance(call, Mapping):
            raise TypeError(f"calls[{n}]: expected a Call or a mapping, not {type(call).__name__}")
        if not isinstance(call.get("name"), str):
            raise Error(f'calls[{n}]: expected a "name"', f"calls[{n}]")
        arguments, call_id = call.get("arguments"), call.get("call_id") or ""
        if not isinstance(call_id, str):
            raise TypeError(f"calls[{n}]: expected a str as call_id, not {type(call_id).__name__}")
        said.append({"name": call["name"], "arguments": {} if arguments is None else arguments, "call_id": call_id})
    written: str = _native.call("write", _options(dialect, model, tools, calls=said, text=text, reasoning=reasoning))
    return written


def manifest(
    tools: Tools, *, dialect: Dialect = None, model: str | None = None, system: str = "", compact: bool = False
) -> str:
    """Write the section of a system prompt that teaches a model the tools, behind ``system``."""
    section: str = _native.call("manifest", _options(dialect, model, tools, system=system, compact=compact))
    return section


def detect(text: str) -> list[Guess]:
    """Tell which dialects a reply, or the source of a chat template, may be in, the likeliest first."""
    guesses = _native.call("detect", _native.encode(text).decode("utf-8", "replace"))
    return [Guess(g["dialect"], g["confidence"], g["calls"], tuple(e["marker"] for e in g["evidence"])) for g in guesses]
