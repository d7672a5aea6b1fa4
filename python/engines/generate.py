#!/usr/bin/env python3
"""Generates log records to try the engines on: python3 generate.py 200000 > records.jsonl

The records are mixed: native calls of four providers, calls in text dialects, prose, cut
and broken ones. The same number makes the same records.
"""

import argparse
import json
import random

WORDS = "the model reads a file and calls the tool with arguments that fit then looks at what comes back and answers".split()


def prose(dice, words):
    return " ".join(dice.choice(WORDS) for _ in range(words))


def text_call(dice, name, arguments):
    """A call as one of ten dialects writes it."""
    body = json.dumps(arguments)
    pairs = list(arguments.items())
    tags = "".join(f"<parameter={k}>\n{v}\n</parameter>\n" for k, v in pairs)
    return dice.choice((
        f'<tool_call>\n{{"name": "{name}", "arguments": {body}}}\n</tool_call>',
        f"<tool_call>\n<function={name}>\n{tags}</function>\n</tool_call>",
        f"<tool_call>{name}\n" + "".join(f"<arg_key>{k}</arg_key>\n<arg_value>{v}</arg_value>\n" for k, v in pairs) + "</tool_call>",
        f'<tool name="{name}"><arguments>' + "".join(f'<arg name="{k}">{v}</arg>' for k, v in pairs) + "</arguments></tool>",
        f'[[SEG_START {{"type":"tool","tool_name":"{name}"}}]]{body}[[SEG_END]]',
        f'[TOOL_CALLS][{{"name": "{name}", "arguments": {body}}}]',
        f"<|channel|>commentary to=functions.{name} <|constrain|>json<|message|>{body}<|call|>",
        f'<minimax:tool_call>\n<invoke name="{name}">\n' + "".join(f'<parameter name="{k}">{v}</parameter>\n' for k, v in pairs) + "</invoke>\n</minimax:tool_call>",
        f'<|tool_calls_section_begin|><|tool_call_begin|>functions.{name}:0<|tool_call_argument_begin|>{body}<|tool_call_end|><|tool_calls_section_end|>',
        f'<|tool_call|>[{{"name": "{name}", "arguments": {body}}}]<|/tool_call|>',
    ))


def record(n):
    dice = random.Random(n)
    name = dice.choice(("get_weather", "read_file", "search"))
    arguments = {"query": prose(dice, 4), "path": f"src/file{dice.randrange(100)}.py"}
    text, kind = prose(dice, dice.randrange(20, 200)), dice.randrange(10)
    if kind == 0:
        call = {"id": "c1", "type": "function", "function": {"name": name, "arguments": json.dumps(arguments)}}
        message = {"role": "assistant", "content": text, "tool_calls": [call]}
        return {"id": f"r{n}", "object": "chat.completion", "choices": [{"index": 0, "message": message, "finish_reason": "tool_calls"}]}
    if kind == 1:
        blocks = [{"type": "text", "text": text}, {"type": "tool_use", "id": "t1", "name": name, "input": arguments}]
        message = {"id": "m", "type": "message", "role": "assistant", "model": "claude", "content": blocks, "stop_reason": "tool_use"}
        return {"custom_id": f"r{n}", "result": {"type": "succeeded", "message": message}}
    if kind == 2:
        parts = [{"text": text}, {"functionCall": {"name": name, "args": arguments}}]
        return {"key": f"r{n}", "response": {"candidates": [{"content": {"role": "model", "parts": parts}, "finishReason": "STOP"}]}}
    if kind == 3:
        message = {"role": "assistant", "content": text, "tool_calls": [{"function": {"name": name, "arguments": arguments}}]}
        return {"id": f"r{n}", "response": {"model": "m", "message": message, "done": True}}
    call = text_call(dice, name, arguments)
    if kind == 4:
        return {"id": f"r{n}", "completion": text}
    if kind == 5:
        return {"id": f"r{n}", "completion": text + "\n" + call[: dice.randrange(1, len(call))]}
    if kind == 6:
        return {"id": f"r{n}", "messages": [{"role": "user", "content": text}, {"role": "assistant", "content": call}]}
    return {"id": f"r{n}", "completion": f"<think>{text}</think>\n{call}"}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("records", type=int, help="how many")
    for n in range(parser.parse_args().records):
        line = json.dumps(record(n))
        print(line[: len(line) // 2] if n % 100 == 99 else line)


if __name__ == "__main__":
    main()
