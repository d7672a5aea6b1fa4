#!/usr/bin/env python3
"""Compare what toolparse writes with the models' own chat templates, byte by byte.

    python3 clients/templates/compare.py            # the table
    python3 clients/templates/compare.py hermes     # one dialect, with each difference
    python3 clients/templates/compare.py --render hermes one call   # what its templates print

The templates are those in the source packages of llama-cpp-python and vLLM, which pip
fetches into a cache; jinja2 renders them as Transformers does. What toolparse writes
stands in testdata/templates/parts.json, which `go test ./manifest -run
TestTemplateParts -update` writes and `go test` holds it to. Every part has to occur in
what the template prints; where it does not, and exceptions.json has no reason for it, the
script fails.
"""

import argparse
import datetime
import glob
import importlib.util
import json
import os
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
DATA = os.path.join(HERE, "..", "..", "testdata", "templates")
CACHE = os.environ.get("TOOLPARSE_TEMPLATES") or os.path.join(tempfile.gettempdir(), "toolparse-templates")

PACKAGES = {"llama": "llama-cpp-python==0.3.36", "vllm": "vllm==0.33.0"}
FILES = {
    "llama": "llama*/vendor/llama.cpp/models/templates/%s.jinja",
    "vllm": "vllm*/examples/tool_chat_template_%s.jinja",
    "encoder": "vllm*/vllm/tokenizers/%s.py",
}

