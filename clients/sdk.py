"""Asks toolparse serve with the vendors' Python SDKs; sdk.sh runs it.

Each asks for the tides, as a stream and whole, gets a call of the tool of that name, sends its
result, and gets an answer. The model behind it writes calls as text alone. The second URL is that
of a gateway whose upstream refuses tools: each must have an error of its own kind, with the
upstream's words.
"""

import json
import sys

import anthropic
import ollama
import openai
from google import genai
from google.genai import errors, types

URL, REFUSING = sys.argv[1:]
QUESTION = "When are the tides in Bergen?"
RESULT = "High at noon."
SCHEMA = {"type": "object", "properties": {"port": {"type": "string"}}, "required": ["port"]}
ABOUT = {"name": "tides", "description": "The tides at a port."}

# Each client is a function that yields what it has of a turn: its text, and its calls as names with
# arguments. It is told whether to stream.


def openai_chat(stream, url=URL):
    client = openai.OpenAI(base_url=url + "/v1", api_key="none", max_retries=0)
    messages = [{"role": "user", "content": QUESTION}]
    request = {"model": "m", "messages": messages, "tools": [{"type": "function", "function": ABOUT | {"parameters": SCHEMA}}]}
    while True:
        if stream:
            with client.chat.completions.stream(**request) as events:
                for _ in events:
                    pass
                answer = events.get_final_completion().choices[0]
        else:
            answer = client.chat.completions.create(**request).choices[0]
        calls = answer.message.tool_calls or []
        assert answer.finish_reason == ("tool_calls" if calls else "stop"), answer.finish_reason
        yield answer.message.content, [(c.function.name, c.function.arguments) for c in calls]
        messages.append(answer.message.model_dump(exclude_none=True, include={"role", "content", "tool_calls"}))
        for call in calls:
            messages.append({"role": "tool", "tool_call_id": call.id, "content": RESULT})


def openai_responses(stream, url=URL):
    client = openai.OpenAI(base_url=url + "/v1", api_key="none", max_retries=0)
    items = [{"role": "user", "content": QUESTION}]
    request = {"model": "m", "input": items, "tools": [ABOUT | {"type": "function", "parameters": SCHEMA, "strict": False}]}
    while True:
        if stream:
            with client.responses.stream(**request) as events:
                for _ in events:
                    pass
                answer = events.get_final_response()
        else:
            answer = client.responses.create(**request)
        assert answer.status == "completed", answer.status
        calls = [item for item in answer.output if item.type == "function_call"]
        yield answer.output_text, [(c.name, c.arguments) for c in calls]
        items += [item.model_dump(exclude_none=True, exclude={"parsed_arguments"}) for item in answer.output]
        items += [{"type": "function_call_output", "call_id": c.call_id, "output": RESULT} for c in calls]


def anthropic_messages(stream, url=URL):
    client = anthropic.Anthropic(base_url=url, api_key="none", max_retries=0)
    messages = [{"role": "user", "content": QUESTION}]
    request = {"model": "m", "max_tokens": 100, "messages": messages, "tools": [ABOUT | {"input_schema": SCHEMA}]}
    assert client.messages.count_tokens(model="m", messages=messages, tools=request["tools"]).input_tokens > 10
    while True:
        if stream:
            with client.messages.stream(**request) as events:
                answer = events.get_final_message()
        else:
            answer = client.messages.create(**request)
        calls = [block for block in answer.content if block.type == "tool_use"]
        assert answer.stop_reason == ("tool_use" if calls else "end_turn"), answer.stop_reason
        yield "".join(b.text for b in answer.content if b.type == "text"), [(c.name, c.input) for c in calls]
        messages.append({"role": "assistant", "content": [b.model_dump(exclude_none=True) for b in answer.content]})
        messages.append({"role": "user", "content": [{"type": "tool_result", "tool_use_id": c.id, "content": RESULT} for c in calls]})


