#!/usr/bin/env python3
"""Compares the speed of batch with jq and with a loop in Python, on logs of OpenAI's.

    python3 speed.py [MEGABYTES] [TOOLPARSE]      # 1000, and the command in PATH

It generates answers of 2 KB in the dialects hermes and qwen3_coder, as records of Chat
Completions, and prints for each the seconds, the rate, how many times faster batch is, and
its memory. jq only picks the content out; the loop finds calls with regular expressions. Each
time is the least of three rounds, in turns.
"""

import argparse
import json
import math
import os
import pathlib
import random
import re
import resource
import shutil
import subprocess
import sys
import tempfile
import time

ROUNDS = 3
WORDS = "the model reads a file and calls the tool with arguments that fit then looks at what comes back and answers".split()
HERMES = re.compile(r"<tool_call>\s*(\{.*?\})\s*</tool_call>", re.DOTALL)
FUNCTION = re.compile(r"<function=([^>]+)>(.*?)</function>", re.DOTALL)
PARAMETER = re.compile(r"<parameter=([^>]+)>\n?(.*?)\n?</parameter>", re.DOTALL)
THINK = re.compile(r"<think>(.*?)</think>", re.DOTALL)


def prose(dice, size):
    lines = []
    while size > 0:
        lines.append(" ".join(dice.choices(WORDS, k=10)) + ".\n")
        size -= len(lines[-1])
    return "".join(lines)


def code(dice, size):
    lines = []
    while size > 0:
        word, number = dice.choice(WORDS), dice.randrange(100)
        lines.append(f'def {word}_{number}(x):\n    if x["{word}"] > {number}:\n        return "{word}\\n"\n')
        size -= len(lines[-1])
    return "".join(lines)


def record(n):
    dice = random.Random(n)
    arguments = {"path": f"src/file{n % 100}.py", "content": code(dice, 900), "mode": "new"}
    if n % 2:
        call = "<tool_call>\n" + json.dumps({"name": "write_note", "arguments": arguments}) + "\n</tool_call>"
    else:
        tags = "".join(f"<parameter={key}>\n{value}\n</parameter>\n" for key, value in arguments.items())
        call = f"<tool_call>\n<function=write_note>\n{tags}</function>\n</tool_call>"
    content = f"<think>\n{prose(dice, 500)}</think>\n\n{prose(dice, 300)}{call}"
    message = {"role": "assistant", "content": content}
    return {
        "id": f"chatcmpl-{n}", "object": "chat.completion", "created": 1700000000 + n, "model": "qwen3-coder",
        "choices": [{"index": 0, "message": message, "finish_reason": "stop"}],
        "usage": {"prompt_tokens": 100, "completion_tokens": 500, "total_tokens": 600},
    }


def generate(path, size):
    with open(path, "w") as out:
        n = 0
        while size > 0:
            line = json.dumps(record(n)) + "\n"
            out.write(line)
            size, n = size - len(line), n + 1
    os.sync()  # so that writing it to the disk disturbs nobody


def loop(path):
    """What people write: one regular expression for each model."""
    with open(path) as lines, open(os.devnull, "w") as out:
        for line in lines:
            content = json.loads(line)["choices"][0]["message"]["content"]
            reasoning = "".join(THINK.findall(content))
            content = THINK.sub("", content)
            calls = []
            for name, body in FUNCTION.findall(content):
                calls.append({"name": name, "arguments": dict(PARAMETER.findall(body))})
            for text in HERMES.findall(content):
                try:
                    calls.append(json.loads(text))
                except ValueError:
                    pass
            out.write(json.dumps({"calls": calls, "text": content, "reasoning": reasoning}) + "\n")


def seconds(command):
    begun = time.monotonic()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    return time.monotonic() - begun


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("megabytes", type=int, nargs="?", default=1000, help="of records; 1000 without it")
    parser.add_argument("toolparse", nargs="?", default="toolparse", help="the command; the one in PATH without it")
    parser.add_argument("--loop", type=pathlib.Path, metavar="FILE", help="only read FILE with regular expressions")
    options = parser.parse_args()
    if options.loop:
        loop(options.loop)
        return
    megabytes = options.megabytes
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "logs.jsonl"
        generate(path, megabytes * 1_000_000)
        commands = {"batch": [options.toolparse, "batch", "-q", path], "loop": [sys.executable, __file__, "--loop", path]}
        if shutil.which("jq"):
            commands["jq"] = ["jq", "-c", ".choices[0].message.content", path]
        least, memory = dict.fromkeys(commands, math.inf), 0
        for _ in range(ROUNDS):
            for name, command in commands.items():
                least[name] = min(least[name], seconds(command))
                memory = memory or resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024  # of batch, the first child
    batch = least.pop("batch")
    print(f"batch\t{batch:.1f} s\t{megabytes / batch:.0f} MB/s\t{memory:.0f} MB of memory")
    for name, took in least.items():
        print(f"{name}\t{took:.1f} s\t{megabytes / took:.0f} MB/s\tbatch is {took / batch:.1f} times as fast")


if __name__ == "__main__":
    main()