# Each template that writes calls or tools, and the dialect that its models write.
TEMPLATES = [
    ("hermes", "llama", "Qwen-Qwen2.5-7B-Instruct"),
    ("hermes", "llama", "Qwen-Qwen3-0.6B"),
    ("hermes", "llama", "Qwen-QwQ-32B"),
    ("hermes", "llama", "MiMo-VL"),
    ("hermes", "llama", "Reka-Edge"),
    ("smollm3", "llama", "HuggingFaceTB-SmolLM3-3B"),
    ("bielik", "llama", "Bielik-11B-v3.0-Instruct"),
    ("hermes2pro", "llama", "NousResearch-Hermes-2-Pro-Llama-3-8B-tool_use"),
    ("hermes2pro", "llama", "NousResearch-Hermes-3-Llama-3.1-8B-tool_use"),
    ("granite", "llama", "ibm-granite-granite-3.3-2B-Instruct"),
    ("granite", "vllm", "granite"),
    ("granite4", "llama", "ibm-granite-granite-4.0"),
    ("granite4", "llama", "ibm-granite-granite-4.1"),
    ("granite-20b-fc", "vllm", "granite_20b_fc"),
    ("hunyuan_a13b", "vllm", "hunyuan_a13b"),
    ("internlm", "vllm", "internlm2_tool"),
    ("minimax", "llama", "MiniMax-M1"),
    ("minimax_m2", "llama", "MiniMax-M2"),
    ("minimax_m3", "llama", "MiniMax-M3"),
    ("nemotron_json", "llama", "NVIDIA-Nemotron-Nano-v2"),
    ("apriel", "llama", "Apriel-1.6-15b-Thinker-fixed"),
    ("apriel15", "llama", "unsloth-Apriel-1.5"),
    ("apertus", "llama", "Apertus-8B-Instruct"),
    ("apertus", "vllm", "apertus"),
    ("cohere_command3", "llama", "CohereForAI-c4ai-command-r7b-12-2024-tool_use"),
    ("cohere_command4", "llama", "Cohere2MoE"),
    ("command_r_plus", "llama", "CohereForAI-c4ai-command-r-plus-tool_use"),
    ("gigachat3", "llama", "GigaChat3-10B-A1.8B"),
    ("gigachat31", "llama", "GigaChat3.1-10B-A1.8B"),
    ("phi4_mini_json", "vllm", "phi4_mini"),
    ("firefunction", "llama", "fireworks-ai-llama-3-firefunction-v2"),
    ("xlam", "vllm", "xlam_llama"),
    ("xlam", "vllm", "xlam_qwen"),
    ("llama3_json", "llama", "meta-llama-Llama-3.1-8B-Instruct"),
    ("llama3_json", "llama", "meta-llama-Llama-3.2-3B-Instruct"),
    ("llama3_json", "llama", "meta-llama-Llama-3.3-70B-Instruct"),
    ("llama3_json", "vllm", "llama3.1_json"),
    ("llama3_json", "vllm", "llama3.2_json"),
    ("llama4_json", "vllm", "llama4_json"),
    ("llama4_pythonic", "vllm", "llama4_pythonic"),
    ("pythonic", "vllm", "llama3.2_pythonic"),
    ("pythonic", "vllm", "toolace"),
    ("lfm2", "llama", "LFM2-8B-A1B"),
    ("lfm25", "llama", "LFM2.5-8B-A1B"),
    ("lfm25", "llama", "LFM2.5-Instruct"),
    ("deepseek_v3", "llama", "deepseek-ai-DeepSeek-R1-Distill-Llama-8B"),
    ("deepseek_v3", "llama", "deepseek-ai-DeepSeek-R1-Distill-Qwen-32B"),
    ("deepseek_v3", "vllm", "deepseekr1"),
    ("deepseek_v3", "vllm", "deepseekv3"),
    ("deepseek_v31", "llama", "deepseek-ai-DeepSeek-V3.1"),
    ("deepseek_v31", "vllm", "deepseekv31"),
    ("deepseek_v32", "llama", "deepseek-ai-DeepSeek-V3.2"),
    ("deepseek_v32", "encoder", "deepseek_v32_encoding"),
    ("deepseek_v4", "llama", "deepseek-ai-DeepSeek-V4"),
    ("deepseek_v4", "llama", "deepseek-ai-DeepSeek-V4-Flash-0731"),
    ("deepseek_v4", "encoder", "deepseek_v4_encoding"),
    ("deepseek_v41", "encoder", "deepseek_v41_encoding"),
    ("kimi_k2", "llama", "moonshotai-Kimi-K2"),
    ("kimi_k2", "llama", "Kimi-K2-Instruct"),
    ("kimi_k2", "llama", "Kimi-K2-Thinking"),
    ("kimi_k3", "llama", "Kimi-K3"),
    ("mistral", "llama", "unsloth-mistral-Devstral-Small-2507"),
    ("mistral", "llama", "mistralai-Ministral-3-14B-Reasoning-2512"),
    ("mistral_v11", "llama", "Mistral-Small-3.2-24B-Instruct-2506"),
    ("mistral_v3", "llama", "mistralai-Mistral-Nemo-Instruct-2407"),
    ("mistral_v7", "vllm", "mistral"),
    ("mistral_v7", "vllm", "mistral3"),
    ("functionary_v31", "llama", "meetkai-functionary-medium-v3.1"),
    ("functionary_v32", "llama", "meetkai-functionary-medium-v3.2"),
    ("qwen3_coder", "llama", "Qwen3-Coder"),
    ("qwen35", "llama", "Qwen3.5-4B"),
    ("nemotron3", "llama", "NVIDIA-Nemotron-3-Nano-30B-A3B-BF16"),
    ("qwen3_coder", "vllm", "qwen3coder"),
    ("step3p5", "llama", "StepFun3.5-Flash"),
    ("seed_oss", "llama", "ByteDance-Seed-OSS"),
    ("minicpm5", "llama", "openbmb-MiniCPM5-1B"),
    ("glm45", "llama", "GLM-4.6"),
    ("glm47", "llama", "GLM-4.7-Flash"),
    ("ling3", "llama", "inclusionai-ling-3.0-flash"),
    ("spark25", "llama", "Spark2.5"),
    ("poolside_v1", "llama", "poolside-Laguna-XS.2"),
    ("poolside_v1", "llama", "poolside-Laguna-XS-2.1"),
    ("laguna_s21", "llama", "poolside-Laguna-S-2.1"),
    ("hy_v3", "llama", "tencent-Hy3"),
    ("gemma4", "llama", "google-gemma-4-31B-it"),
    ("gemma4", "llama", "google-gemma-4-31B-it-interleaved"),
    ("gemma4", "vllm", "gemma4"),
    ("functiongemma", "vllm", "functiongemma"),
    ("openai", "llama", "openai-gpt-oss-120b"),
    ("muse", "llama", "muse-glimmer"),
    ("muse", "vllm", "muse_glimmer"),
    ("solar_open", "llama", "upstage-Solar-Open-100B"),
]

