"""Tests of the package; python/build.py --test runs them against a wheel."""

import base64
import copy
import dataclasses
import gc
import json
import multiprocessing
import os
import pathlib
import pickle
import random
import signal
import subprocess
import sys
import tempfile
import threading
import unittest

import toolparse

HERMES = '<tool_call>{"name": "add", "arguments": {"a": 1}}</tool_call>'
TOOLS = [{"name": "add", "parameters": {"type": "object", "properties": {"a": {"type": "integer"}}, "required": ["a"]}}]


class Parse(unittest.TestCase):
    def test_parts(self):
        result = toolparse.parse("<think>Hm.</think>On it: " + HERMES)
        self.assertEqual((result.text, result.reasoning, result.dialect), ("On it: ", "Hm.", "hermes"))
        call = result.calls[0]
        self.assertEqual((call.name, call.arguments, call.status, call.runnable), ("add", {"a": 1}, "complete", True))

    def test_offsets_count_characters(self):
        text = "é𝄞 " + HERMES + " ß"
        result = toolparse.parse(text, spans=True)
        self.assertEqual(text[result.calls[0].start : result.calls[0].end], HERMES)
        spans = {span.kind: text[span.start : span.end] for span in result.spans}
        self.assertEqual(spans["name"], "add")
        self.assertEqual(json.loads(spans["arguments"]), {"a": 1})

    def test_markers_that_are_no_special_tokens(self):
        text = "é" + HERMES
        self.assertEqual(toolparse.parse(text, special=[]).text, text)
        self.assertEqual(len(toolparse.parse(text, special=[(0, 0), (1, 12), (0, 0)]).calls), 1)
        call = toolparse.parse(text, special=[(1, 12)]).calls[0]
        self.assertEqual(text[call.start : call.end], HERMES)
        for wrong in ([(5, 6), (1, 2)], [(2, 1)]):
            with self.assertRaises(toolparse.Error):
                toolparse.parse(text, special=wrong)
        for wrong in ([(1, 2, 3)], [(1,)], [1]):
            with self.assertRaises((TypeError, ValueError)):
                toolparse.parse(text, special=wrong)

    def test_results_are_dataclasses(self):
        tools = [{"name": "add", "parameters": {"type": "object", "properties": {"a": {"type": "string"}}}}]
        result = toolparse.parse("<tool_call> x" + HERMES, tools=tools, spans=True)
        for made in (result, result.calls[0], result.calls[0].problems[0], result.spans[0]):
            fields = {f.name: getattr(made, f.name) for f in dataclasses.fields(made)}
            self.assertEqual(type(made)(**fields), made)
            self.assertEqual(pickle.loads(pickle.dumps(made)), made)
            self.assertEqual(repr(type(made)(**fields)), repr(made))
            with self.assertRaises(dataclasses.FrozenInstanceError):
                made.name = "x"
        self.assertEqual(set(vars(result)) - {f.name for f in dataclasses.fields(result)}, set())

    def test_any_text(self):
        for text in ("", "\0", "a\0b", "\ud800", "\x1b[0m", "x" * 100_000):
            result = toolparse.parse(text)
            self.assertEqual(result.text, text.replace("\ud800", "\ufffd"))
        self.assertEqual(toolparse.parse(b"a\xff").text, "a\ufffd")

    def test_arguments_are_those_of_json(self):
        def both(document):
            text = '<tool_call>{"name": "add", "arguments": %s}</tool_call>' % document
            stream = toolparse.Stream(dialect="hermes")
            stream.feed(text)
            stream.close()
            return toolparse.parse(text, dialect="hermes").calls[0].arguments, stream.calls[0].arguments

        dice = random.Random(1)
        texts = ["", "a", "é", "𝄞", '"', "\\", "\n", "\x7f", "\u2028", "x" * 47, "x" * 48, "x" * 49, "y" * 255, "z" * 256, "é\t" * 900]
        numbers = [0, -1, 255, 256, -129, 2**31 - 1, 2**31, -(2**31) - 1, 2**63, -(2**63) - 1, 10**4299, 1.5, -0.0, 1e22, 5e-324, 0.1]

        def value(depth):
            kind = dice.randrange(8)
            if kind < 2 and depth:
                return {dice.choice(texts) + str(dice.randrange(3)): value(depth - 1) for _ in range(dice.randrange(5))}
            if kind < 4 and depth:
                return [value(depth - 1) for _ in range(dice.randrange(5))]
            return dice.choice((dice.choice(texts), dice.choice(numbers), True, False, None))

        documents = [json.dumps({"v": value(5)}, ensure_ascii=dice.random() < 0.5, indent=dice.choice((None, 1))) for _ in range(300)]
        documents += ['{"a":1,"b":2,"a":3}', '{"a":-0,"b":1E400,"c":-1e400,"d":1e-400,"e":1.0}', '{"a":"\\/\\u00e9\\ud834\\udd1e"}', "{}"]
        documents.append(json.dumps({f"key {n}": f"key {n}" for n in range(3000)}))
        documents.append(json.dumps({"a": [{"b": n, "c": ["x" * 2000]} for n in range(300)]}))
        for document in documents:
            for arguments in both(document):
                self.assertEqual(repr(arguments), repr(json.loads(document)))

    def test_arguments_that_json_of_python_refuses(self):
        for document, want in (
            ('{"a":"\\ud83d"}', {"a": "\ufffd"}),
            ('{"\\ud83d":"\\ude00"}', {"\ufffd": "\ufffd"}),
            ('{"a":%s}' % ("9" * 5000), {"a": "9" * 5000}),
            ('{"a":-%s}' % ("9" * 5000), {"a": "-" + "9" * 5000}),
        ):
            text = HERMES.replace('{"a": 1}', document)
            self.assertEqual(toolparse.parse(text).calls[0].arguments, want)
            self.assertEqual(toolparse.parse_many([text])[0].calls[0].arguments, want)
            with toolparse.Stream() as stream:
                stream.feed(text)
            self.assertEqual(stream.calls[0].arguments, want)

    def test_bytes_that_are_no_utf8(self):
        text = b"a\xff\xe2\x82 " + HERMES.encode() + b"\xed\xa0\x80"
        result = toolparse.parse(text)
        self.assertEqual(result.text, "a\ufffd\ufffd\ufffd \ufffd\ufffd\ufffd")
        call = result.calls[0]
        self.assertEqual(text.decode("utf-8", "surrogateescape")[call.start : call.end], HERMES)

    def test_a_text_is_data(self):
        for text in ("\x80\x04.", "cos\nsystem\n(S'false'\ntR.", "]R.}b"):
            text += HERMES.replace("add", "cos\\nsystem\\n.")
            result = toolparse.parse(text)
            self.assertEqual((result.text, result.calls[0].name), (text[: text.index("<")], "cos\nsystem\n."))

    def test_cut_call_does_not_run(self):
        call = toolparse.parse(HERMES[:-15]).calls[0]
        self.assertEqual((call.status, call.arguments, call.runnable), ("incomplete", None, False))
        self.assertTrue(call.raw_arguments.startswith('{"a'))

    def test_tools(self):
        result = toolparse.parse('<tool_call>{"name": "add", "arguments": {"a": "x"}}</tool_call>', tools=TOOLS)
        self.assertEqual(result.calls[0].problems[0].path, "/a")
        self.assertFalse(result.runnable)
        self.assertTrue(toolparse.parse(HERMES.replace("add", "other"), tools=json.dumps(TOOLS)).calls[0].unknown)

    def test_wire(self):
        body = {"object": "chat.completion", "choices": [{"message": {"role": "assistant", "content": "Hi"}, "finish_reason": "stop"}]}
        result = toolparse.parse(json.dumps(body), wire="auto")
        self.assertEqual((result.text, result.finish), ("Hi", "stop"))
        with self.assertRaises(toolparse.Error):
            toolparse.parse('data: {"object":"chat.completion.chunk","choices":[{"delta":{"content":"H"}}]}\n\n', wire="auto")

    def test_many_is_each(self):
        texts = [HERMES[:n] + end for n in range(len(HERMES)) for end in ("", "é")] * 20
        texts[3], texts[2000], texts[2001] = HERMES.encode(), bytearray(b"a\xff"), "\ud83d"
        each = [toolparse.parse(t, dialect="hermes", spans=True) for t in texts]
        for many in (texts, iter(texts), tuple(texts[:2000]), texts[5:6], []):
            made = toolparse.parse_many(many, dialect="hermes", spans=True)
            first = 5 if len(made) == 1 else 0
            self.assertEqual(made, each[first : first + len(made)])
        self.assertEqual(len(toolparse.parse_many(iter(texts))), len(texts))
        texts = ["x" * 400_000, HERMES, "x" * 2_000_000, ""] * 2
        self.assertEqual(toolparse.parse_many(texts), [toolparse.parse(t) for t in texts])

    def test_collector_is_as_it_was(self):
        self.addCleanup(gc.enable)
        self.addCleanup(gc.unfreeze)
        for prepare in (gc.enable, gc.disable, gc.freeze):
            prepare()
            before = gc.isenabled(), gc.get_freeze_count() > 0
            toolparse.parse_many(["x"] * 5000)
            self.assertEqual((gc.isenabled(), gc.get_freeze_count() > 0), before)

    def test_words_of_one_result_do_not_come_into_another(self):
        for n in range(3000):  # an unpickler is used again, and remembers words
            text = HERMES.replace('"a"', f'"key {n}"')
            self.assertEqual(toolparse.parse(text).calls[0].arguments, {f"key {n}": 1})
            if n % 100 == 0:
                with self.assertRaises(toolparse.Error):
                    toolparse.parse('data: {"object":"chat.completion.chunk"}\n\n', wire="auto")

    def test_what_is_no_text(self):
        for wrong in (None, 1, ["x"], object()):
            with self.assertRaisesRegex(TypeError, "^text: expected str or bytes, not "):
                toolparse.parse(wrong)
            with self.assertRaisesRegex(TypeError, r"^texts\[2000\]: expected str or bytes, not "):
                toolparse.parse_many(["x"] * 2000 + [wrong])
            with self.assertRaisesRegex(TypeError, "^chunk: expected str or bytes, not "):
                toolparse.Stream().feed(wrong)
        for one in ("text", b"text"):
            with self.assertRaisesRegex(TypeError, "expected many texts"):
                toolparse.parse_many(one)
            with self.assertRaisesRegex(TypeError, "expected many lines"):
                toolparse.parse_records(one)

    def test_failure_of_one_of_many(self):
        cut = 'data: {"object":"chat.completion.chunk","choices":[{"delta":{"content":"H"}}]}\n\n'
        with self.assertRaises(toolparse.Error) as raised:
            toolparse.parse_many(["x"] * 3000 + [cut, cut], wire="auto")
        self.assertEqual(raised.exception.place, "texts[3000]")

    def test_records(self):
        lines = [json.dumps({"id": 1, "completion": "é\u2028" + HERMES}), "nope", json.dumps({"text": "x"})]
        results = [json.loads(line) for line in toolparse.parse_records(lines, first_line=7)]
        self.assertEqual([r["line"] for r in results], [7, 8, 9])
        self.assertEqual(results[0]["calls"][0]["name"], "add")
        self.assertEqual(results[1]["error"], "the record is not JSON")
        command = [os.environ["TOOLPARSE_COMMAND"], "batch", "--offsets", "chars"]
        out = subprocess.run(command, input="\n".join(lines).encode(), capture_output=True, check=True).stdout.decode()
        self.assertEqual("\n".join(toolparse.parse_records(lines, spans=True)) + "\n", out)
        one = toolparse.parse_records(['{"a":{"b":"x"}}'], fields="a.b")  # one path, and not three of a letter
        self.assertEqual(json.loads(one[0])["text"], "x")
        with self.assertRaises(toolparse.Error):
            toolparse.parse_records(lines, model_field="m", dialect="hermes")

    def test_threads(self):
        wrong = []

        def work(n):
            for _ in range(50):
                if toolparse.parse(HERMES.replace("1", str(n))).calls[0].arguments != {"a": n}:
                    wrong.append(n)

        threads = [threading.Thread(target=work, args=(n,)) for n in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(wrong, [])


class Memory(unittest.TestCase):
    @unittest.skipUnless(os.path.exists("/proc/self/statm"), "this system does not tell the memory of a process")
    def test_of_options_that_are_always_new(self):
        script = (
            "import toolparse\n"
            "for n in range(1000):\n"
            "    toolparse.parse('x', dialect='hermes', tools=[{'name': f't{n}', 'parameters': {}}])\n"
            "with open('/proc/self/statm') as sizes: print(int(sizes.read().split()[1]) * 4096)"
        )
        used = subprocess.run([sys.executable, "-c", script], timeout=120, capture_output=True, check=True).stdout
        self.assertLess(int(used), 256 << 20)


class Write(unittest.TestCase):
    def test_reads_back(self):
        for dialect in ("hermes", "qwen3_coder", "xml", "glm45", "llama3_json"):
            text = toolparse.write_calls([{"name": "add", "arguments": {"a": 1}}], dialect=dialect, tools=TOOLS)
            call = toolparse.parse(text, dialect=dialect, tools=TOOLS).calls[0]
            self.assertEqual((call.name, call.arguments), ("add", {"a": 1}), dialect)
            self.assertEqual(toolparse.write_calls([call], dialect=dialect, tools=TOOLS), text)

    def test_place_of_what_cannot_be_written(self):
        with self.assertRaises(toolparse.Error) as raised:
            toolparse.write_calls([{"name": "add", "arguments": {"a": 1}}], dialect="qwen3_coder")
        self.assertEqual(raised.exception.place, "add.a")

    def test_manifest(self):
        text = toolparse.manifest(TOOLS, dialect="hermes", system="Be brief.")
        self.assertIn("<tool_call>", text)
        self.assertTrue(text.startswith("Be brief."))

    def test_detect(self):
        self.assertEqual(toolparse.detect(HERMES.replace("{\"name", "\n{\"name").replace("}}", "}}\n"))[0].dialect, "hermes")
        self.assertEqual(toolparse.detect("prose"), [])


class Errors(unittest.TestCase):
    def test_words_and_places(self):
        for place, options in (
            ("dialect", {"dialect": "hermez"}),
            ("dialect", {"dialect": "0"}),
            ("model", {"model": "no such model"}),
            ("model", {"model": "qwen3", "dialect": "hermes"}),
            ("tools", {"tools": [{"name": float("nan")}]}),
            (None, {"wire": "telegraph"}),
            ("$[1].name", {"tools": [{"name": "f", "parameters": {}}, {"name": 1, "parameters": {}}]}),
        ):
            with self.assertRaises(toolparse.Error) as raised:
                toolparse.parse("x", **options)
            if place:
                self.assertEqual(raised.exception.place, place)
            self.assertNotRegex(str(raised.exception), r"Dialect|Custom|dialect\.All|Go ")  # names of Go
            again = pickle.loads(pickle.dumps(raised.exception))
            self.assertEqual((again.message, again.place), (raised.exception.message, raised.exception.place))

    def test_wrong_types(self):
        for name, work in (
            ("dialect", lambda: toolparse.parse("x", dialect=5)),
            ("model", lambda: toolparse.parse("x", model=5)),
            ("prefill", lambda: toolparse.parse("x", prefill=5)),
            ("wire", lambda: toolparse.parse("x", wire=5)),
            ("keep", lambda: toolparse.parse_records(["{}"], keep=5)),
            ("first_line", lambda: toolparse.parse_records(["{}"], first_line="1")),
            ("system", lambda: toolparse.manifest([], dialect="hermes", system=b"x")),
            (r"calls\[0\]", lambda: toolparse.write_calls([{"name": "f", "call_id": 5}], dialect="hermes")),
            ("tools", lambda: toolparse.parse("x", tools=[{"name": b"f"}])),
            ("special", lambda: toolparse.parse("x", special=5)),
            ("special", lambda: toolparse.parse("x", special=[(1,)])),
            ("special", lambda: toolparse.parse("x", special=[("a", "b")])),
            ("special", lambda: toolparse.parse("x", special=[(0, 1 << 70)])),
            (r"calls\[0\]", lambda: toolparse.write_calls([5], dialect="hermes")),
            (r"fields\[1\]", lambda: toolparse.parse_records(["{}"], fields=["a", 5])),
            (r"calls\[1\]", lambda: toolparse.write_calls([{"name": "f"}, {"name": "f", "arguments": {"a": {1}}}], dialect="hermes")),
        ):
            with self.assertRaisesRegex(TypeError, f"^{name}: "):
                work()

    def test_bad_json(self):
        for place, work in (
            ("tools", lambda: toolparse.parse("x", tools="{")),
            ("tools", lambda: toolparse.parse("x", tools="[" * 100_000)),
            ("tools", lambda: toolparse.manifest([{"name": float("nan")}], dialect="hermes")),
            ("calls[0]", lambda: toolparse.write_calls([{"name": "f", "arguments": {"a": float("inf")}}], dialect="hermes")),
            ("calls[0]", lambda: toolparse.write_calls([{"name": "f", "arguments": {"a": 10**5000}}], dialect="hermes")),
            ("calls[1]", lambda: toolparse.write_calls([{"name": "f"}, {}], dialect="hermes")),
            ("calls[0]", lambda: toolparse.write_calls(toolparse.parse(HERMES[:-15]).calls, dialect="hermes")),
            ("lines[1]", lambda: toolparse.parse_records(["{}", '{"text":\n"x"}'])),
        ):
            with self.assertRaises(toolparse.Error) as raised:
                work()
            self.assertEqual(raised.exception.place, place)
        with self.assertRaisesRegex(TypeError, r"^lines\[1\]: expected str, not bytes"):
            toolparse.parse_records(["{}", b"{}"])

    def test_dialect_file(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "mine.json"
            for text in (b"", b"{", b"[]", b"null", b"{}", b"\xff", b'{"name":"x"}', b'{"nme":"x"}'):
                path.write_bytes(text)
                for work in (
                    lambda: toolparse.parse("x", dialect=path),
                    lambda: toolparse.Stream(dialect=str(path)),
                    lambda: toolparse.manifest([], dialect=path),
                ):
                    with self.assertRaises(toolparse.Error) as raised:
                        work()
                    self.assertEqual(raised.exception.place, str(path))
            command = pathlib.Path(os.environ["TOOLPARSE_COMMAND"])
            text = subprocess.run([command, "dialects", "--json", "hermes"], check=True, capture_output=True, text=True).stdout
            path.write_text(text.replace("tool_call>", "my_call>"))
            result = toolparse.parse(HERMES.replace("tool_call", "my_call"), dialect=path)
            self.assertEqual(result.calls[0].arguments, {"a": 1})


class Streams(unittest.TestCase):
    def test_calls_while_they_come(self):
        with toolparse.Stream() as stream:
            for c in HERMES:
                stream.feed(c)
            self.assertEqual(stream.calls[0].name, "add")
        self.assertEqual(stream.close(), [])
        with self.assertRaises(toolparse.Error):
            stream.feed("x")

    def test_is_one(self):
        stream = toolparse.Stream()
        for work in (copy.copy, copy.deepcopy, pickle.dumps):
            with self.assertRaisesRegex(TypeError, "cannot be copied or pickled"):
                work(stream)

    def test_characters_in_pieces(self):
        stream = toolparse.Stream()
        events = [event for byte in "é𝄞".encode() for event in stream.feed(bytes([byte]))]
        events += stream.feed("\ud834") + stream.feed("\udd1e") + stream.feed(b"\xc3") + stream.feed("a") + stream.close()
        self.assertEqual("".join(event.delta for event in events), "é𝄞\ufffd\ufffd\ufffda")
        self.assertEqual(b"".join(event.raw for event in events), "é𝄞\ufffd\ufffd".encode() + b"\xc3a")

    def test_several_threads(self):
        stream, raw = toolparse.Stream(dialect="hermes"), []

        def work():
            for _ in range(500):
                raw.extend(event.raw for event in stream.feed("ab<tool"))

        threads = [threading.Thread(target=work) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        raw += [event.raw for event in stream.close()]
        self.assertEqual(len(b"".join(raw)), 4 * 500 * len("ab<tool"))

    def test_many_that_are_never_closed(self):
        for _ in range(200):
            toolparse.Stream(dialect="hermes").feed("x")

    def test_wire(self):
        stream = toolparse.Stream(wire="auto")
        events = stream.feed('data: {"object":"chat.completion.chunk","choices":[{"delta":{"content":"H"}}]}\n\n')
        self.assertIn("H", [event.delta for event in events])
        with self.assertRaises(toolparse.Error):
            stream.close()


def segments(events):
    """What the events of a stream come to, however it was split."""
    found, by_id = [], {}
    for event in events:
        if event.type == "SEGMENT_START":
            name = event.metadata.get("tool_name", "")
            by_id[event.id] = {"type": event.segment, "name": name, "content": "", "raw": b"", "metadata": {}}
            found.append(by_id[event.id])
        segment = by_id[event.id]
        segment["content"] += event.delta
        segment["raw"] += event.raw
        if event.type == "SEGMENT_END":
            segment["metadata"] = event.metadata
    return found


class Vectors(unittest.TestCase):
    """The segments are those of the Go library, at every split."""

    def test_every_split(self):
        path = os.environ.get("TOOLPARSE_SEGMENTS")
        if not path:
            self.skipTest("TOOLPARSE_SEGMENTS names no file: python/build.py --test writes it")
        with open(path, encoding="utf-8") as lines:
            for line in lines:
                vector = json.loads(line)
                data = base64.b64decode(vector["input"])
                want = [{**s, "raw": base64.b64decode(s["raw"] or "")} for s in vector["segments"] or []]
                options = {"dialect": vector["dialect"], "tools": vector["tools"], "start_in_reasoning": vector["start_in_reasoning"]}

                def read(chunks):
                    stream = toolparse.Stream(**options)
                    events = [event for chunk in chunks for event in stream.feed(chunk)]
                    return segments(events + stream.close())

                splits = [[data[:i], data[i:]] for i in range(0, len(data) + 1)]
                splits.append([bytes([byte]) for byte in data])
                for split in splits:
                    self.assertEqual(read(split), want, (vector["id"], split[:2]))


CHILD = """
import os, sys, toolparse
if {before}: toolparse.parse("x")
child = os.fork()
if child == 0:
    code = 9
    try:
        code = 0 if toolparse.parse("x").text == "x" else 8
    except toolparse.ForkError:
        code = 7
    finally:
        os._exit(code)
code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
assert toolparse.parse("y").text == "y"
sys.exit(code)
"""


def parse_in_worker(text):
    return toolparse.parse(text).calls[0].arguments


@unittest.skipUnless(hasattr(os, "fork"), "this system has no fork")
class Fork(unittest.TestCase):
    def code(self, before):
        return subprocess.run([sys.executable, "-c", CHILD.format(before=before)], timeout=60).returncode

    def test_works_if_the_parent_had_not_used_it(self):
        self.assertEqual(self.code(False), 0)

    def test_raises_if_the_parent_had_used_it(self):
        self.assertEqual(self.code(True), 7)

    def test_objects_of_the_parent_die_in_silence(self):
        script = (
            "import os, toolparse\ns = toolparse.Stream(); s.feed('x')\nchild = os.fork()\n"
            "if child == 0:\n    del s\n    toolparse._kit.cache_clear()\n    os._exit(0)\n"
            "raise SystemExit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))"
        )
        self.assertEqual(subprocess.run([sys.executable, "-c", script], timeout=60).returncode, 0)

    def test_in_the_middle_of_parse_many(self):
        script = (
            "import os, threading, toolparse\n"
            "work = threading.Thread(target=lambda: toolparse.parse_many(['x' * 1000] * 30000))\n"
            "work.start()\n"
            "while toolparse._native._lib is None: pass\n"
            "child = os.fork()\n"
            "if child == 0:\n"
            "    try: toolparse.parse('x')\n"
            "    except toolparse.ForkError: os._exit(7)\n"
            "    os._exit(8)\n"
            "code = os.WEXITSTATUS(os.waitpid(child, 0)[1])\n"
            "work.join()\n"
            "raise SystemExit(code)"
        )
        self.assertEqual(subprocess.run([sys.executable, "-W", "ignore", "-c", script], timeout=60).returncode, 7)

    def test_spawn(self):
        toolparse.parse("x")
        with multiprocessing.get_context("spawn").Pool(2) as pool:
            self.assertEqual(pool.map(parse_in_worker, [HERMES] * 4), [{"a": 1}] * 4)


class Signals(unittest.TestCase):
    def test_interrupt_is_python_s(self):
        # A job in the background begins with the signal ignored.
        self.addCleanup(signal.signal, signal.SIGINT, signal.signal(signal.SIGINT, signal.default_int_handler))
        toolparse.parse("x")
        with self.assertRaises(KeyboardInterrupt):
            signal.raise_signal(signal.SIGINT)

    @unittest.skipUnless(hasattr(signal, "setitimer"), "this system has no timers")
    def test_interrupts_parse_many(self):
        texts = [HERMES + "x" * 1000] * 500_000  # which take seconds
        self.addCleanup(signal.signal, signal.SIGALRM, signal.signal(signal.SIGALRM, signal.default_int_handler))
        signal.setitimer(signal.ITIMER_REAL, 0.2)
        with self.assertRaises(KeyboardInterrupt):
            toolparse.parse_many(texts)
        self.assertTrue(gc.isenabled())
        self.assertEqual(len(toolparse.parse_many(texts[:100])), 100)


class Shutdown(unittest.TestCase):
    def test_with_what_is_alive(self):
        script = (
            "import threading, time, toolparse\n"
            "stream = toolparse.Stream()\n"
            "stream.feed('x')\n"
            "toolparse.kept = toolparse.Stream()\n"
            "threading.Thread(target=lambda: toolparse.parse_many(['x' * 1000] * 1_000_000), daemon=True).start()\n"
            "time.sleep(0.1)"
        )
        done = subprocess.run([sys.executable, "-c", script], timeout=60, capture_output=True)
        self.assertEqual((done.returncode, done.stderr), (0, b""))


if __name__ == "__main__":
    unittest.main()