def google_genai(stream, url=URL):
    client = genai.Client(api_key="none", http_options=types.HttpOptions(base_url=url))
    contents = [types.Content(role="user", parts=[types.Part(text=QUESTION)])]
    config = types.GenerateContentConfig(
        tools=[types.Tool(function_declarations=[types.FunctionDeclaration(**ABOUT, parameters_json_schema=SCHEMA)])],
        automatic_function_calling=types.AutomaticFunctionCallingConfig(disable=True),
    )
    assert client.models.count_tokens(model="m", contents=contents).total_tokens > 1
    while True:
        ask = client.models.generate_content_stream if stream else client.models.generate_content
        answer = ask(model="m", contents=contents, config=config)
        chunks = list(answer) if stream else [answer]
        parts = [p for c in chunks for p in (c.candidates[0].content.parts if c.candidates and c.candidates[0].content else None) or []]
        assert chunks[-1].candidates[0].finish_reason == "STOP", chunks[-1]
        calls = [p.function_call for p in parts if p.function_call]
        yield "".join(p.text or "" for p in parts), [(c.name, c.args) for c in calls]
        contents.append(types.Content(role="model", parts=parts))
        results = [types.Part(function_response=types.FunctionResponse(id=c.id, name=c.name, response={"output": RESULT})) for c in calls]
        contents.append(types.Content(role="user", parts=results))


def ollama_chat(stream, url=URL):
    client = ollama.Client(host=url)
    assert client.list() is not None and client.show("m").capabilities
    messages = [{"role": "user", "content": QUESTION}]
    tools = [{"type": "function", "function": ABOUT | {"parameters": SCHEMA}}]
    while True:
        answer = client.chat(model="m", messages=messages, tools=tools, stream=stream)
        chunks = list(answer) if stream else [answer]
        assert chunks[-1].done
        text = "".join(c.message.content or "" for c in chunks)
        calls = [call for c in chunks for call in c.message.tool_calls or []]
        yield text, [(c.function.name, dict(c.function.arguments)) for c in calls]
        messages.append({"role": "assistant", "content": text, "tool_calls": [c.model_dump() for c in calls]})
        messages += [{"role": "tool", "tool_name": c.function.name, "content": RESULT} for c in calls]


def check(client, stream):
    turns = client(stream)
    text, calls = next(turns)
    assert text.strip() == "I call tides.", text
    [(name, arguments)] = calls
    if isinstance(arguments, str):
        arguments = json.loads(arguments)
    assert (name, arguments) == ("tides", {"port": "Bergen"}), calls
    assert next(turns) == ("Done. I have seen the result.", []), "the answer is not that of the model"


def check_error(client, stream):
    kinds = (openai.BadRequestError, anthropic.BadRequestError, errors.ClientError, ollama.ResponseError)
    try:
        next(client(stream, REFUSING))
    except kinds as err:
        assert "has no tool calling" in str(err), err
    else:
        raise AssertionError("no error")


def check_models(_, __):
    assert openai.OpenAI(base_url=URL + "/v1", api_key="none").models.retrieve("textmodel").id == "textmodel"
    messages = anthropic.Anthropic(base_url=URL, api_key="none")
    assert messages.models.retrieve("textmodel").display_name == "textmodel" and messages.models.list().data[0].id == "textmodel"
    google = genai.Client(api_key="none", http_options=types.HttpOptions(base_url=URL))
    assert google.models.get(model="textmodel").name == "models/textmodel"
    for ask in (openai.OpenAI(base_url=URL + "/v1", api_key="none"), messages):
        try:
            ask.models.retrieve("none")
        except (openai.NotFoundError, anthropic.NotFoundError):
            continue
        raise AssertionError("no error")


failed = False


def attempt(what, test, client, stream):
    global failed
    try:
        test(client, stream)
        print("ok   ", what)
    except Exception as err:
        failed = True
        print("FAIL ", what, "-", type(err).__name__, err)


for client in (openai_chat, openai_responses, anthropic_messages, google_genai, ollama_chat):
    for stream in (True, False):
        what = f"python {client.__name__}, {'stream' if stream else 'whole'}"
        attempt(what, check, client, stream)
        attempt(what + ", an error", check_error, client, stream)
attempt("python, models", check_models, None, None)
sys.exit(failed)