PARTS = ["one", "two", "nested", "flat", "place", "call", "calls", "typed", "scalars", "text", "reasoning", "turn", "end", "result", "results"]


def ensure_jinja():
    """Import jinja2, from a virtual environment in the cache where it is not installed."""
    try:
        import jinja2  # noqa: F401
    except ImportError:
        env = os.path.join(CACHE, "venv")
        python = os.path.join(env, "bin", "python")
        if not os.path.exists(python):
            subprocess.run([sys.executable, "-m", "venv", env], check=True)
            subprocess.run([python, "-m", "pip", "install", "-q", "jinja2"], check=True)
        os.execv(python, [python, *sys.argv])


def fetch(package):
    """Fetch a source package. pip may fail to build its metadata, for want of compilers:
    the sources that it unpacked before stay, and are all that is needed."""
    home = os.path.join(CACHE, package)
    if os.path.isdir(home):
        return home
    print(f"fetching {PACKAGES[package]} ...", file=sys.stderr)
    work = tempfile.mkdtemp(dir=CACHE)
    subprocess.run(
        [sys.executable, "-m", "pip", "download", "-q", "--no-clean", "--no-deps", "--no-build-isolation",
         "--no-binary", ":all:", PACKAGES[package], "-d", work],
        env={**os.environ, "TMPDIR": work, "CMAKE_ARGS": ""}, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
    for archive in glob.glob(os.path.join(work, "*.tar.gz")):
        subprocess.run(["tar", "xzf", archive, "-C", work], check=True)
        os.remove(archive)
    os.rename(work, home)
    return home


def find(source, name):
    home = fetch("vllm" if source == "encoder" else source)
    for pattern in (os.path.join(home, FILES[source] % name), os.path.join(home, "pip-*", FILES[source] % name)):
        found = glob.glob(pattern)
        if found:
            return found[0]
    raise SystemExit(f"{PACKAGES.get(source, source)} has no template {name}; remove {home} to fetch it again")


def environment():
    """The environment of Transformers' chat templates."""
    import jinja2
    import jinja2.ext
    from jinja2.sandbox import SandboxedEnvironment

    class Generation(jinja2.ext.Extension):
        tags = {"generation"}

        def parse(self, parser):
            line = next(parser.stream).lineno
            body = parser.parse_statements(["name:endgeneration"], drop_needle=True)
            return jinja2.nodes.Scope(body).set_lineno(line)

    def fail(message):
        raise jinja2.exceptions.TemplateError(message)

    env = SandboxedEnvironment(trim_blocks=True, lstrip_blocks=True, extensions=[Generation, jinja2.ext.loopcontrols])
    env.filters["tojson"] = lambda x, ensure_ascii=False, indent=None, separators=None, sort_keys=False: json.dumps(
        x, ensure_ascii=ensure_ascii, indent=indent, separators=separators, sort_keys=sort_keys)
    env.globals["raise_exception"] = fail
    env.globals["strftime_now"] = lambda form: datetime.datetime(2026, 1, 2).strftime(form)
    return env


def renderer(source, name):
    """What renders a conversation: a function of messages and tools."""
    path = find(source, name)
    if source == "encoder":
        spec = importlib.util.spec_from_file_location(name, path)
        encoder = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(encoder)

        def encode(messages, tools, **_):
            messages = json.loads(json.dumps(messages))
            for m in messages:
                m.pop("name", None) if m["role"] == "tool" else None
                for c in m.get("tool_calls", []):
                    c["function"]["arguments"] = json.dumps(c["function"]["arguments"], ensure_ascii=False)
            if tools:
                messages[0]["tools"] = tools
            return encoder.encode_messages(messages, thinking_mode="thinking", drop_thinking=False)

        return encode
    import jinja2.meta

    with open(path, encoding="utf-8") as f:
        text = f.read()
    template = environment().from_string(text)
    # What tokenizers and servers add, as far as templates ask for it.
    extra = {"bos_token": "<BOS>", "eos_token": "</s>", "datetime": "2026-01-02", "date_string": "02 Jan 2026"}
    if "functions" in jinja2.meta.find_undeclared_variables(environment().parse(text)):  # a text that the caller makes
        extra["functions"] = None

    def render(messages, tools, prompt=True, **more):
        values = {**extra, **more}
        if "functions" in values:
            values["functions"] = json.dumps(tools, ensure_ascii=False) if tools else None
        return template.render(messages=messages, tools=tools, add_generation_prompt=prompt, **values)

    return render


def call_id(dialect, name, at):
    if dialect == "kimi_k2":
        return f"functions.{name}:{at}"
    return f"call0000{at}"


def conversation(cases, dialect, part):
    """The messages and tools of a part."""
    tools = cases["tools"].get(part) or cases["tools"]["two"]
    calls = cases["calls"].get(part) or cases["calls"]["calls" if part == "results" else "call"]
    messages = [{"role": "system", "content": "SYS"}, {"role": "user", "content": "U1"}]
    if part in cases["tools"] or part == "place":
        return messages, tools
    answer = {"role": "assistant", "content": "", "tool_calls": [
        {"id": call_id(dialect, c["name"], i), "type": "function", "function": {"name": c["name"], "arguments": c["arguments"]}}
        for i, c in enumerate(calls)]}
    if part == "text":
        answer["content"] = cases["text"]
    if part == "reasoning":
        answer["reasoning_content"] = answer["reasoning"] = answer["thinking"] = cases["reasoning"]
    messages.append(answer)
    for i, c in enumerate(calls):
        content = cases["results"]["results"][i]
        messages.append({"role": "tool", "tool_call_id": call_id(dialect, c["name"], i), "name": c["name"], "content": content})
    called = next(ts for ts in cases["tools"].values() if any(t["function"]["name"] == calls[-1]["name"] for t in ts))
    return messages, called if len(called) == 1 and part in ("typed", "scalars") else tools


def attempts(messages):
    """The conversation as it is, and as templates with less room take it."""
    yield messages
    yield [m for m in messages if m["role"] != "system"]
    as_text = json.loads(json.dumps(messages))
    for m in as_text:
        for c in m.get("tool_calls", []):
            c["function"]["arguments"] = json.dumps(c["function"]["arguments"], ensure_ascii=False)
    yield as_text
    no_content = json.loads(json.dumps(messages))
    for m in no_content:
        if m["role"] == "assistant" and not m["content"]:
            m["content"] = None
    yield no_content
    # Those that take one call a message.
    split = []
    for m in messages:
        if len(m.get("tool_calls", [])) > 1:
            results = [r for r in messages if r["role"] == "tool"]
            for c in m["tool_calls"]:
                split.append({**m, "tool_calls": [c]})
                split += [r for r in results if r["tool_call_id"] == c["id"]]
            break
        split.append(m)
    yield split


def described(tools):
    """The tools with a description, if an empty one, for every parameter."""
    tools = json.loads(json.dumps(tools))
    for t in tools:
        for schema in t["function"]["parameters"]["properties"].values():
            schema.setdefault("description", "")
    return tools


def rendered(render, messages, tools):
    """What the template prints for each of the attempts, and if it prints nothing the reason."""
    out, why = [], ""
    for shown in (tools, described(tools)):
        for m in attempts(messages):
            try:
                out.append(render(m, shown))
            except Exception as e:  # noqa: BLE001: templates raise what they like
                why = why or f"{type(e).__name__}: {e}"
        if out:
            break
    return out, "" if out else why


def difference(want, got):
    """Where a part that should be in a rendering leaves it: what each goes on with."""
    low, high = 0, len(want)
    while low < high:  # the longest beginning that occurs
        middle = (low + high + 1) // 2
        if want[:middle] in got:
            low = middle
        else:
            high = middle - 1
    at = got.find(want[:low]) + low
    show = lambda s: s[:60].replace("\n", "¶")  # noqa: E731
    return f"after {want[max(0, low - 20):low]!r} toolparse has {show(want[low:])!r}, the template {show(got[at:])!r}"


# What a rendering of each part has, unless the template leaves the part out.
SIGNS = {"call": "Troms", "calls": "Troms", "typed": "line 2", "scalars": "0.5", "flat": "Sets a lamp.", "place": "The weather at a place.", "text": "Let me look.", "reasoning": "I should look.", "turn": "Troms", "end": "Troms",
         "result": "12 °C", "results": "12 °C", "nested": "Plans a route.", "one": "The weather at a place.", "two": "The weather at a place."}


def written(part, got):
    """Whether the template writes a part at all, next to the others of its message."""
    signs = [SIGNS[part]] + (["Troms"] if part in ("text", "reasoning") else [])
    return any(all(s in g for s in signs) for g in got)


def check(want, got):
    """'' where all texts of a part occur in the rendering, in order."""
    at = 0
    for text in want if isinstance(want, list) else [want]:
        found = got.find(text, at)
        if found < 0:
            return difference(text, got[at:])
        at = found + len(text)
    return ""


def main():
    flags = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    flags.add_argument("--render", action="store_true", help="print what the templates of a dialect print for these parts")
    flags.add_argument("words", nargs="*", metavar="DIALECT [PART...]")
    args = flags.parse_args()
    os.makedirs(CACHE, exist_ok=True)
    ensure_jinja()
    read = lambda name: json.load(open(os.path.join(DATA, name), encoding="utf-8"))  # noqa: E731
    cases = read("cases.json")
    only = args.words[0] if args.words else ""
    if args.render:
        for dialect, source, name in TEMPLATES:
            if dialect == only or name == only:
                for part in args.words[1:] or PARTS:
                    out, why = rendered(renderer(source, name), *conversation(cases, dialect, part))
                    print(f"===== {name} ({source}), {part}\n{out[0] if out else why}")
        return 0
    parts, exceptions = read("parts.json"), read("exceptions.json")
    same = known = wrong = 0
    used = set()
    print(f"{'dialect':<18}{'template':<46}" + "".join(f"{p:<10}" for p in PARTS))
    for dialect, source, name in TEMPLATES:
        if only and only not in (dialect, name):
            continue
        render = renderer(source, name)
        row, notes = [], []
        for part in PARTS:
            want = parts.get(dialect, {}).get(part)
            if want is None:
                row.append("-")
                continue
            got, why = rendered(render, *conversation(cases, dialect, part))
            if not why and not written(part, got):
                row.append(".")
                continue
            differences = [check(want, g) for g in got]
            why = why or ("" if "" in differences else differences[0])
            key = f"{dialect}/{name}/{part}"
            keys = [key, f"{dialect}/{name}", f"{dialect}/*/{part}"]
            if part == "place":  # tools that differ are not found
                keys += [f"{dialect}/{name}/two", f"{dialect}/*/two"]
            reason = next((exceptions[k] for k in keys if k in exceptions), "")
            used.update(k for k in keys if why and k in exceptions)
            if not why:
                row.append("=")
                same += 1
            elif reason:
                row.append("*")
                known += 1
                notes.append(f"    * {part}: {reason}" + (f"\n      {why}" if only else ""))
            else:
                row.append("≠")
                wrong += 1
                notes.append(f"    ≠ {part}: {why}")
        print(f"{dialect:<18}{name:<46}" + "".join(f"{r:<10}" for r in row).rstrip())
        if notes:
            print("\n".join(notes))
    print(f"\n{same} parts are equal, {known} differ for a known reason, {wrong} differ")
    if not only:
        for key in sorted(set(exceptions) - used):
            print(f"exceptions.json: {key} is not needed any more")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
