// Asks toolparse serve with the vendors' JavaScript SDKs; sdk.sh runs it.
//
// Each asks for the tides, as a stream and whole, gets a call of the tool of that name, sends
// its result, and gets an answer. The model behind it writes calls as text alone. The second URL
// is that of a gateway whose upstream refuses tools: each must have an error of its own kind, with
// the upstream's words.
import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";

const [serving, refusing, packages] = process.argv.slice(2);
const installed = createRequire(packages + "/");
const load = async (name) => import(pathToFileURL(installed.resolve(name)).href);
const { default: OpenAI } = await load("openai");
const { default: Anthropic } = await load("@anthropic-ai/sdk");
const { ApiError, GoogleGenAI } = await load("@google/genai");
const { Ollama } = await load("ollama");

const question = "When are the tides in Bergen?";
const result = "High at noon.";
const schema = { type: "object", properties: { port: { type: "string" } }, required: ["port"] };
const about = { name: "tides", description: "The tides at a port." };

// Each client yields what it has of a turn: its text, and its calls as names with arguments.

async function* openaiChat(stream, url) {
  const client = new OpenAI({ baseURL: url + "/v1", apiKey: "none", maxRetries: 0 });
  const messages = [{ role: "user", content: question }];
  const request = { model: "m", messages, tools: [{ type: "function", function: { ...about, parameters: schema } }] };
  for (;;) {
    const answer = stream ? await client.chat.completions.stream(request).finalChatCompletion() : await client.chat.completions.create(request);
    const { message, finish_reason } = answer.choices[0];
    const calls = message.tool_calls ?? [];
    assert.equal(finish_reason, calls.length ? "tool_calls" : "stop");
    yield [message.content, calls.map((c) => [c.function.name, JSON.parse(c.function.arguments)])];
    messages.push({ role: "assistant", content: message.content, tool_calls: message.tool_calls });
    messages.push(...calls.map((c) => ({ role: "tool", tool_call_id: c.id, content: result })));
  }
}

async function* openaiResponses(stream, url) {
  const client = new OpenAI({ baseURL: url + "/v1", apiKey: "none", maxRetries: 0 });
  const input = [{ role: "user", content: question }];
  const request = { model: "m", input, tools: [{ type: "function", ...about, parameters: schema, strict: false }] };
  for (;;) {
    const answer = stream ? await client.responses.stream(request).finalResponse() : await client.responses.create(request);
    assert.equal(answer.status, "completed");
    const calls = answer.output.filter((item) => item.type === "function_call");
    yield [answer.output_text, calls.map((c) => [c.name, JSON.parse(c.arguments)])];
    input.push(...answer.output.map(({ parsed_arguments, ...item }) => item));
    input.push(...calls.map((c) => ({ type: "function_call_output", call_id: c.call_id, output: result })));
  }
}

async function* anthropicMessages(stream, url) {
  const client = new Anthropic({ baseURL: url, apiKey: "none", maxRetries: 0 });
  const messages = [{ role: "user", content: question }];
  const request = { model: "m", max_tokens: 100, messages, tools: [{ ...about, input_schema: schema }] };
  for (;;) {
    const answer = stream ? await client.messages.stream(request).finalMessage() : await client.messages.create(request);
    const calls = answer.content.filter((block) => block.type === "tool_use");
    assert.equal(answer.stop_reason, calls.length ? "tool_use" : "end_turn");
    const text = answer.content.filter((block) => block.type === "text").map((block) => block.text);
    yield [text.join(""), calls.map((c) => [c.name, c.input])];
    messages.push({ role: "assistant", content: answer.content });
    messages.push({ role: "user", content: calls.map((c) => ({ type: "tool_result", tool_use_id: c.id, content: result })) });
  }
}

async function* googleGenai(stream, url) {
  const client = new GoogleGenAI({ apiKey: "none", httpOptions: { baseUrl: url } });
  const contents = [{ role: "user", parts: [{ text: question }] }];
  const config = { tools: [{ functionDeclarations: [{ ...about, parametersJsonSchema: schema }] }] };
  for (;;) {
    const request = { model: "m", contents, config };
    const chunks = [];
    if (stream) {
      for await (const chunk of await client.models.generateContentStream(request)) chunks.push(chunk);
    } else {
      chunks.push(await client.models.generateContent(request));
    }
    const parts = chunks.flatMap((c) => c.candidates?.[0]?.content?.parts ?? []);
    assert.equal(chunks.at(-1).candidates[0].finishReason, "STOP");
    const calls = parts.filter((p) => p.functionCall).map((p) => p.functionCall);
    yield [parts.map((p) => p.text ?? "").join(""), calls.map((c) => [c.name, c.args])];
    contents.push({ role: "model", parts });
    contents.push({ role: "user", parts: calls.map((c) => ({ functionResponse: { id: c.id, name: c.name, response: { output: result } } })) });
  }
}

async function* ollamaChat(stream, url) {
  const client = new Ollama({ host: url });
  const messages = [{ role: "user", content: question }];
  const tools = [{ type: "function", function: { ...about, parameters: schema } }];
  for (;;) {
    const answer = await client.chat({ model: "m", messages, tools, stream });
    const chunks = [];
    if (stream) {
      for await (const chunk of answer) chunks.push(chunk);
    } else {
      chunks.push(answer);
    }
    assert.equal(chunks.at(-1).done, true);
    const content = chunks.map((c) => c.message.content ?? "").join("");
    const calls = chunks.flatMap((c) => c.message.tool_calls ?? []);
    yield [content, calls.map((c) => [c.function.name, c.function.arguments])];
    messages.push({ role: "assistant", content, tool_calls: calls });
    messages.push(...calls.map((c) => ({ role: "tool", tool_name: c.function.name, content: result })));
  }
}

async function check(client, stream) {
  const turns = client(stream, serving);
  const [text, calls] = (await turns.next()).value;
  assert.equal(text.trim(), "I call tides.");
  assert.deepEqual(calls, [["tides", { port: "Bergen" }]]);
  assert.deepEqual((await turns.next()).value, ["Done. I have seen the result.", []]);
}

async function checkError(client, stream) {
  await assert.rejects(client(stream, refusing).next(), (err) => {
    assert.match(err.message, /has no tool calling/);
    const own = [OpenAI.BadRequestError, OpenAI.APIError, Anthropic.BadRequestError, Anthropic.APIError, ApiError];
    assert.ok(own.some((kind) => err instanceof kind) || err.name === "ResponseError", err.name);
    return true;
  });
}

async function checkModels() {
  assert.equal((await new OpenAI({ baseURL: serving + "/v1", apiKey: "none" }).models.retrieve("textmodel")).id, "textmodel");
  const messages = new Anthropic({ baseURL: serving, apiKey: "none" });
  assert.equal((await messages.models.retrieve("textmodel")).display_name, "textmodel");
  await assert.rejects(messages.models.retrieve("none"), Anthropic.NotFoundError);
  const google = new GoogleGenAI({ apiKey: "none", httpOptions: { baseUrl: serving } });
  assert.equal((await google.models.get({ model: "textmodel" })).name, "models/textmodel");
}

async function attempt(what, test, ...args) {
  try {
    await test(...args);
    console.log("ok   ", what);
  } catch (err) {
    process.exitCode = 1;
    console.log("FAIL ", what, "-", err);
  }
}

for (const client of [openaiChat, openaiResponses, anthropicMessages, googleGenai, ollamaChat]) {
  for (const stream of [true, false]) {
    const what = `node ${client.name}, ${stream ? "stream" : "whole"}`;
    await attempt(what, check, client, stream);
    await attempt(what + ", an error", checkError, client, stream);
  }
}
await attempt("node, models", checkModels);
